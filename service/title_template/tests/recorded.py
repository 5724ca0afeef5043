"""The games of Example Title that `golden.record` records."""

from __future__ import annotations

from gamehost.titles.example_title.rules import EXAMPLE_TITLE

from golden.wanted import Wanted, differs_by_default, flipped

GAMES = (
    Wanted("won", "a game with one winner", 3, {}, lambda it: it.outcome.ranks.count(1) == 1),
    Wanted("shared_win", "equal points share the win", 2, {}, lambda it: it.outcome.ranks == (1, 1)),
    Wanted("lowest_wins", "the option changes scores", 2, flipped(EXAMPLE_TITLE), differs_by_default),
)
