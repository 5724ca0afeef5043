"""The facts about a title that the laws need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Pieces = Counter[Hashable]


@dataclass(frozen=True)
class Facts:
    """`games` bounds how many games the laws play of the title, `longest` the decisions of one."""

    games: int
    longest: int
    pieces: Callable[[Any], Pieces]  # every piece of a state
    placed: Callable[[Any], Pieces]  # every piece whose place a view shows
    named: Callable[[Any], Pieces]  # every piece an event names
    held: tuple[type, ...] = ()  # actions that are illegal only because of a hidden hand
    sealed: tuple[type, ...] = ()  # actions laid face down until every seat asked has answered
    answers: Mapping[type, st.SearchStrategy[Any]] = field(default_factory=dict)  # where types are too wide
    all_final: bool = False  # whether no action can be taken back alone
    greedy: bool = False  # whether the title has a greedy bot
    # Whether a game may have fewer than 40 decisions (there are always 10), or no seat acts twice in a row.
    short: bool = False
    hides_most: float = 0.2  # how far into its first game, 0 to 1, a seat that is not asked hides most

    def moves(self, wanted: int) -> int:
        """So many, or in a short game as many as leave something to decide in any case."""
        return min(wanted, 6) if self.short else wanted
