"""Giving up: who plays on, who has won, and where those come who gave up."""

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
    """What happens when these seats give up at once; `level` is the bot that plays on, if the game does."""
    rest = [chair for seat, chair in enumerate(table.chairs) if seat not in seats]
    ends = len(table.chairs) == 2 or not any(chair.person for chair in rest)
    resigned = [SeatResigned(seat, "" if ends else level, timed_out) for seat in sorted(seats)]
    if not ends:
        return resigned
    closing = GameFinished(given_up(table.chairs, resigned)) if rest else GameAbandoned(DESERTED)
    return [*resigned, closing, *seed_revealed(table, seed)]


def given_up(chairs: Sequence[Chair], resigned: Sequence[SeatResigned]) -> Outcome:
    """How a game ends when these are the last people to give up, all at once.

    Whoever has not given up, a bot in a larger game, is first. The others follow as in `placed`, and those
    who gave up at the same moment share a place.
    """
    now = {event.seat for event in resigned}
    merits = [
        (seat not in now and not chair.resigned, math.inf if seat in now else chair.resigned_at)
        for seat, chair in enumerate(chairs)
    ]
    return Outcome(ranks(merits), (), TIMED_OUT if resigned[0].timed_out else RESIGNED)


def ranked_with_resigned(outcome: Outcome, chairs: Sequence[Chair]) -> Outcome:
    """The outcome by the rules, but those who gave up come last, the earlier the further behind."""
    if not any(chair.resigned for chair in chairs):
        return outcome
    merits = [
        (chair.resigned, -chair.resigned_at, rank) for chair, rank in zip(chairs, outcome.ranks, strict=True)
    ]
    places = tuple(1 + sum(other < merit for other in merits) for merit in merits)
    return Outcome(places, outcome.scores, outcome.reason)
