"""The encoding of Tides of Time."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from gamehost.learning.encoding import (
    Array,
    Block,
    Encoding,
    Slice,
    Viewer,
    by_seat,
    flags,
    one_hot,
    squashed,
)

from .rules.actions import ChooseCard, ChooseRelic
from .rules.material import HAND, ROUNDS, Card
from .rules.model import Phase, View

ENCODING_VERSION: Final = 1
CARDS: Final = len(Card)
POINTS: Final = 30
"""The total that `squashed` maps to 0.5."""


def hand(part: Array, viewer: Viewer) -> None:
    for card in viewer.view.hand:
        part[card - 1] = 1


def chosen(part: Array, viewer: Viewer) -> None:
    view: View = viewer.view
    if view.chosen_card is not None:
        part[0, view.chosen_card - 1] = 1
    if view.chosen_relic is not None:
        part[1, view.chosen_relic.relic - 1] = 1
        part[2, view.chosen_relic.removed - 1] = 1


def kingdom(row: Array, view: View, seat: int) -> None:
    for card in view.seats[seat].relics:
        row[0, card - 1] = 1
    for card in view.seats[seat].played:
        row[1, card - 1] = 1


def unseen(part: Array, viewer: Viewer) -> None:
    for card in viewer.view.unseen:
        part[card - 1] = 1


def removed(part: Array, viewer: Viewer) -> None:
    for card in viewer.view.removed:
        part[card - 1] = 1


def suits(row: Array, view: View, seat: int) -> None:
    for count in view.seats[seat].standing.suits:
        row[count.suit - 1] = squashed(count.counted, 3)


def worth(row: Array, view: View, seat: int) -> None:
    """Fill the points that each card of the kingdom would score now."""
    for counted in view.seats[seat].standing.cards:
        row[counted.card - 1] = squashed(counted.points, 10)


def points(row: Array, view: View, seat: int) -> None:
    known = view.seats[seat]
    row[0] = squashed(known.standing.points, POINTS)
    row[1] = squashed(known.total, POINTS)
    row[2] = known.hand_size / HAND
    row[3] = known.has_chosen


def options(view: View) -> list[bool]:
    chosen = view.options
    return [
        chosen.nest_wins_zero_zero,
        chosen.molehill_counts_printed_cards,
        chosen.sets_use_doubled_amounts,
        chosen.maze_scores_once,
        chosen.port_needs_a_scoring_card,
    ]


SLICES: Final = (
    Slice("options", (5,), "1 where an option is on, in the order of the title's options", flags(options)),
    Slice("phase", (len(Phase),), "one-hot: phase", one_hot(len(Phase), lambda view: view.phase.value, 1)),
    Slice("round", (ROUNDS,), "one-hot: round 1 to 3", one_hot(ROUNDS, lambda view: view.round, 1)),
    Slice("pick", (HAND,), "one-hot: which card of the round is chosen", one_hot(HAND, lambda v: v.pick, 1)),
    Slice("hand", (CARDS,), "own hand, by card", hand),
    Slice("chosen", (3, CARDS), "own sealed choice: card; relic; card removed", chosen),
    Slice("kingdoms", (2, 2, CARDS), "by seat: relics, cards played this round", by_seat(kingdom)),
    Slice("unseen", (CARDS,), "cards neither face up nor before the viewer", unseen),
    Slice("removed", (CARDS,), "cards out of the game", removed),
    Slice("suits", (2, 5), "by seat: cards counted of each suit, squashed by 3", by_seat(suits)),
    Slice("worth", (2, CARDS), "by seat: points each card would score now, squashed by 10", by_seat(worth)),
    Slice(
        "seats",
        (2, 4),
        "by seat: points if scored now and total, squashed by 30; hand size / 5; has chosen",
        by_seat(points),
    ),
)
BLOCKS: Final = (
    Block("ChooseCard", "card", tuple(map(ChooseCard, Card))),
    Block(
        "ChooseRelic",
        "relic and removed card, two different ones; relic first",
        tuple(ChooseRelic(relic, removed) for relic, removed in permutations(Card, 2)),
    ),
)
ENCODING: Final = Encoding("tides", ENCODING_VERSION, lambda view: len(view.seats), SLICES, BLOCKS)
encode_view, index, action = ENCODING.encode_view, ENCODING.index, ENCODING.action
