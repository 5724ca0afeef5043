"""A game as the service knows it: who sits where, and the title's state, folded from one log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from gamehost.rules.copying import replace
from gamehost.rules.kit import AnyRules, Decision, Outcome, Seat, put

from .events import (
    TABLE_EVENTS,
    GameAbandoned,
    GameCreated,
    GameFinished,
    GameStarted,
    MoveUndone,
    PositionPlaced,
    Proposal,
    ProposalAnswered,
    ProposalMade,
    SeatClock,
    SeatLeft,
    SeatPlan,
    SeatReclaimed,
    SeatResigned,
    SeatTaken,
    SeatTakenOver,
    SeatTokensRevoked,
    SeedRevealed,
    TableEvent,
    Visibility,
)
from .undo_window import MOST_CHECKPOINTS, Checkpoint, Checkpoints, UndoWindow, checkpoints_until

BOT = "bot:"
"""Begins what an open seat is kept for when a bot is to sit there."""


class Status(Enum):
    GATHERING = "gathering"
    PLAYING = "playing"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event in a game's log. `event` is a TableEvent or one of the title's own."""

    version: int
    at: int  # microseconds since 1970
    seat: Seat | None  # whose call caused it
    continues: bool  # the next event has the same cause
    event: Any
    clocks: tuple[SeatClock, ...] = ()  # the time every seat has left after it, in a game with a clock


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
    resigned_at: int = 0  # version of the event by which its owner gave up
    proposals: int = 0  # how many it has made
    undos: int = 0  # how often it went back

    @property
    def person(self) -> bool:
        """Whether somebody who has not given up owns it, be it that a bot plays for them at the moment."""
        return self.taken and not self.resigned and (self.taken_over or not self.bot_level)


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
    clocks: tuple[SeatClock, ...] = ()
    undo_window: UndoWindow = UndoWindow()  # noqa: RUF009  it is a tuple
    proposal: Proposal | None = None
    checkpoints: Checkpoints = field(default=(), compare=False)

    @property
    def private(self) -> bool:
        return self.created.visibility is Visibility.PRIVATE

    @property
    def full(self) -> bool:
        return all(chair.taken for chair in self.chairs)

    @property
    def reservations(self) -> dict[Seat, str]:
        """For whom each open seat is kept; nobody's name for a seat that anyone may take."""
        plans = self.created.seats or (SeatPlan(),) * len(self.chairs)
        return {
            Seat(seat): plan.reserved_for or f"{BOT}{plan.bot_level}" * bool(plan.bot_level)
            for seat, (plan, chair) in enumerate(zip(plans, self.chairs, strict=True))
            if not chair.taken
        }

    @property
    def client_seeds(self) -> tuple[bytes, ...]:
        return tuple(chair.client_seed for chair in self.chairs)

    @property
    def decisions(self) -> Sequence[Decision]:
        """Asked again after an undo, a question has another id: who answers the old one is too late."""
        asked = self.rules.decisions(self.state) if self.status is Status.PLAYING else ()
        undos = self.undo_window.undos
        return [replace(each, id=f"{each.id}~{undos}") for each in asked] if undos else asked

    @property
    def bots_to_move(self) -> Sequence[Decision]:
        """What is asked of seats that a bot plays now."""
        if not any(chair.bot_level for chair in self.chairs):
            return ()
        return [decision for decision in self.decisions if self.chairs[decision.seat].bot_level]

    def decision_of(self, seat: Seat) -> Decision | None:
        return next((decision for decision in self.decisions if decision.seat == seat), None)

    def free_undo(self, seat: Seat | None) -> int | None:
        """The version that this seat may go back to without asking anyone."""
        trail = self.undo_window
        mine = trail.free and trail.mover == seat and self.status is Status.PLAYING
        return trail.free[-1] if mine else None

    def view(self, seat: Seat | None) -> Any:
        """None until the title's first event: a blank state shows nothing."""
        return self.rules.view(self.state, seat) if self.position else None


def without_identities(record: EventRecord) -> EventRecord:
    """The record without the identities of those who sit or are to sit, which are told to nobody, ever."""
    event = record.event
    if isinstance(event, SeatTaken) and event.caller_id:
        return replace(record, event=replace(event, caller_id=""))
    if isinstance(event, GameCreated) and any(plan.reserved_for for plan in event.seats):
        seats = tuple(replace(plan, reserved_for="") for plan in event.seats)
        return replace(record, event=replace(event, seats=seats))
    return record


def redacted(rules: AnyRules, record: EventRecord, seat: Seat | None) -> EventRecord:
    """The record as that seat, or a spectator, saw it: no seed, no state, and no identities."""
    if isinstance(record.event, SeedRevealed):
        return replace(record, event=SeedRevealed(b""))
    if isinstance(record.event, PositionPlaced):
        return replace(record, event=replace(record.event, state=None))
    if isinstance(record.event, TABLE_EVENTS):
        return without_identities(record)
    shown = rules.witness(record.event, seat)
    return record if shown is record.event else replace(record, event=shown)


def open_table(game_id: str, rules: AnyRules, record: EventRecord) -> Table:
    """The table after the first event of its log."""
    created: GameCreated = record.event
    chairs = (Chair(),) * created.seat_count
    return Table(game_id, rules, created, record.at, record.version, chairs, clocks=record.clocks)


def grouped_by_cause(records: Iterable[EventRecord]) -> Iterator[list[EventRecord]]:
    """The records cut where one cause ends and the next begins."""
    batch: list[EventRecord] = []
    for record in records:
        batch.append(record)
        if not record.continues:
            yield batch
            batch = []
    if batch:
        yield batch


def without_undone(records: Iterable[EventRecord]) -> list[list[EventRecord]]:
    """What each call led to, without what was undone later."""
    told: list[list[EventRecord]] = []
    for batch in grouped_by_cause(records):
        add_to_line(told, batch)
    return told


def add_to_line(told: list[list[EventRecord]], batch: list[EventRecord]) -> None:
    """What the next call led to; what it undid is removed."""
    for undone in (record.event for record in batch if isinstance(record.event, MoveUndone)):
        while told and told[-1][-1].version > undone.to_version:
            told.pop()
    told.append(batch)


def witnessed_events(table: Table, records: Iterable[EventRecord], seat: Seat | None) -> Sequence[Any]:
    """All that the seat witnessed and that was not undone; the log of a sandbox is not the whole story."""
    if table.created.fork_of is not None:
        return ()
    told = [
        record for batch in without_undone(records) for record in batch if record.version <= table.version
    ]
    return [table.rules.witness(r.event, seat) for r in told if not isinstance(r.event, TABLE_EVENTS)]


def fold(
    table: Table, records: Iterable[EventRecord], known: Any = None, *, recent: int | None = MOST_CHECKPOINTS
) -> Table:
    """The table after more records, which must follow on without a gap.

    `known` is the title's state that they lead to; without it they are folded one by one.
    `recent` is how many causes back the table remembers, None for all; raises Forgotten for a longer undo.
    """
    evolve = table.rules.evolve if known is None else lambda _state, _event: known
    state, position, trail, past = table.state, table.position, table.undo_window, table.checkpoints
    version, acted, final = table.version, dict[Seat, int](), table.rules.final
    clocks = table.clocks
    for record in records:
        if record.version != version + 1:
            raise ValueError(f"{table.game_id}: event {record.version} after {version}")
        version, clocks = record.version, record.clocks or clocks
        if isinstance(record.event, TABLE_EVENTS):
            changed = replace(table, state=state, position=position, undo_window=trail, checkpoints=past)
            table = _sit(changed, record.event, version)
            if isinstance(record.event, SeatTaken):
                acted.pop(record.event.seat, None)  # by whoever sat there before
            state, position, trail, past = table.state, table.position, table.undo_window, table.checkpoints
        else:
            state, position = evolve(state, record.event), position + 1
            if past and past[-1].version == version - 1:
                trail = trail.after_action(version, record.seat)
            if type(record.event) in final:
                trail = trail.closed()
            if table.proposal is not None:
                table = replace(table, proposal=None)
        if record.seat is not None:
            acted[record.seat] = version
        if state is not None and not record.continues:
            past = (*(past if recent is None else past[1 - recent :]), Checkpoint(version, state, position))
    chairs = table.chairs
    for seat, last in acted.items():
        chairs = put(chairs, seat, replace(chairs[seat], acted=last))
    return replace(
        table,
        version=version,
        chairs=chairs,
        clocks=clocks,
        state=state,
        position=position,
        undo_window=trail,
        checkpoints=past,
    )


def _sit(table: Table, event: TableEvent, version: int) -> Table:
    match event:
        case SeatTaken(seat, name, client_seed, caller_id, level):
            generation = table.chairs[seat].generation + 1
            chair = Chair(True, name, generation, 0, client_seed, caller_id, version, level)
            return replace(table, chairs=put(table.chairs, seat, chair))
        case SeatLeft(seat):
            chair = Chair(generation=table.chairs[seat].generation)
            return replace(table, chairs=put(table.chairs, seat, chair))
        case SeatTokensRevoked() | SeatResigned() | SeatTakenOver() | SeatReclaimed():
            chair = _changed(table.chairs[event.seat], event, version)
            # Who has to agree is another question once other people sit there.
            proposal = table.proposal if isinstance(event, SeatTokensRevoked) else None
            return replace(table, chairs=put(table.chairs, event.seat, chair), proposal=proposal)
        case GameStarted():
            return replace(table, status=Status.PLAYING, state=table.rules.blank)
        case GameFinished(outcome):
            return replace(table, status=Status.FINISHED, outcome=outcome, proposal=None)
        case GameAbandoned(reason):
            outcome = Outcome((), (), reason)
            return replace(table, status=Status.FINISHED, outcome=outcome, proposal=None)
        case SeedRevealed():
            return table
        case ProposalMade() | ProposalAnswered() | MoveUndone() | PositionPlaced():
            return _set(table, event)
        case GameCreated():
            raise ValueError(f"{table.game_id}: {type(event).__name__} cannot happen here")


def _set(table: Table, event: ProposalMade | ProposalAnswered | MoveUndone | PositionPlaced) -> Table:
    """What moves no piece, and yet the whole position."""
    match event:
        case ProposalMade(proposal):
            return replace(_counted(table, proposal.seat, proposals=1), proposal=proposal)
        case ProposalAnswered():
            return replace(table, proposal=_answered(table, event))
        case MoveUndone(seat, to_version):
            table = _counted(table, seat, undos=1)
            past, trail = (
                checkpoints_until(table.checkpoints, to_version),
                table.undo_window.after_undo(to_version),
            )
            _, state, position = past[-1]
            return replace(
                table, state=state, position=position, undo_window=trail, checkpoints=past, proposal=None
            )
        case PositionPlaced(_, state, position):
            if table.created.fork_of is None or table.position or state is None:
                raise ValueError(f"{table.game_id}: no position can be placed here")
            return replace(table, state=state, position=position)


def _counted(table: Table, seat: Seat, *, proposals: int = 0, undos: int = 0) -> Table:
    chair = table.chairs[seat]
    counted = replace(chair, proposals=chair.proposals + proposals, undos=chair.undos + undos)
    return replace(table, chairs=put(table.chairs, seat, counted))


def _answered(table: Table, event: ProposalAnswered) -> Proposal | None:
    proposal = table.proposal
    if proposal is None or event.proposal_id != proposal.proposal_id:
        raise ValueError(f"{table.game_id}: there is no proposal {event.proposal_id}")
    if not event.accepted:
        return None
    return replace(proposal, waiting_for=tuple(seat for seat in proposal.waiting_for if seat != event.seat))


def _changed(
    chair: Chair, event: SeatTokensRevoked | SeatResigned | SeatTakenOver | SeatReclaimed, version: int
) -> Chair:
    match event:
        case SeatTokensRevoked():
            return replace(chair, generation=chair.generation + 1)
        case SeatResigned(_, level):
            return replace(chair, bot_level=level, taken_over=False, resigned=True, resigned_at=version)
        case SeatTakenOver(_, level):
            return replace(chair, bot_level=level, taken_over=True)
        case SeatReclaimed():
            return replace(chair, bot_level="", taken_over=False)
