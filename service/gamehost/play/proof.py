"""Verifies the luck of a finished game: replays it with its seed and compares every event with the log.

A log contains events, not the actions that led to them. But with the seed nothing is left to chance: some
legal action of the seat that had the decision must lead to exactly the events in the log. The proof tries all
of them. It cannot show which of its legal actions a seat chose when several lead to the same events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from gamehost.rules.chance import SeededChance, commitment, luck_key
from gamehost.rules.kit import AnyRules, IllegalAction, Outcome, Seat

from .table.events import TABLE_EVENTS, GameAbandoned, GameFinished, GameStarted, SeatResigned
from .table.resignation import outcome_by_resignation, ranked_with_resigned
from .table.table import EventRecord, Status, Table, fold, grouped_by_cause, open_table

# What rules may raise for events that do not fit the state. Such a log may come from anybody, so none of
# these is a bug of the service.
UNFOLDABLE = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class ProofStep:
    """The records with one cause, and the tables before and after them."""

    before: Table | None
    records: Sequence[EventRecord]
    after: Table


@dataclass(frozen=True, slots=True)
class ProvenCause:
    """The action that led to a step, None for the deal, and how many random numbers it used."""

    seat: Seat | None
    action: Any
    numbers: int


class Mismatch(Exception):
    """The log has the event `logged` where the rules and the seed lead to `expected`; None for no event."""

    def __init__(self, version: int, why: str, logged: Any = None, expected: Any = None) -> None:
        super().__init__(f"version {version}: {why}")
        self.version, self.why, self.logged, self.expected = version, why, logged, expected


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of a proof: how many decisions and random numbers were verified, and the last table."""

    decisions: int
    numbers: int
    table: Table


def prove(game_id: str, rules: AnyRules, records: Sequence[EventRecord], seed: bytes) -> Proof:
    """Verify a finished game; raises the first Mismatch."""
    if commitment(game_id, seed) != records[0].event.commitment:
        raise Mismatch(records[0].version, "the revealed seed does not match the commitment")
    decisions, numbers = 0, 0
    for step in steps(game_id, rules, records, seed):
        cause = cause_of(step, seed)
        _check_outcome(step)
        if cause is not None:
            decisions, numbers = decisions + (cause.action is not None), numbers + cause.numbers
    if step.after.status is not Status.FINISHED:
        raise Mismatch(step.after.version, "the game is not finished")
    return Proof(decisions, numbers, step.after)


def steps(
    game_id: str, rules: AnyRules, records: Sequence[EventRecord], seed: bytes | None = None
) -> Iterator[ProofStep]:
    """Yield the steps of a game; raises Mismatch for records that cannot be folded.

    With a seed such records are replayed first, because that gives a more exact Mismatch.
    """
    table = open_table(game_id, rules, records[0])
    yield ProofStep(None, records[:1], table)
    for batch in grouped_by_cause(records[1:]):
        before = table
        _check_versions(before.version, batch)
        try:
            table = fold(before, batch, most_checkpoints=None)
        except UNFOLDABLE:
            if seed is not None:
                with suppress(*UNFOLDABLE):
                    cause_of(ProofStep(before, batch, before), seed)
            raise Mismatch(batch[0].version, "the events do not follow from the state before them") from None
        yield ProofStep(before, batch, table)


def _check_versions(version: int, records: Sequence[EventRecord]) -> None:
    for expected, record in enumerate(records, version + 1):
        if record.version != expected:
            raise Mismatch(expected, f"the next event has version {record.version}", record.event)


def cause_of(step: ProofStep, seed: bytes) -> ProvenCause | None:
    """Return what led to a step, None for one without events of the title; raises Mismatch if nothing can."""
    logged = [record for record in step.records if not isinstance(record.event, TABLE_EVENTS)]
    if step.before is None or not logged:
        return None
    attempts = []
    for cause, events in _attempts(step, seed):
        if events == [record.event for record in logged]:
            return cause
        attempts.append(events)
    raise _closest_mismatch(logged, attempts)


def _attempts(step: ProofStep, seed: bytes) -> Iterator[tuple[ProvenCause, list[Any]]]:
    """Yield every possible cause of a step with the events that it leads to."""
    assert step.before is not None
    # Joining and starting come before the deal in one step, and they add the client seeds to the luck.
    opening = list(takewhile(lambda record: isinstance(record.event, TABLE_EVENTS), step.records))
    table, rules = fold(step.before, opening), step.before.rules
    key = luck_key(seed, table.client_seeds)
    if any(isinstance(record.event, GameStarted) for record in opening):
        chance = SeededChance(key, table.position)
        events = list(rules.setup(table.created.options, table.created.seat_count, chance))
        yield ProvenCause(None, None, chance.taken), events
        return
    for seat in _possible_seats(table, step.records[-1].seat):
        for action in rules.legal_actions(table.state, seat):
            chance = SeededChance(key, table.position)
            try:
                events = list(rules.decide(table.state, seat, action, chance))
            except IllegalAction:
                continue
            yield ProvenCause(seat, action, chance.taken), events


def _possible_seats(table: Table, caller: Seat | None) -> Sequence[Seat]:
    """Return the seat whose call it was, or all seats with a decision if the caller had none."""
    asked = [decision.seat for decision in table.decisions]
    return [caller] if caller in asked and caller is not None else asked


def _check_outcome(step: ProofStep) -> None:
    """Raise Mismatch unless the game ends in this step exactly if it should, with the right outcome."""
    expected = _expected_outcome(step)
    for record in step.records:
        if isinstance(record.event, GameFinished):
            if record.event.outcome != expected:
                ending = GameFinished(expected) if expected else None
                raise Mismatch(record.version, "the rules do not give this outcome", record.event, ending)
            return
    if expected is not None:
        ending = GameFinished(expected)
        raise Mismatch(step.records[-1].version, "the game should end here", None, ending)


def _expected_outcome(step: ProofStep) -> Outcome | None:
    """Return the outcome by the rules, or because one of two players or the last person resigned."""
    state, chairs = step.after.state, step.after.chairs
    outcome = None if state is None else step.after.rules.outcome(state)
    if outcome is not None:
        return ranked_with_resigned(outcome, chairs)
    resigned = [record.event for record in step.records if isinstance(record.event, SeatResigned)]
    return outcome_by_resignation(chairs, resigned) if resigned and _ends_game(step, resigned) else None


def _ends_game(step: ProofStep, resigned: Sequence[SeatResigned]) -> bool:
    """Whether the game ends with these resignations.

    It does not if both players resign at once, which abandons it. Earlier releases also abandoned larger
    games in which the last person resigned.
    """
    chairs = step.after.chairs
    if len(chairs) == 2:
        return len(resigned) == 1
    abandoned = any(isinstance(record.event, GameAbandoned) for record in step.records)
    return not (abandoned or any(chair.person for chair in chairs))


def _closest_mismatch(logged: Sequence[EventRecord], attempts: Sequence[Sequence[Any]]) -> Mismatch:
    """Return the difference to the attempt that agrees with the log for longest."""
    if not attempts:
        return Mismatch(logged[0].version, "no seat could have caused this", logged[0].event)
    agreed = [_agreement([record.event for record in logged], events) for events in attempts]
    same = max(agreed)
    expected = attempts[agreed.index(same)]
    if same == len(logged):
        return Mismatch(logged[-1].version + 1, "an event is missing", None, expected[same])
    if same == len(expected):
        return Mismatch(logged[same].version, "this event should not be here", logged[same].event)
    if same == 0 and len(attempts) > 1:
        return Mismatch(logged[0].version, "no legal action leads to this", logged[0].event)
    why = "the seed leads to a different event"
    return Mismatch(logged[same].version, why, logged[same].event, expected[same])


def _agreement(logged: Sequence[Any], expected: Sequence[Any]) -> int:
    """Return the number of equal events at the beginning."""
    pairs = zip(logged, expected, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
