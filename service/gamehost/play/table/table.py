"""The folded state of a game: its chairs, clocks and proposals, and the state of the title."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from gamehost.rules.copying import replace
from gamehost.rules.kit import AnyRules, Decision, Outcome, Seat, put, with_ids

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

MOST_DECISIONS = 1024  # states whose decisions are remembered
BOT = "bot:"
"""Prefix of a reservation for a bot, see `Table.reservations`."""


class Status(Enum):
    GATHERING = "gathering"
    PLAYING = "playing"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event in a game's log. `event` is a TableEvent or one of the title's own."""

    version: int
    at: int  # microseconds since 1970
    seat: Seat | None  # the seat whose call caused it
    continues: bool  # whether the next event has the same cause
    event: Any
    clocks: tuple[SeatClock, ...] = ()  # the time every seat has left after it, in a game with a clock


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of this table and who plays it.

    `generation` counts how often the seat was taken or its tokens were revoked.
    """

    taken: bool = False
    display_name: str = ""
    generation: int = 0
    acted: int = 0  # version of the last event this seat caused
    answered: int = 0  # version of the last event of the title this seat caused: it answers decisions
    client_seed: bytes = b""
    caller_id: str = ""  # its owner, if that is an authenticated caller
    since: int = 0  # version of the event by which its owner sat down
    bot_level: str = ""  # the hosted bot that plays it now, if one does
    taken_over: bool = False  # whether the bot plays for the owner, who may reclaim the seat
    resigned: bool = False
    resigned_at: int = 0  # version of the event by which its owner resigned
    proposals: int = 0  # number of proposals it has made
    undos: int = 0  # number of moves it has undone

    @property
    def person(self) -> bool:
        """Whether a person who has not resigned owns the seat, even if a bot plays for them now."""
        return self.taken and not self.resigned and (self.taken_over or not self.bot_level)


@dataclass(frozen=True, slots=True)
class Table:
    """A game after some version of its log. Immutable: every change makes a new table."""

    game_id: str
    rules: AnyRules
    created: GameCreated
    created_at: int
    version: int
    chairs: tuple[Chair, ...]
    status: Status = Status.GATHERING
    state: Any = None  # the title's state, once the game has started
    position: int = 0  # number of the title's events that have been folded; it selects the luck
    outcome: Outcome | None = None
    clocks: tuple[SeatClock, ...] = ()
    undo_window: UndoWindow = UndoWindow()  # noqa: RUF009  a tuple, so sharing is safe
    proposal: Proposal | None = None
    # Not compared: how many are kept depends on how the table was folded, not on the game.
    checkpoints: Checkpoints = field(default=(), compare=False)

    @property
    def private(self) -> bool:
        return self.created.visibility is Visibility.PRIVATE

    @property
    def full(self) -> bool:
        return all(chair.taken for chair in self.chairs)

    @property
    def reservations(self) -> dict[Seat, str]:
        """The reservation of each open seat: a caller, BOT and a level, or "" if anyone may join."""
        if self.full:
            return {}
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
        """The decisions that the title asks for now, each with an id (see `kit.with_ids`).

        After an undo the same decision is asked again. It then gets another id, so that an answer that was
        meant for the position before the undo is refused as stale.
        """
        if self.status is not Status.PLAYING:
            return ()
        return _decisions_of(self.rules, self.state, self.chairs, self.undo_window.undos)

    @property
    def bots_to_move(self) -> Sequence[Decision]:
        """The decisions of seats that a bot plays now."""
        if not any(chair.bot_level for chair in self.chairs):
            return ()  # the usual case, which needs no call of the rules
        return [decision for decision in self.decisions if self.chairs[decision.seat].bot_level]

    def decision_of(self, seat: Seat) -> Decision | None:
        return next((decision for decision in self.decisions if decision.seat == seat), None)

    def free_undo(self, seat: Seat | None) -> int | None:
        """Return the version that this seat may go back to without a proposal, or None."""
        window = self.undo_window
        allowed = window.free and window.mover == seat and self.status is Status.PLAYING
        return window.free[-1] if allowed else None

    def view(self, seat: Seat | None) -> Any:
        """Return what this seat, or a spectator for None, sees; None before the title's first event."""
        return self.rules.view(self.state, seat) if self.position else None


@dataclass(frozen=True, slots=True)
class AskedDecisions:
    """The decisions of a state with their ids, and what the ids were made of."""

    state: Any  # held: if it were collected, another state could get the same id
    chairs: tuple[Chair, ...]  # when the decisions were asked last
    answered: tuple[int, ...]
    undos: int
    decisions: Sequence[Decision]


_decisions: dict[int, AskedDecisions] = {}


def _decisions_of(rules: AnyRules, state: Any, chairs: tuple[Chair, ...], undos: int) -> Sequence[Decision]:
    """Return the decisions that the rules ask for in a state with their ids, computed once.

    A move needs them five times: to check the answer, for the summary, the schedules, the inbox and the view.
    The same objects are returned each time, so that what they are encoded to is found by their identity, too.
    """
    found = _decisions.get(id(state))
    if found is not None and found.chairs is chairs and found.undos == undos:
        return found.decisions
    answered = tuple([chair.answered for chair in chairs])
    if found is not None and found.answered == answered and found.undos == undos:
        return found.decisions
    if len(_decisions) >= MOST_DECISIONS:
        _decisions.clear()
    asked = with_ids(rules.decisions(state), answered)
    if undos:
        asked = [replace(each, id=f"{each.id}~{undos}") for each in asked]
    _decisions[id(state)] = AskedDecisions(state, chairs, answered, undos, asked)
    return asked


def open_table(game_id: str, rules: AnyRules, record: EventRecord) -> Table:
    """Return the table after the first event of its log."""
    created: GameCreated = record.event
    chairs = (Chair(),) * created.seat_count
    return Table(game_id, rules, created, record.at, record.version, chairs, clocks=record.clocks)


def grouped_by_cause(records: Iterable[EventRecord]) -> Iterator[list[EventRecord]]:
    """Split records into batches with the same cause, which is usually one call."""
    batch: list[EventRecord] = []
    for record in records:
        batch.append(record)
        if not record.continues:
            yield batch
            batch = []
    if batch:
        yield batch


def without_undone(records: Iterable[EventRecord]) -> list[list[EventRecord]]:
    """Return the batches of records that were not undone later."""
    batches: list[list[EventRecord]] = []
    for batch in grouped_by_cause(records):
        add_and_remove_undone(batches, batch)
    return batches


def add_and_remove_undone(batches: list[list[EventRecord]], batch: list[EventRecord]) -> None:
    """Append the next batch, after removing those that it undoes."""
    for undone in (record.event for record in batch if isinstance(record.event, MoveUndone)):
        while batches and batches[-1][-1].version > undone.to_version:
            batches.pop()
    batches.append(batch)


def fold(
    table: Table,
    records: Iterable[EventRecord],
    state_after: Any = None,
    *,
    most_checkpoints: int | None = MOST_CHECKPOINTS,
) -> Table:
    """Return the table after more records, which must follow it without a gap.

    `state_after` is the title's state after the records; without it they are folded one by one. The table
    keeps `most_checkpoints`, None for all. Raises CheckpointMissing for an undo that goes back further, and
    ValueError for records that do not fit.
    """
    evolve = table.rules.evolve if state_after is None else lambda _state, _event: state_after
    # In local variables, because copying the table for every event of every game would be expensive.
    state, position, window, checkpoints = _state_of(table)
    version, clocks, acted, answered = table.version, table.clocks, dict[Seat, int](), dict[Seat, int]()
    for record in records:
        if record.version != version + 1:
            raise ValueError(f"{table.game_id}: event {record.version} after {version}")
        version, clocks = record.version, record.clocks or clocks
        if isinstance(record.event, TABLE_EVENTS):
            table = _with_state(table, state, position, window, checkpoints)
            table = _after_table_event(table, record.event, version)
            if isinstance(record.event, SeatTaken):
                acted.pop(record.event.seat, None)  # the actions of an earlier owner
            state, position, window, checkpoints = _state_of(table)
        else:
            state, position = evolve(state, record.event), position + 1
            window = _window_after(window, checkpoints, record, table.rules.final)
            table = table if table.proposal is None else replace(table, proposal=None)
        if record.seat is not None:
            (acted if isinstance(record.event, TABLE_EVENTS) else answered)[record.seat] = version
        if state is not None and not record.continues:
            kept = checkpoints if most_checkpoints is None else checkpoints[1 - most_checkpoints :]
            checkpoints = (*kept, Checkpoint(version, state, position))
    table = _with_state(table, state, position, window, checkpoints)
    return replace(table, version=version, clocks=clocks, chairs=_with_acted(table.chairs, acted, answered))


def _state_of(table: Table) -> tuple[Any, int, UndoWindow, Checkpoints]:
    return table.state, table.position, table.undo_window, table.checkpoints


def _with_state(
    table: Table, state: Any, position: int, window: UndoWindow, checkpoints: Checkpoints
) -> Table:
    return replace(table, state=state, position=position, undo_window=window, checkpoints=checkpoints)


def _window_after(
    window: UndoWindow, checkpoints: Checkpoints, record: EventRecord, final: Collection[type[Any]]
) -> UndoWindow:
    """Return the undo window after an event of the title. Final events can be undone with consent only."""
    # The event right after a checkpoint is the first one of an action.
    if checkpoints and checkpoints[-1].version == record.version - 1:
        window = window.after_action(record.version, record.seat)
    return window.closed() if type(record.event) in final else window


def _with_acted(
    chairs: tuple[Chair, ...], acted: Mapping[Seat, int], answered: Mapping[Seat, int]
) -> tuple[Chair, ...]:
    """Return the chairs after events of the table (`acted`) and of the title (`answered`) by seats."""
    for seat in {*acted, *answered}:
        last = answered.get(seat, chairs[seat].answered)
        chairs = put(chairs, seat, replace(chairs[seat], acted=max(acted.get(seat, 0), last), answered=last))
    return chairs


def _after_table_event(table: Table, event: TableEvent, version: int) -> Table:
    """Return the table after an event that is not the title's."""
    match event:
        case SeatTaken(seat, name, client_seed, caller_id, level):
            generation = table.chairs[seat].generation + 1
            chair = Chair(True, name, generation, 0, 0, client_seed, caller_id, version, level)
            return replace(table, chairs=put(table.chairs, seat, chair))
        case SeatLeft(seat):
            chair = Chair(generation=table.chairs[seat].generation)
            return replace(table, chairs=put(table.chairs, seat, chair))
        case SeatTokensRevoked() | SeatResigned() | SeatTakenOver() | SeatReclaimed():
            chair = _chair_after(table.chairs[event.seat], event, version)
            # Once other people play, others would have to agree, so the proposal is withdrawn.
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
            return _after_proposal_or_jump(table, event)
        case GameCreated():
            raise ValueError(f"{table.game_id}: {type(event).__name__} is only allowed as the first event")


def _after_proposal_or_jump(
    table: Table, event: ProposalMade | ProposalAnswered | MoveUndone | PositionPlaced
) -> Table:
    """Return the table after a proposal, or an event that replaces the whole state."""
    match event:
        case ProposalMade(proposal):
            return replace(_counted(table, proposal.seat, proposals=1), proposal=proposal)
        case ProposalAnswered():
            return replace(table, proposal=_answered(table, event))
        case MoveUndone(seat, to_version):
            table = _counted(table, seat, undos=1)
            checkpoints = checkpoints_until(table.checkpoints, to_version)
            _, state, position = checkpoints[-1]
            return replace(
                table,
                state=state,
                position=position,
                undo_window=table.undo_window.after_undo(to_version),
                checkpoints=checkpoints,
                proposal=None,
            )
        case PositionPlaced(_, state, position):
            if table.created.fork_of is None or table.position or state is None:
                raise ValueError(f"{table.game_id}: a position cannot be placed here")
            return replace(table, state=state, position=position)


def _counted(table: Table, seat: Seat, *, proposals: int = 0, undos: int = 0) -> Table:
    chair = table.chairs[seat]
    counted = replace(chair, proposals=chair.proposals + proposals, undos=chair.undos + undos)
    return replace(table, chairs=put(table.chairs, seat, counted))


def _answered(table: Table, event: ProposalAnswered) -> Proposal | None:
    """Return the proposal after an answer; None if it was declined."""
    proposal = table.proposal
    if proposal is None or event.proposal_id != proposal.proposal_id:
        raise ValueError(f"{table.game_id}: there is no proposal {event.proposal_id}")
    if not event.accepted:
        return None
    return replace(proposal, waiting_for=tuple(seat for seat in proposal.waiting_for if seat != event.seat))


def _chair_after(
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
