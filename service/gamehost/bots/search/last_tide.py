"""The third round of Tides of Time: nothing is hidden but what both choose at once, so it can be solved.

The pile is empty: what a seat has not seen is the other's hand. From the last choice back to the first,
each is a matrix game whose entries are the values of the games that follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gamehost.rules.kit import Chance
from gamehost.rules.tides.actions import ChooseCard
from gamehost.rules.tides.material import ROUNDS, Card
from gamehost.rules.tides.model import Phase, View
from gamehost.rules.tides.scoring import score

from .matrix import solve

Mask = int
"""A set of cards."""

MARGIN: Final = 0.001  # of a win: among sure things the more points the better
GRAIN: Final = 1 << 20


def is_last_tide(view: View) -> bool:
    return view.phase is Phase.DRAFTING and view.round == ROUNDS


class LastTide:
    """The rest of the third round through the eyes of one seat."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        own, other = view.seats[view.seat], view.seats[1 - view.seat]
        self._options, self._lead = view.options, own.total - other.total
        self._relics = (own.relics, other.relics)
        self._played = (mask_of(own.played), mask_of(other.played))
        self._hands = (mask_of(view.hand), mask_of(view.unseen))
        self._values: dict[tuple[Mask, Mask, Mask, Mask], float] = {}
        self._ends: dict[Mask, float] = {}

    def solve(self) -> tuple[float, dict[Card, float]]:
        """What the round is worth (1 a win, 0.5 a draw), and how likely to play each card."""
        value, mix = solve(self._payoffs(*self._played, *self._hands))
        return value, dict(zip(map(Card, cards_in(self._hands[0])), mix, strict=True))

    def _payoffs(self, mine: Mask, theirs: Mask, hand: Mask, other: Mask) -> list[list[float]]:
        return [
            [
                self._value(
                    mine | 1 << card, theirs | 1 << answer, other & ~(1 << answer), hand & ~(1 << card)
                )
                for answer in cards_in(other)
            ]
            for card in cards_in(hand)
        ]

    def _value(self, mine: Mask, theirs: Mask, hand: Mask, other: Mask) -> float:
        """After a choice, the hands exchanged."""
        if hand & (hand - 1) == 0:
            return self._end(mine | hand, theirs | other)
        key = (mine, theirs, hand, other)
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = solve(self._payoffs(*key))[0]
        return found

    def _end(self, mine: Mask, theirs: Mask) -> float:
        found = self._ends.get(mine)
        if found is None:
            kingdoms = [
                (*relics, *map(Card, cards_in(played)))
                for relics, played in zip(self._relics, (mine, theirs), strict=True)
            ]
            own, other = score(tuple(kingdoms), self._options)
            lead = self._lead + own.points - other.points
            found = self._ends[mine] = 0.5 * ((lead > 0) - (lead < 0) + 1) + MARGIN * lead
        return found


def choose(view: View, actions: Sequence[ChooseCard], chance: Chance) -> ChooseCard:
    """A card drawn from the best mix."""
    _, mix = LastTide(view).solve()
    mark = chance.roll(1, GRAIN)[0] / GRAIN
    for action in actions:
        mark -= mix[action.card]
        if mark <= 0:
            return action
    return max(actions, key=lambda action: mix[action.card])


def mask_of(cards: Sequence[Card] | frozenset[Card]) -> Mask:
    return sum(1 << card for card in cards)


def cards_in(mask: Mask) -> list[int]:
    return [card for card in range(1, len(Card) + 1) if mask >> card & 1]
