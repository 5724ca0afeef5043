"""What the laws must be told about each title, because no law can guess it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from gamehost.rules.tides import actions as tides_actions
from gamehost.rules.tides import events as tides_events
from gamehost.rules.tides.material import Card
from gamehost.rules.tides.model import State as TidesState
from gamehost.rules.tides.model import View as TidesView

from . import tigris_cards_facts

Pieces = Counter[Hashable]


@dataclass(frozen=True)
class Facts:
    """`games` bounds how many games the laws play of the title, `longest` the decisions of one."""

    games: int
    longest: int
    pieces: Callable[[Any], Pieces]  # every piece of a state, wherever it lies
    placed: Callable[[Any], Pieces]  # every piece a view shows the whereabouts of
    named: Callable[[Any], Pieces]  # every piece an event names
    held: tuple[type, ...] = ()  # actions asked for that only a hidden hand may rule out
    sealed: tuple[type, ...] = ()  # actions laid face down until every seat asked has answered
    answers: Mapping[type, st.SearchStrategy[Any]] = field(default_factory=dict)  # where types are too wide


def tides_pieces(state: TidesState) -> Pieces:
    pieces: Pieces = Counter([*state.pile, *state.removed])
    for seat in state.seats:
        pieces.update([*seat.hand, *seat.kingdom])
        pieces.update([] if seat.chosen_card is None else [seat.chosen_card])
    return pieces


def tides_placed(view: TidesView) -> Pieces:
    kingdoms = [card for seat in view.seats for card in (*seat.relics, *seat.played)]
    own = [] if view.chosen_card is None else [view.chosen_card]
    return Counter([*view.hand, *own, *view.removed, *kingdoms])


def tides_named(event: tides_events.Event) -> Pieces:
    match event:
        case tides_events.CardsDrawn(_, tuple(cards)) | tides_events.HandReceived(_, tuple(cards)):
            return Counter(cards)
        case tides_events.CardsRevealed(cards):
            return Counter(cards)
        case tides_events.CardChosen(_, Card() as card):
            return Counter([card])
        case tides_events.RelicsRevealed(relics, removed):
            return Counter(relics + removed)
        case tides_events.RoundScored(_, scores):
            return Counter(points.card for score in scores for points in score.cards)
        case _:
            return Counter()


FACTS: dict[str, Facts] = {
    "tides": Facts(
        games=60,
        longest=2 * (3 * 4 + 2),
        pieces=tides_pieces,
        placed=tides_placed,
        named=tides_named,
        sealed=(tides_actions.ChooseCard, tides_actions.ChooseRelic),
    ),
    "tigris_cards": Facts(
        games=9,
        longest=6_000,
        pieces=tigris_cards_facts.pieces,
        placed=tigris_cards_facts.placed,
        named=tigris_cards_facts.named,
        held=tigris_cards_facts.HELD,
    ),
}
