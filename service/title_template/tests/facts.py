"""What the laws must be told about Example Title."""

from __future__ import annotations

from collections import Counter

from gamehost.titles.example_title.rules.actions import ChooseCard
from gamehost.titles.example_title.rules.events import CardChosen, CardsDrawn, CardsRevealed, Event
from gamehost.titles.example_title.rules.material import DECK, Card
from gamehost.titles.example_title.rules.model import State, View

from rules.title_facts import Facts, Pieces


def pieces_of(state: State) -> Pieces:
    """Every card of a state, wherever it is: none is lost or made."""
    face_down = [seat.chosen for seat in state.seats if seat.chosen is not None]
    hands = [card for seat in state.seats for card in seat.hand]
    return Counter([*state.deck, *state.played, *face_down, *hands])


def placed(view: View) -> Pieces:
    """Every card of which a view says where it is."""
    return Counter([*view.hand, *view.played, *([] if view.chosen is None else [view.chosen])])


def named(event: Event) -> Pieces:
    """Every card that an event names: a witness may name only cards that the view places."""
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
