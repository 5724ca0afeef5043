"""The games of Stone Age that `golden.record` records."""

from __future__ import annotations

from dataclasses import replace

from gamehost.titles.stone_age.rules.material import TieBreak
from golden.games import Golden, decided
from golden.wanted import Wanted, ends_by


def tie_break_matters(golden: Golden) -> bool:
    """Whether the same moves have other ranks when ties are broken in sequence."""
    answers = [(move.seat, move.action) for move in golden.moves[1:]]
    sequence = replace(golden.options, tie_break=TieBreak.SEQUENCE)
    return decided(replace(golden, options=sequence), answers).outcome.ranks != golden.outcome.ranks


GAMES = (
    Wanted(
        "deck_exhausted",
        "the deck cannot fill the free slots",
        2,
        {},
        ends_by("DECK_EXHAUSTED", most_events=1200),
    ),
    Wanted("stack_emptied", "a stack of tiles runs empty", 2, {}, ends_by("STACK_EMPTIED", most_events=1200)),
    Wanted(
        "rounds_played",
        "the last of three rounds, and a tie broken by the sum",
        4,
        {"max_rounds": 3, "tie_break": TieBreak.SUM},
        tie_break_matters,
    ),
)
