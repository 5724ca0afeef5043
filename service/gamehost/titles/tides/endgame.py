"""An exact solver for the third round of Tides of Time.

In that round the pile is empty, so the cards that a seat has not seen are the opponent's hand, and only the
simultaneous choices are hidden. Each choice is a matrix game whose entries are the values of the games that
follow; they are solved from the last choice back to the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gamehost.bots.search.matrix import solve
from gamehost.rules.kit import Chance

from .rules.actions import ChooseCard
from .rules.material import ROUNDS, Card
from .rules.model import Phase, View
from .rules.scoring import score

Mask = int
"""A set of cards, with one bit per card."""

MARGIN: Final = 0.001  # value of a point of lead, as a part of a win: breaks ties between certain wins
GRAIN: Final = 1 << 20  # resolution of the random number that picks from the mixed strategy


def is_endgame(view: View) -> bool:
    """Whether the view shows the draft of the third round."""
    return view.phase is Phase.DRAFTING and view.round == ROUNDS


class TidesEndgame:
    """The rest of the third round from one seat's view."""

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
        """Return the value of the round (1 is a win, 0.5 a draw) and the probability to play each card."""
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
        """Return the value after a choice, once the hands are exchanged."""
        if hand & (hand - 1) == 0:  # one card left: nothing to choose
            return self._end(mine | hand, theirs | other)
        key = (mine, theirs, hand, other)
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = solve(self._payoffs(*key))[0]
        return found

    def _end(self, mine: Mask, theirs: Mask) -> float:
        """Return the value of the finished round."""
        # All cards are played at the end, so the own ones determine the opponent's: `mine` is a full key.
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
    """Draw an action from the optimal mixed strategy."""
    _, mix = TidesEndgame(view).solve()
    threshold = chance.roll(1, GRAIN)[0] / GRAIN
    for action in actions:
        threshold -= mix[action.card]
        if threshold <= 0:
            return action
    # Rounding may leave the sum of the probabilities slightly below 1.
    return max(actions, key=lambda action: mix[action.card])


def mask_of(cards: Sequence[Card] | frozenset[Card]) -> Mask:
    return sum(1 << card for card in cards)


def cards_in(mask: Mask) -> list[int]:
    return [card for card in range(1, len(Card) + 1) if mask >> card & 1]
