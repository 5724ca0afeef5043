"""Validators: each yields the violations of one promise in one game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gamehost.play.table.events import Clock, SeatResigned, SeatTakenOver

from .expected_views import Expected, Log
from .history import GameHistory, Look, Sighting


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken promise; the report counts violations by `kind`."""

    validator: str
    kind: str
    game_id: str
    text: str


@dataclass(frozen=True)
class Case:
    """A game as clients saw it, and its log in the store."""

    seen: GameHistory
    log: Log

    @cached_property
    def expected(self) -> Expected:
        return Expected(self.log)


Findings = Iterator[tuple[str, str]]


def exactly_once(case: Case) -> Findings:
    """Every acknowledged request is written once, and no move is written without a request."""
    for move in case.seen.moves:
        written = case.log.written_for(move.request_id)
        if len(written) > 1:
            yield "duplicated", f"request {move.request_id} was written at {written}"
        for ack in move.acks:
            if (ack.first, ack.last) != (move.acks[0].first, move.acks[0].last):
                yield "duplicated", f"request {move.request_id} was said to be at {move.acks}"
            elif written and (ack.first, ack.last) != written[0]:
                yield "misplaced", f"request {move.request_id} is at {written[0]}, not at {ack.first}"
            elif ack.view != move.acks[0].view:
                yield "answered otherwise", f"request {move.request_id} at {ack.first}"
    yield from _unrequested_moves(case)


def _unrequested_moves(case: Case) -> Findings:
    claims: dict[tuple[int, int], int] = defaultdict(int)
    for move in case.seen.moves:
        for versions in case.log.written_for(move.request_id):
            claims[versions] += 1
    for versions in case.log.moves_of_people():
        if not claims[versions]:
            yield "duplicated", f"a move at {versions} that no request asked for"
    for versions, count in claims.items():
        if count > 1:
            yield "misplaced", f"{count} requests claim {versions}"


def linearizable(case: Case) -> Findings:
    """A call that began after a client saw a version shows at least that version; a move comes after it.

    Watchers count as clients that have seen a version. A stream begins with past events, so it is checked at
    the version at which it said that it had caught up.
    """
    ends = sorted(_known(case.seen))
    begins = sorted(_begun(case.seen))
    known, at = 0, 0
    for began, version, what in begins:
        while at < len(ends) and ends[at][0] < began:
            known, at = max(known, ends[at][1]), at + 1
        if what == "look" and version < known:
            yield "stale read", f"a look showed version {version} when {known} was known"
        if what == "stream" and version < known:
            yield "stale read", f"a stream had told all at version {version} when {known} was known before it"
        if what == "move" and version <= known:
            yield "stale write", f"a move was put at version {version} when {known} was known"


def _known(seen: GameHistory) -> Iterator[tuple[float, int]]:
    for move in seen.moves:
        yield from ((ack.ended, ack.last) for ack in move.acks)
    yield from ((look.ended, look.version) for look in seen.looks)  # those of watchers, too


def _begun(seen: GameHistory) -> Iterator[tuple[float, int, str]]:
    yield from ((move.began, move.acks[0].first, "move") for move in seen.moves if move.acks)
    yield from ((look.began, look.version, "look") for look in seen.looks)
    yield from ((began, version, "stream") for trail in seen.trails for began, version in trail.caught_up)


def nothing_lost(case: Case) -> Findings:
    """Every acknowledged move is in the log at the versions of its acknowledgement, made by its seat."""
    batches = {batch[0].version: batch for batch, _ in case.log.steps}
    for move in case.seen.moves:
        if (ack := move.done) is None:
            continue
        batch = batches.get(ack.first)
        if batch is None or batch[-1].version != ack.last:
            yield "lost", f"no move at {ack.first} to {ack.last}: the log ends at {case.log.version}"
        elif batch[0].seat != move.seat:
            yield "lost", f"at {ack.first} stands a move of seat {batch[0].seat}, not of {move.seat}"
        elif not case.log.written_for(move.request_id):
            yield "lost", f"the store does not know request {move.request_id}"


def no_fork(case: Case) -> Findings:
    """No client saw an event at a version that differs from the event in the log."""
    shown: dict[tuple[int | None, int], int] = {}
    for sighting in case.seen.sightings:
        if _explained(case, sighting):
            continue
        place = sighting.viewer, sighting.version
        before = shown.setdefault(place, sighting.event)
        how = "differs from the log" if before == sighting.event else "was told in two ways"
        yield "forked", f"event {sighting.version} as seen by {name(sighting.viewer)} {how}"


def _explained(case: Case, sighting: Sighting) -> bool:
    """Whether it is the event of the log as any viewer sees it; `secrecy` checks who may see what."""
    expected = case.expected
    seen, version = sighting.event, sighting.version
    viewers = (sighting.viewer, *expected.viewers)
    return any(seen == expected.event(viewer, version) for viewer in viewers) or seen == expected.event(
        None, version, everything=True
    )


def watchers_saw_all(case: Case) -> Findings:
    """Every watcher received versions n, n + 1 and so on, up to the last acknowledged move."""
    last = max((move.done.last for move in case.seen.moves if move.done), default=0)
    for trail in case.seen.trails:
        due = trail.after + 1
        for version in trail.versions:
            if version > due:
                yield "gap", f"a {trail.watcher} was told of {version} after {due - 1}"
            if version < due:
                yield "repeated", f"a {trail.watcher} was told of {version} after {due - 1}"
            due = max(due, version + 1)
        if due <= last:
            yield "gap", f"a {trail.watcher} saw {due - 1} of {last} versions {trail.trouble}"


def secrecy(case: Case) -> Findings:
    """Every view and event equals, byte for byte, what the rules show to that viewer at that version."""
    ending = _last_move_began(case)
    for look in case.seen.looks:
        if look.view != case.expected.view(look.viewer, look.version):
            yield "wrong answer", f"{name(look.viewer)} at version {look.version}: {_whose(case, look)}"
    for move in case.seen.moves:
        for ack in move.acks:
            if ack.view != case.expected.view(move.seat, ack.last):
                yield "wrong answer", f"{name(move.seat)} at version {ack.last}, to its own move"
    for sighting in case.seen.sightings:
        if not _may_see(case, sighting, ending) and _explained(case, sighting):
            yield "leak", f"{name(sighting.viewer)} was told another's sight of event {sighting.version}"


def _may_see(case: Case, sighting: Sighting, ending: float) -> bool:
    viewer, version = sighting.viewer, sighting.version
    if sighting.event == case.expected.event(viewer, version):
        return True
    over = sighting.seen >= ending
    return over and sighting.event == case.expected.event(viewer, version, everything=True)


def _last_move_began(case: Case) -> float:
    """Returns when the last move was sent: before it, nothing hidden may be revealed."""
    if not case.log.steps or case.log.steps[-1][1].outcome is None:
        return float("inf")
    return max((move.began for move in case.seen.moves), default=float("-inf"))


def _whose(case: Case, look: Look) -> str:
    for viewer in case.expected.viewers:
        if look.view == case.expected.view(viewer, look.version):
            return f"what {name(viewer)} sees"
    return "what nobody sees"


def no_early_timeout(case: Case) -> Findings:
    """No seat times out while the game is younger than the time of its clock, measured by the clients."""
    for batch, table in case.log.steps:
        for record in batch:
            if not _timed_out(record.event) or (clock := table.created.clock) is None:
                continue
            age, time = _age(case, record.version), minimum_time(clock)
            if age < time:
                yield (
                    "hurried",
                    f"seat {record.event.seat} had {time:.0f} s, and lost its game after {age:.0f} s",
                )


def _timed_out(event: Any) -> bool:
    return isinstance(event, SeatTakenOver) or (isinstance(event, SeatResigned) and event.timed_out)


def _age(case: Case, version: int) -> float:
    """Returns the highest possible age of the game when that version was written."""
    seen = (sighting.seen for sighting in case.seen.sightings if sighting.version == version)
    return min(seen, default=case.log.read) - case.seen.opened


def minimum_time(clock: Clock) -> float:
    """Returns the seconds that a clock gives at least: a younger game can have no time-out."""
    days = (clock.days or 0) * 86_400
    return days or (clock.bank.initial if clock.bank else clock.per_decision or 0) / 1e6


def name(viewer: int | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


VALIDATORS: dict[str, Callable[[Case], Findings]] = {
    "exactly once": exactly_once,
    "linearizable": linearizable,
    "nothing lost": nothing_lost,
    "no fork": no_fork,
    "watchers": watchers_saw_all,
    "secrecy": secrecy,
    "clocks": no_early_timeout,
}
UNFOLDABLE = (ValueError, LookupError, TypeError, AttributeError)


def folds(log: Log) -> bool:
    try:
        return bool(log.steps)
    except UNFOLDABLE:
        return False


def validate(seen: GameHistory, log: Log) -> list[Violation]:
    checks = VALIDATORS if folds(log) else UNFOLDED
    case = Case(seen, log)
    return [
        Violation(validator, kind, seen.game_id, text)
        for validator, check in checks.items()
        for kind, text in check(case)
    ]


def _all_lost(case: Case) -> Findings:
    """Counts every acknowledged move of a log that does not fold as lost."""
    for move in case.seen.moves:
        if move.done:
            yield "lost", f"the move at {move.done.first} stands in a log that does not fold"


def _written_twice(case: Case) -> Findings:
    """Finds equal payloads: each payload contains its time and version, so none may occur twice."""
    written: dict[bytes, int] = {}
    for version, payload in case.log.events:
        if (before := written.setdefault(payload, version)) != version:
            yield "duplicated", f"version {version} says the same as {before}"


UNFOLDED: dict[str, Callable[[Case], Findings]] = {
    "exactly once": _written_twice,
    "nothing lost": _all_lost,
    "watchers": watchers_saw_all,
}
