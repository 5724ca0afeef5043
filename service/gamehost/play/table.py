"""A game as the service knows it: who sits where, and the title's state, folded from one log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from gamehost.rules.copying import replacer
from gamehost.rules.kit import AnyRules, Decision, Outcome, Seat, put

from .happenings import (
    TABLE_EVENTS,
    GameAbandoned,
    GameCreated,
    GameFinished,
    GameStarted,
    PositionPlaced,
    SeatLeft,
    SeatReclaimed,
    SeatResigned,
    SeatTaken,
    SeatTakenOver,
    SeatTokensRevoked,
    SeedRevealed,
    TableEvent,
    Visibility,
)


class Status(Enum):
    GATHERING = "gathering"
    PLAYING = "playing"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Record:
    """An event in a game's log. `event` is a TableEvent or one of the title's own."""

    version: int
    at: int  # microseconds since 1970
    seat: Seat | None  # whose call caused it
    continues: bool  # the next event has the same cause
    event: Any


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat at this table. `generation` counts how often it was taken or its tokens were revoked."""

    taken: bool = False
    display_name: str = ""
    generation: int = 0
    acted: int = 0  # version of the last event this seat caused
    client_seed: bytes = b""
    caller_id: str = ""  # whose it is, if it was taken by somebody with an identity
    since: int = 0  # version of the event that seated its owner
    bot_level: str = ""  # the hosted bot that plays it now, if one does
    taken_over: bool = False  # the bot plays for its owner, who may take it back
    resigned: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The fold of a game's log."""

    game_id: str
    rules: AnyRules
    created: GameCreated
    created_at: int
    version: int
    chairs: tuple[Chair, ...]
    status: Status = Status.GATHERING
    state: Any = None  # the title's state, from the start on
    position: int = 0  # how many of the title's events have been folded
    outcome: Outcome | None = None

    @property
    def private(self) -> bool:
        return self.created.visibility is Visibility.PRIVATE

    @property
    def full(self) -> bool:
        return all(chair.taken for chair in self.chairs)

    @property
    def client_seeds(self) -> tuple[bytes, ...]:
        return tuple(chair.client_seed for chair in self.chairs)

    @property
    def decisions(self) -> Sequence[Decision]:
        return self.rules.decisions(self.state) if self.status is Status.PLAYING else ()

    def asked(self, seat: Seat) -> Decision | None:
        return next((decision for decision in self.decisions if decision.seat == seat), None)

    def view(self, seat: Seat | None) -> Any:
        """None until the title's first event: a blank state shows nothing."""
        return self.rules.view(self.state, seat) if self.position else None


change: Final = replacer(Table)
change_chair: Final = replacer(Chair)
change_record: Final = replacer(Record)


def discreet(record: Record) -> Record:
    """The record without the identities of those who sit or are to sit, which are told to nobody, ever."""
    event = record.event
    if isinstance(event, SeatTaken) and event.caller_id:
        return change_record(record, event=replace(event, caller_id=""))
    if isinstance(event, GameCreated) and any(plan.reserved_for for plan in event.seats):
        seats = tuple(replace(plan, reserved_for="") for plan in event.seats)
        return change_record(record, event=replace(event, seats=seats))
    return record


def witness(rules: AnyRules, record: Record, seat: Seat | None) -> Record:
    """The record as that seat, or a spectator, saw it: no seed, no state, and no identities."""
    if isinstance(record.event, SeedRevealed):
        return change_record(record, event=SeedRevealed(b""))
    if isinstance(record.event, PositionPlaced):
        return change_record(record, event=replace(record.event, state=b""))
    if isinstance(record.event, TABLE_EVENTS):
        return discreet(record)
    seen = rules.witness(record.event, seat)
    return record if seen is record.event else change_record(record, event=seen)


def open_table(game_id: str, rules: AnyRules, record: Record) -> Table:
    """The table after the first event of its log."""
    created: GameCreated = record.event
    chairs = (Chair(),) * created.seat_count
    return Table(game_id, rules, created, record.at, record.version, chairs)


def causes(records: Iterable[Record]) -> Iterator[list[Record]]:
    """The records cut where one cause ends and the next begins."""
    batch: list[Record] = []
    for record in records:
        batch.append(record)
        if not record.continues:
            yield batch
            batch = []
    if batch:
        yield batch


def fold(table: Table, records: Iterable[Record], known: Any = None) -> Table:
    """The table after more records, which must follow on without a gap.

    `known` is the title's state that they lead to; without it they are folded one by one.
    """
    evolve = table.rules.evolve if known is None else lambda _state, _event: known
    state, position, chairs = table.state, table.position, table.chairs
    version, acted = table.version, dict[Seat, int]()
    for record in records:
        if record.version != version + 1:
            raise ValueError(f"{table.game_id}: event {record.version} after {version}")
        version = record.version
        if isinstance(record.event, TABLE_EVENTS):
            changed = change(table, state=state, position=position, chairs=chairs)
            table = _sit(changed, record.event, version)
            state, position, chairs = table.state, table.position, table.chairs
        else:
            state, position = evolve(state, record.event), position + 1
        if record.seat is not None:
            acted[record.seat] = version
    for seat, last in acted.items():
        chairs = put(chairs, seat, change_chair(chairs[seat], acted=last))
    return change(table, version=version, state=state, position=position, chairs=chairs)


def _sit(table: Table, event: TableEvent, version: int) -> Table:
    match event:
        case SeatTaken(seat, name, client_seed, caller_id, level):
            generation = table.chairs[seat].generation + 1
            chair = Chair(True, name, generation, 0, client_seed, caller_id, version, level)
            return change(table, chairs=put(table.chairs, seat, chair))
        case SeatLeft(seat):
            chair = Chair(generation=table.chairs[seat].generation)
            return change(table, chairs=put(table.chairs, seat, chair))
        case SeatTokensRevoked() | SeatResigned() | SeatTakenOver() | SeatReclaimed():
            chair = _changed(table.chairs[event.seat], event)
            return change(table, chairs=put(table.chairs, event.seat, chair))
        case GameStarted():
            return change(table, status=Status.PLAYING, state=table.rules.blank)
        case GameFinished(outcome):
            return change(table, status=Status.FINISHED, outcome=outcome)
        case GameAbandoned(reason):
            return change(table, status=Status.FINISHED, outcome=Outcome((), (), reason))
        case SeedRevealed():
            return table
        case _:
            raise ValueError(f"{table.game_id}: {type(event).__name__} cannot happen here")


def _changed(chair: Chair, event: SeatTokensRevoked | SeatResigned | SeatTakenOver | SeatReclaimed) -> Chair:
    match event:
        case SeatTokensRevoked():
            return change_chair(chair, generation=chair.generation + 1)
        case SeatResigned(_, level):
            return change_chair(chair, bot_level=level, taken_over=False, resigned=True)
        case SeatTakenOver(_, level):
            return change_chair(chair, bot_level=level, taken_over=True)
        case SeatReclaimed():
            return change_chair(chair, bot_level="", taken_over=False)
