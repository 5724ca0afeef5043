"""Facts about the Euphrates & Tigris card game for the laws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gamehost.titles.tigris_cards.rules.actions import ExchangeTreasure, TakeIncome, TakePoint
from gamehost.titles.tigris_cards.rules.events import CardsDrawn, Event, GameEnded, LinkLaid
from gamehost.titles.tigris_cards.rules.material import Colour, Face
from gamehost.titles.tigris_cards.rules.model import Conflict, Phase, State, Table, View
from gamehost.titles.tigris_cards.rules.regions import WHOLE, cards_in, leaders_in
from rules.title_facts import Facts, Pieces

HELD = (TakePoint, ExchangeTreasure, TakeIncome)


def pieces(state: State) -> Pieces:
    """Counts all cards, treasures and ships of a state."""
    found = _on_table(state.table) + _committed(state.agenda)
    found.update(f"{ship.name}_SHIP" for ship in state.ships)
    for counts in (state.deck, state.discards, *state.hands, *(pile.counts for pile in state.piles)):
        found += _tally(counts)
    if state.face_down is not None:
        found[state.face_down.colour.name] += 1
    return found


def _on_table(table: Table) -> Pieces:
    found: Pieces = Counter(card.face.name for card in cards_in(table, WHOLE))
    leaders = leaders_in(table, WHOLE)
    assert len(set(leaders)) == len(leaders), "a leader is in two places"
    return found


def _committed(agenda: Iterable[Phase]) -> Pieces:
    found: Pieces = Counter()
    for phase in agenda:
        if isinstance(phase, Conflict):
            found[phase.suit.name] += phase.attacker_cards or 0
    return found


def _tally(counts: Iterable[int]) -> Pieces:
    return Counter({Face(face).name: count for face, count in enumerate(counts)})


def placed(view: View) -> Pieces:
    found = Counter(colour.name for colour in view.hand) + sum(map(_tally, view.points), Counter())
    if view.face_down is not None and isinstance(view.face_down.colour, Colour):
        found[view.face_down.colour.name] += 1
    return found


def named(event: Event) -> Pieces:
    """Counts the pieces that an event with hidden parts names."""
    match event:
        case CardsDrawn(_, tuple(cards)):
            return Counter(card.name for card in cards)
        case LinkLaid(_, _, Colour() as colour):
            return Counter([colour.name])
        case GameEnded(_, points):
            return sum(map(_tally, points), Counter())
        case _:
            return Counter()


FACTS = Facts(
    games=9,
    longest=6_000,
    pieces=pieces,
    placed=placed,
    named=named,
    held=HELD,
    greedy=True,
    hides_most=0.1,
)
