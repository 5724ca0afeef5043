"""Giving up: who plays on, who has won, and where those come who gave up."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from gamehost.rules.kit import Outcome, Seat

from .fairness import revelation
from .happenings import GameAbandoned, GameFinished, SeatResigned
from .table import Chair, Table

RESIGNED, TIMED_OUT, DESERTED = "RESIGNED", "TIMED_OUT", "DESERTED"


def giving_up(
    table: Table, seats: Collection[Seat], seed: bytes, *, level: str, timed_out: bool = False
) -> Sequence[Any]:
    """What happens when these seats give up at once; `level` is the bot that plays on, if the game does."""
    rest = [chair for seat, chair in enumerate(table.chairs) if seat not in seats]
    duel = len(table.chairs) == 2
    ends = duel or not any(chair.person for chair in rest)
    resigned = [SeatResigned(seat, "" if ends else level, timed_out) for seat in sorted(seats)]
    if not ends:
        return resigned
    closing = GameFinished(walkover(resigned[0])) if duel and rest else GameAbandoned(DESERTED)
    return [*resigned, closing, *revelation(table, seed)]


def walkover(resigned: SeatResigned) -> Outcome:
    """How a game of two ends when one gives up."""
    ranks = (2, 1) if resigned.seat == 0 else (1, 2)
    return Outcome(ranks, (), TIMED_OUT if resigned.timed_out else RESIGNED)


def placed(outcome: Outcome, chairs: Sequence[Chair]) -> Outcome:
    """The outcome by the rules, but those who gave up come last, the earlier the further behind."""
    if not any(chair.resigned for chair in chairs):
        return outcome
    merits = [
        (chair.resigned, -chair.resigned_at, rank) for chair, rank in zip(chairs, outcome.ranks, strict=True)
    ]
    ranks = tuple(1 + sum(other < merit for other in merits) for merit in merits)
    return Outcome(ranks, outcome.scores, outcome.reason)
