"""Facts about Tides of Time for the laws."""

from __future__ import annotations

from collections import Counter

from gamehost.titles.tides.rules import events as tides_events
from gamehost.titles.tides.rules.actions import ChooseCard, ChooseRelic
from gamehost.titles.tides.rules.material import Card
from gamehost.titles.tides.rules.model import State as TidesState
from gamehost.titles.tides.rules.model import View as TidesView
from rules.title_facts import Facts, Pieces


def pieces_of(state: TidesState) -> Pieces:
    pieces: Pieces = Counter([*state.pile, *state.removed])
    for seat in state.seats:
        pieces.update([*seat.hand, *seat.kingdom])
        pieces.update([] if seat.chosen_card is None else [seat.chosen_card])
    return pieces


def placed(view: TidesView) -> Pieces:
    kingdoms = [card for seat in view.seats for card in (*seat.relics, *seat.played)]
    own = [] if view.chosen_card is None else [view.chosen_card]
    return Counter([*view.hand, *own, *view.removed, *kingdoms])


def named(event: tides_events.Event) -> Pieces:
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


FACTS = Facts(
    games=60,
    longest=2 * (3 * 4 + 2),
    pieces=pieces_of,
    placed=placed,
    named=named,
    sealed=(ChooseCard, ChooseRelic),
    all_final=True,  # TT-4
    greedy=True,
    hides_most=0.0,
)
