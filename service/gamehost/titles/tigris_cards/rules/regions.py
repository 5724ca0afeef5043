"""Columns, links and the regions they form (EC-1, EC-2, EC-3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from gamehost.rules.kit import Seat, put

from .material import (
    COLOUR_OF,
    COLOURS,
    COLUMN,
    FIRST_SHIP,
    GAPS,
    HEADS,
    LINKABLE,
    SHIP_FACE,
    Colour,
    Face,
    Ship,
)
from .model import Card, Leader, Place, Table

PLACES = tuple(tuple(Place(column, row) for row in range(COLUMN + 1)) for column in range(HEADS))
GAP_PLACES = tuple(Place(gap) for gap in range(GAPS))


@dataclass(frozen=True, slots=True)
class Region:
    """EC-3: the columns from `first` to `last`, which links join."""

    first: int
    last: int


WHOLE = Region(0, HEADS - 1)
"""All columns, whether they are joined or not."""


def region_of(table: Table, column: int) -> Region:
    """EC-3: returns the region of a column, or of the gap to its right."""
    first = last = column
    while first > 0 and table.links[first - 1] is not None:
        first -= 1
    while last < GAPS and table.links[last] is not None:
        last += 1
    return Region(first, last)


def regions(table: Table) -> Iterator[Region]:
    column = 0
    while column < HEADS:
        region = region_of(table, column)
        yield region
        column = region.last + 1


def cards_in(table: Table, region: Region) -> list[Card]:
    cards: list[Card] = []
    for column in table.columns[region.first : region.last + 1]:
        cards += column
    cards += [link for link in table.links[region.first : region.last] if link is not None]
    return cards


def placed_in(table: Table, region: Region) -> list[tuple[Place, Card]]:
    placed: list[tuple[Place, Card]] = []
    for column in range(region.first, region.last + 1):
        placed += zip(PLACES[column], table.columns[column], strict=False)
    for gap in range(region.first, region.last):
        if (link := table.links[gap]) is not None:
            placed.append((GAP_PLACES[gap], link))
    return placed


def leaders_in(table: Table, region: Region) -> tuple[Leader, ...]:
    return tuple([card.leader for card in cards_in(table, region) if card.leader is not None])


def owner_in(table: Table, region: Region, colour: Colour) -> Seat | None:
    """Returns the seat whose leader of that colour is in the region, or None."""
    for card in cards_in(table, region):
        if card.leader is not None and card.leader.colour is colour:
            return card.leader.seat
    return None


def find(table: Table, leader: Leader) -> Place | None:
    for places, cards in zip((*PLACES, GAP_PLACES), (*table.columns, table.links), strict=True):
        for place, card in zip(places, cards, strict=False):
            if card is not None and card.leader is not None and card.leader == leader:
                return place
    return None


def standing(table: Table, seat: Seat) -> dict[Colour, Place]:
    """Returns the places of the leaders of a seat, by colour."""
    return {
        card.leader.colour: place
        for place, card in placed_in(table, WHOLE)
        if card.leader is not None and card.leader.seat == seat
    }


def strength(table: Table, region: Region, colour: Colour) -> int:
    """EC-40: returns the number of cards of the colour in the region. Heads are red; ships do not count."""
    return sum(COLOUR_OF[card.face] is colour for card in cards_in(table, region))


def strengths(table: Table, region: Region) -> tuple[int, ...]:
    """EC-40: returns the strength of each colour. The cards are listed once instead of once a colour."""
    colours = [COLOUR_OF[card.face] for card in cards_in(table, region)]
    return tuple([colours.count(colour) for colour in COLOURS])


def treasures_in(table: Table, region: Region) -> tuple[int, ...]:
    """Returns the columns of the region whose head is still a treasure."""
    columns = range(region.first, region.last + 1)
    return tuple(column for column in columns if table.columns[column][0].face is Face.TREASURE)


def ships_in(table: Table, region: Region) -> tuple[Ship, ...]:
    return tuple(Ship(card.face - FIRST_SHIP) for card in cards_in(table, region) if card.face >= FIRST_SHIP)


def has_room(table: Table, column: int) -> bool:
    """EC-2: whether fewer than eight cards are below the head; a ship counts as one."""
    return len(table.columns[column]) <= COLUMN


def takes_link(table: Table, gap: int) -> bool:
    """EC-21: whether the gap is free and both columns have three cards below their head, ships included."""
    return (
        table.links[gap] is None
        and len(table.columns[gap]) > LINKABLE
        and len(table.columns[gap + 1]) > LINKABLE
    )


def card_at(table: Table, place: Place) -> Card | None:
    """Returns the card at a place, or None if there is no card or no such place."""
    column, row = place.column, place.row
    if row is None:
        return table.links[column] if 0 <= column < GAPS else None
    if not 0 <= column < HEADS:
        return None
    cards = table.columns[column]
    return cards[row] if 0 <= row < len(cards) else None


def with_card(table: Table, place: Place, card: Card) -> Table:
    """Returns the table with the card at a place replaced."""
    if place.row is None:
        return Table(table.columns, put(table.links, place.column, card))
    column = put(table.columns[place.column], place.row, card)
    return Table(put(table.columns, place.column, column), table.links)


def with_leader(table: Table, place: Place, leader: Leader | None) -> Table:
    card = card_at(table, place)
    assert card is not None, f"nothing lies at {place}"
    return with_card(table, place, Card(card.face, leader))


def with_bottom(table: Table, column: int, face: Face) -> Table:
    return Table(put(table.columns, column, (*table.columns[column], Card(face))), table.links)


def with_ship(table: Table, column: int, row: int, run: int, ship: Ship) -> Table:
    """EC-23: returns the table with the run replaced by a ship; cards below it move up."""
    cards = table.columns[column]
    afloat = (*cards[:row], Card(SHIP_FACE[ship]), *cards[row + run :])
    return Table(put(table.columns, column, afloat), table.links)


def without(table: Table, places: Collection[Place]) -> Table:
    """Returns the table without these cards. Cards below them move up, with their leaders."""
    if not places:
        return table
    gone = {(place.column, place.row) for place in places}
    columns = tuple(
        tuple(card for row, card in enumerate(cards) if (column, row) not in gone)
        for column, cards in enumerate(table.columns)
    )
    links = tuple(None if (gap, None) in gone else link for gap, link in enumerate(table.links))
    return Table(columns, links)
