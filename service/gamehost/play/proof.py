"""A finished game decided again with its own luck: every draw must come out as its log says.

A log holds what happened, not what was asked for. But luck leaves no freedom: with the seed, some
legal action of the seat that was asked must lead to exactly what the log tells. Which of its legal
actions a seat chose is nobody's to prove.
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

UNFOLDABLE = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class ProofStep:
    """Records with one cause, and the table before and after them."""

    before: Table | None
    records: Sequence[EventRecord]
    after: Table


@dataclass(frozen=True, slots=True)
class ProvenCause:
    """The action that led to a step, None for the deal, and how many numbers its luck took."""

    seat: Seat | None
    action: Any
    numbers: int


class Mismatch(Exception):
    """The log tells `told` where the rules and the seed give `due`; None where one side tells nothing."""

    def __init__(self, version: int, why: str, told: Any = None, due: Any = None) -> None:
        super().__init__(f"version {version}: {why}")
        self.version, self.why, self.told, self.due = version, why, told, due


@dataclass(frozen=True, slots=True)
class Proof:
    """What was decided again, and came out the same."""

    decisions: int
    numbers: int
    table: Table


def prove(game_id: str, rules: AnyRules, records: Sequence[EventRecord], seed: bytes) -> Proof:
    """Raises the first Mismatch."""
    if commitment(game_id, seed) != records[0].event.commitment:
        raise Mismatch(records[0].version, "the revealed seed does not fit the commitment")
    decisions, numbers = 0, 0
    for step in steps(game_id, rules, records, seed):
        cause = cause_of(step, seed)
        _check_the_end(step)
        if cause is not None:
            decisions, numbers = decisions + (cause.action is not None), numbers + cause.numbers
    if step.after.status is not Status.FINISHED:
        raise Mismatch(step.after.version, "the game is not over")
    return Proof(decisions, numbers, step.after)


def steps(
    game_id: str, rules: AnyRules, records: Sequence[EventRecord], seed: bytes | None = None
) -> Iterator[ProofStep]:
    """The game step by step. With a seed, a step that does not fold is first decided again."""
    table = open_table(game_id, rules, records[0])
    yield ProofStep(None, records[:1], table)
    for batch in grouped_by_cause(records[1:]):
        before = table
        _check_the_order(before.version, batch)
        try:
            table = fold(before, batch, most_checkpoints=None)
        except UNFOLDABLE:
            if seed is not None:
                with suppress(*UNFOLDABLE):
                    cause_of(ProofStep(before, batch, before), seed)
            raise Mismatch(batch[0].version, "this cannot follow on what was before") from None
        yield ProofStep(before, batch, table)


def _check_the_order(version: int, records: Sequence[EventRecord]) -> None:
    for due, record in enumerate(records, version + 1):
        if record.version != due:
            raise Mismatch(due, f"the next event is {record.version}", record.event)


def cause_of(step: ProofStep, seed: bytes) -> ProvenCause | None:
    """What led to a step, None if it is not the title's; raises a Mismatch if nothing can have led to it."""
    told = [record for record in step.records if not isinstance(record.event, TABLE_EVENTS)]
    if step.before is None or not told:
        return None
    attempts = []
    for cause, due in _attempts(step, seed):
        if due == [record.event for record in told]:
            return cause
        attempts.append(due)
    raise _nearest(told, attempts)


def _attempts(step: ProofStep, seed: bytes) -> Iterator[tuple[ProvenCause, list[Any]]]:
    """Everything that could have happened, with what led to it."""
    assert step.before is not None
    opening = list(takewhile(lambda record: isinstance(record.event, TABLE_EVENTS), step.records))
    table, rules = fold(step.before, opening), step.before.rules
    key = luck_key(seed, table.client_seeds)
    if any(isinstance(record.event, GameStarted) for record in opening):
        chance = SeededChance(key, table.position)
        events = list(rules.setup(table.created.options, table.created.seat_count, chance))
        yield ProvenCause(None, None, chance.taken), events
        return
    for seat in _asked(table, step.records[-1].seat):
        for action in rules.legal_actions(table.state, seat):
            chance = SeededChance(key, table.position)
            try:
                events = list(rules.decide(table.state, seat, action, chance))
            except IllegalAction:
                continue
            yield ProvenCause(seat, action, chance.taken), events


def _asked(table: Table, caller: Seat | None) -> Sequence[Seat]:
    """The seat whose call it was, or every seat that was asked when no seat's call is known."""
    asked = [decision.seat for decision in table.decisions]
    return [caller] if caller in asked and caller is not None else asked


def _check_the_end(step: ProofStep) -> None:
    due = _due_outcome(step)
    for record in step.records:
        if isinstance(record.event, GameFinished):
            if record.event.outcome != due:
                ending = GameFinished(due) if due else None
                raise Mismatch(record.version, "the rules do not give this outcome", record.event, ending)
            return
    if due is not None:
        raise Mismatch(step.records[-1].version, "the game is over here", None, GameFinished(due))


def _due_outcome(step: ProofStep) -> Outcome | None:
    """By the rules, or because one of two, or the last person, gave up."""
    state, chairs = step.after.state, step.after.chairs
    outcome = None if state is None else step.after.rules.outcome(state)
    if outcome is not None:
        return ranked_with_resigned(outcome, chairs)
    resigned = [record.event for record in step.records if isinstance(record.event, SeatResigned)]
    return outcome_by_resignation(chairs, resigned) if resigned and _ends(step, resigned) else None


def _ends(step: ProofStep, resigned: Sequence[SeatResigned]) -> bool:
    """Whether these were the last to give up.

    Not where all seats did at once. Nor where a larger game was abandoned: so earlier releases ended it.
    """
    chairs = step.after.chairs
    if len(chairs) == 2:
        return len(resigned) == 1
    abandoned = any(isinstance(record.event, GameAbandoned) for record in step.records)
    return not (abandoned or any(chair.person for chair in chairs))


def _nearest(told: Sequence[EventRecord], attempts: Sequence[Sequence[Any]]) -> Mismatch:
    """Told from the attempt that agrees with the log for longest."""
    if not attempts:
        return Mismatch(told[0].version, "nobody could have done this", told[0].event)
    agreed = [_agreement([record.event for record in told], due) for due in attempts]
    same = max(agreed)
    due = attempts[agreed.index(same)]
    if same == len(told):
        return Mismatch(told[-1].version + 1, "more must have happened", None, due[same])
    if same == len(due):
        return Mismatch(told[same].version, "this cannot have happened", told[same].event)
    if same == 0 and len(attempts) > 1:
        return Mismatch(told[0].version, "no legal action leads to this", told[0].event)
    return Mismatch(told[same].version, "the seed gives something else", told[same].event, due[same])


def _agreement(told: Sequence[Any], due: Sequence[Any]) -> int:
    pairs = zip(told, due, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
