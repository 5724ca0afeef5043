"""The places on which people may be put, and how many (SA-10 to SA-13)."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .actions import PlacePeople
from .material import (
    CAPACITY,
    MOST_PEOPLE,
    PLACE_NAMES,
    RESOURCE_PLACES,
    VILLAGE,
    Place,
)
from .model import State
from .payments import Refusal

EVERYWHERE = tuple(Place)
PUT = tuple(tuple(PlacePeople(place, people) for people in range(MOST_PEOPLE + 1)) for place in Place)
"""Every placement, by place and number of people."""

LEAST = tuple(2 if place is Place.HUT else 1 for place in Place)
UNLIMITED = len(Place) * MOST_PEOPLE  # more than all people, and than all ways to place them
ROOM = tuple(UNLIMITED if capacity is None else capacity for capacity in CAPACITY)
FIRST_CARD, FIRST_TILE = Place.CARD_1, Place.TILE_1
VILLAGE_LIMIT = 2
PLAYERS_LIMIT = {2: 1, 3: 2}


def refusals(reason: str, rule: str, detail: str) -> dict[Place, Refusal]:
    """Returns the refusal for each place. Built in advance, because most places are refused at most times."""
    return {place: (reason, rule, detail.format(PLACE_NAMES[place])) for place in Place}


USED_ALREADY = refusals("PLACE_USED_ALREADY", "SA-10", "you have put people on {} this round")
FULL = refusals("PLACE_FULL", "SA-10", "{} is full")
MISSING = refusals("NO_SUCH_PLACE", "SA-2", "nothing lies on {}")
CROWDED = refusals("PLACE_CLOSED", "SA-12", "no more players are allowed on {}")
VILLAGE_CLOSED = ("PLACE_CLOSED", "SA-12", "two of tool maker, hut and field are occupied")


def refusal_of_placing(state: State, seat: Seat, place: Place, people: int) -> Refusal | None:
    return refusal_of_place(state, seat, place) or refusal_of_number(state, state.home(seat), place, people)


def refusal_of_place(state: State, seat: Seat, place: Place) -> Refusal | None:
    """Returns why nobody can be put on the place, for reasons that do not depend on the number of people."""
    there = state.people[place - 1]
    if there[seat]:
        return USED_ALREADY[place]
    if sum(there) >= ROOM[place - 1]:
        return FULL[place]
    if place >= FIRST_CARD:
        return refusal_of_missing(state, place)
    return refusal_by_player_count(state, place, there)


def refusal_of_missing(state: State, place: Place) -> Refusal | None:
    """SA-2: returns a refusal if the slot has no card or the stack no tile; there is one stack per player."""
    if place < FIRST_TILE:
        missing = state.market.display[place - FIRST_CARD] is None
    else:
        stack = place - FIRST_TILE
        missing = stack >= len(state.market.open_tiles) or state.market.open_tiles[stack] is None
    return MISSING[place] if missing else None


def refusal_by_player_count(state: State, place: Place, there: tuple[int, ...]) -> Refusal | None:
    """SA-12: returns a refusal if the limits for two and three players are reached."""
    seats = len(there)
    if seats == 4:
        return None
    if place in VILLAGE:
        taken = sum([any(state.people[other - 1]) for other in VILLAGE])
        return VILLAGE_CLOSED if taken >= VILLAGE_LIMIT else None
    if place in RESOURCE_PLACES and seats - there.count(0) >= PLAYERS_LIMIT[seats]:
        return CROWDED[place]
    return None


def bounds(state: State, place: Place) -> tuple[int, int]:
    """SA-10: returns the least number of people for the place, and how many it still has room for."""
    at = place - 1
    return LEAST[at], ROOM[at] - sum(state.people[at])


def refusal_of_number(state: State, home: int, place: Place, people: int) -> Refusal | None:
    """SA-10: returns why this number of people cannot be put on the place, or None."""
    least, room = bounds(state, place)
    if people < least:
        return "TOO_FEW_PEOPLE", "SA-10", f"{people} are too few for {PLACE_NAMES[place]}"
    if people > room:
        return "TOO_MANY_PEOPLE", "SA-10", f"{people} are too many for {PLACE_NAMES[place]}"
    if people > home:
        return "NOT_ENOUGH_PEOPLE", "SA-10", f"you have {home} people to place"
    return None


def placings(state: State, seat: Seat, enough: int = UNLIMITED) -> list[PlacePeople]:
    """Returns every placement that is not refused, or stops once `enough` are found."""
    found: list[PlacePeople] = []
    if home := state.home(seat):
        for place in EVERYWHERE:
            if refusal_of_place(state, seat, place) is None:
                least, room = bounds(state, place)
                found += PUT[place - 1][least : 1 + min(home, room)]
                if len(found) >= enough:
                    break
    return found


def can_place(state: State, seat: Seat) -> bool:
    """SA-11: whether the seat has people and a place for them."""
    return bool(placings(state, seat, enough=1))


def may_place_at(state: State, seat: Seat, place: Place, home: int) -> bool:
    """Whether the seat, which has `home` people left, can put some of them on the place."""
    return (
        refusal_of_place(state, seat, place) is None
        and refusal_of_number(state, home, place, LEAST[place - 1]) is None
    )
