"""Resignation: whether the game goes on, and how players who resigned are ranked."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from gamehost.play.fairness import seed_revealed
from gamehost.rules.kit import Outcome, Seat, ranks

from .events import GameAbandoned, GameFinished, SeatResigned
from .table import Chair, Table

RESIGNED, TIMED_OUT, DESERTED = "RESIGNED", "TIMED_OUT", "DESERTED"


def resignation_events(
    table: Table, seats: Collection[Seat], seed: bytes, *, level: str, timed_out: bool = False
) -> Sequence[Any]:
    """Return the events for seats that resign at once; `level` is the bot that plays on, if the game does.

    A game ends when one of two players resigns, or when no person is left.
    """
    others = [chair for seat, chair in enumerate(table.chairs) if seat not in seats]
    ends = len(table.chairs) == 2 or not any(chair.person for chair in others)
    resigned = [SeatResigned(seat, "" if ends else level, timed_out) for seat in sorted(seats)]
    if not ends:
        return resigned
    closing = (
        GameFinished(outcome_by_resignation(table.chairs, resigned)) if others else GameAbandoned(DESERTED)
    )
    return [*resigned, closing, *seed_revealed(table, seed)]


def outcome_by_resignation(chairs: Sequence[Chair], resigned: Sequence[SeatResigned]) -> Outcome:
    """Return the outcome of a game that ends because these seats resigned at once.

    Seats that have not resigned, which are bots in a larger game, come first. The others follow, those who
    resigned later before those who resigned earlier, and seats that resigned at once share a rank.
    """
    now = {event.seat for event in resigned}
    sort_keys = [
        (seat not in now and not chair.resigned, math.inf if seat in now else chair.resigned_at)
        for seat, chair in enumerate(chairs)
    ]
    return Outcome(ranks(sort_keys), (), TIMED_OUT if resigned[0].timed_out else RESIGNED)


def ranked_with_resigned(outcome: Outcome, chairs: Sequence[Chair]) -> Outcome:
    """Return an outcome by the rules with resigned seats ranked last, the first to resign at the very end."""
    if not any(chair.resigned for chair in chairs):
        return outcome
    sort_keys = [
        (chair.resigned, -chair.resigned_at, rank) for chair, rank in zip(chairs, outcome.ranks, strict=True)
    ]
    new_ranks = tuple(1 + sum(other < key for other in sort_keys) for key in sort_keys)
    return Outcome(new_ranks, outcome.scores, outcome.reason)
