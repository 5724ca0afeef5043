"""The facts about Example Title that the laws in `tests/rules` need."""

from __future__ import annotations

from collections import Counter

from gamehost.titles.example_title.rules.actions import ChooseCard
from gamehost.titles.example_title.rules.events import CardChosen, CardsDrawn, CardsRevealed, Event
from gamehost.titles.example_title.rules.material import DECK, Card
from gamehost.titles.example_title.rules.model import State, View

from rules.title_facts import Facts, Pieces


def pieces_of(state: State) -> Pieces:
    """Returns every card of a state, wherever it is: the laws check that none is lost or added."""
    face_down = [seat.chosen for seat in state.seats if seat.chosen is not None]
    hands = [card for seat in state.seats for card in seat.hand]
    return Counter([*state.deck, *state.played, *face_down, *hands])


def placed(view: View) -> Pieces:
    """Returns every card whose place a view shows."""
    return Counter([*view.hand, *view.played, *([] if view.chosen is None else [view.chosen])])


def named(event: Event) -> Pieces:
    """Returns every card that an event names: a witness may name only cards whose place the view shows."""
    match event:
        case CardsDrawn(_, tuple(cards)) | CardsRevealed(cards):
            return Counter(cards)
        case CardChosen(_, Card() as card):
            return Counter([card])
        case _:
            return Counter()


FACTS = Facts(
    games=40,
    longest=len(DECK),
    pieces=pieces_of,
    placed=placed,
    named=named,
    sealed=(ChooseCard,),
    short=True,
)
