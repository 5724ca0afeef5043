"""The games of Tides of Time that `golden.record` records."""

from __future__ import annotations

from gamehost.titles.tides.rules import TIDES
from golden.wanted import Wanted, differs_by_default, flipped

GAMES = (
    Wanted("own_options", "a game won after three rounds", 2, {}, lambda it: 2 in it.outcome.ranks),
    Wanted("shared_win", "equal totals share the win", 2, {}, lambda it: it.outcome.ranks == (1, 1)),
    Wanted(
        "every_option_flipped",
        "all five options the other way, and it matters",
        2,
        flipped(TIDES),
        differs_by_default,
    ),
)
