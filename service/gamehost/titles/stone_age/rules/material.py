"""The components of the game: places, cards, tiles and what is printed on them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from .goods import Bill, Good, Resources, some


class Place(IntEnum):
    """The places on which people can be put."""

    HUNTING = 1
    FOREST = 2
    CLAY_PIT = 3
    QUARRY = 4
    RIVER = 5
    TOOL_MAKER = 6
    HUT = 7
    FIELD = 8
    CARD_1 = 9
    """The rightmost card, which costs one resource. Each card further left costs one more."""
    CARD_2 = 10
    CARD_3 = 11
    CARD_4 = 12
    TILE_1 = 13
    """The tile of the first stack."""
    TILE_2 = 14
    TILE_3 = 15
    TILE_4 = 16


class Phase(IntEnum):
    """The three phases of a round."""

    PLACING = 1
    """Seats put people on places."""
    ACTIONS = 2
    """Seats use the places of their people."""
    FEEDING = 3
    """Seats feed their people."""


class TieBreak(IntEnum):
    """The way in which ties in points are broken."""

    SEQUENCE = 1
    """By food track, then by tools, then by people."""
    SUM = 2
    """By the sum of food track, tools and people."""


class EndReason(IntEnum):
    """The reason why the game ended."""

    DECK_EXHAUSTED = 1
    """The deck had too few cards for the free slots."""
    STACK_EMPTIED = 2
    """A stack of tiles is empty."""
    ROUNDS_PLAYED = 3
    """The last of `max_rounds` rounds was played."""


MOST_PEOPLE: Final = 10
FIRST_PEOPLE: Final = 5
FIRST_FOOD: Final = 12
TRACK_END: Final = 10
TOOL_SPACES: Final = 3
BEST_TOOL: Final = 4
HUNGER: Final = 10
SLOTS: Final = 4
STACK_HEIGHT: Final = 7

DIVISOR: Final = {Good.FOOD: 2, Good.WOOD: 3, Good.BRICK: 4, Good.STONE: 5, Good.GOLD: 6}

ROLLS: Final = {
    Place.HUNTING: Good.FOOD,
    Place.FOREST: Good.WOOD,
    Place.CLAY_PIT: Good.BRICK,
    Place.QUARRY: Good.STONE,
    Place.RIVER: Good.GOLD,
}
RESOURCE_PLACES: Final = (Place.FOREST, Place.CLAY_PIT, Place.QUARRY, Place.RIVER)
VILLAGE: Final = (Place.TOOL_MAKER, Place.HUT, Place.FIELD)
CARD_PLACES: Final = (Place.CARD_1, Place.CARD_2, Place.CARD_3, Place.CARD_4)
TILE_PLACES: Final = (Place.TILE_1, Place.TILE_2, Place.TILE_3, Place.TILE_4)

CAPACITY: Final[tuple[int | None, ...]] = (None, 7, 7, 7, 7, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1)
"""The number of people that each place has room for in total. Hunting has no limit."""

PLACE_NAMES: Final = {place: place.name.lower().replace("_", " ") for place in Place}


class Culture(IntEnum):
    MEDICINE = 1
    ART = 2
    WRITING = 3
    POTTERY = 4
    TIME = 5
    TRANSPORT = 6
    MUSIC = 7
    WEAVING = 8


class Person(IntEnum):
    FARMER = 1
    TOOLMAKER = 2
    HUT_BUILDER = 3
    SHAMAN = 4


class Card(IntEnum):
    """The civilization cards. The upper half has an immediate effect, the lower half scores at the end. The
    comments name both.
    """

    MEDICINE_1 = 1
    MEDICINE_2 = 2
    ART_1 = 3
    ART_2 = 4
    WRITING_1 = 5
    WRITING_2 = 6
    POTTERY_1 = 7
    POTTERY_2 = 8
    TIME_1 = 9
    TIME_2 = 10
    TRANSPORT_1 = 11
    TRANSPORT_2 = 12
    MUSIC_1 = 13
    MUSIC_2 = 14
    WEAVING_1 = 15
    WEAVING_2 = 16
    FARMER_1 = 17
    FARMER_2 = 18
    FARMER_3 = 19
    FARMER_4 = 20
    FARMER_5 = 21
    TOOLMAKER_1 = 22
    TOOLMAKER_2 = 23
    TOOLMAKER_3 = 24
    TOOLMAKER_4 = 25
    TOOLMAKER_5 = 26
    HUT_BUILDER_1 = 27
    HUT_BUILDER_2 = 28
    HUT_BUILDER_3 = 29
    HUT_BUILDER_4 = 30
    HUT_BUILDER_5 = 31
    SHAMAN_1 = 32
    SHAMAN_2 = 33
    SHAMAN_3 = 34
    SHAMAN_4 = 35
    SHAMAN_5 = 36


@dataclass(frozen=True, slots=True)
class DiceForAll:
    """Every seat takes one of the rolled dice, the buyer first."""


@dataclass(frozen=True, slots=True)
class Food:
    amount: int


@dataclass(frozen=True, slots=True)
class Gift:
    """The seat gains these resources."""

    resources: Resources


@dataclass(frozen=True, slots=True)
class Points:
    amount: int


@dataclass(frozen=True, slots=True)
class NewTool:
    """The seat gains a tool, as at the tool maker."""


@dataclass(frozen=True, slots=True)
class FieldStep:
    """The seat moves up on the food track, as on the field."""


@dataclass(frozen=True, slots=True)
class TwoDice:
    """The seat rolls two dice for that good, as on its place."""

    good: Good


@dataclass(frozen=True, slots=True)
class DrawCard:
    """The seat draws a card of the deck, of which only the lower half counts."""


@dataclass(frozen=True, slots=True)
class OneUseTool:
    value: int


@dataclass(frozen=True, slots=True)
class AnyTwo:
    """The seat gains a card that it can use later to take two resources of its choice."""


Upper = DiceForAll | Food | Gift | Points | NewTool | FieldStep | TwoDice | DrawCard | OneUseTool | AnyTwo


@dataclass(frozen=True, slots=True)
class Figures:
    """A sand-coloured lower half: figures that multiply an amount at the end."""

    person: Person
    count: int


Lower = Culture | Figures


def _gift(good: Good, amount: int) -> Gift:
    return Gift(some(good, amount))


UPPER: Final[dict[Card, Upper]] = {
    Card.MEDICINE_1: Food(5),
    Card.MEDICINE_2: AnyTwo(),
    Card.ART_1: TwoDice(Good.GOLD),
    Card.ART_2: NewTool(),
    Card.WRITING_1: DiceForAll(),
    Card.WRITING_2: DrawCard(),
    Card.POTTERY_1: DiceForAll(),
    Card.POTTERY_2: Food(7),
    Card.TIME_1: DiceForAll(),
    Card.TIME_2: FieldStep(),
    Card.TRANSPORT_1: DiceForAll(),
    Card.TRANSPORT_2: _gift(Good.STONE, 2),
    Card.MUSIC_1: Points(3),
    Card.MUSIC_2: Points(3),
    Card.WEAVING_1: Food(1),
    Card.WEAVING_2: Food(3),
    Card.FARMER_1: DiceForAll(),
    Card.FARMER_2: _gift(Good.STONE, 1),
    Card.FARMER_3: FieldStep(),
    Card.FARMER_4: DiceForAll(),
    Card.FARMER_5: Food(3),
    Card.TOOLMAKER_1: OneUseTool(3),
    Card.TOOLMAKER_2: OneUseTool(4),
    Card.TOOLMAKER_3: DiceForAll(),
    Card.TOOLMAKER_4: DiceForAll(),
    Card.TOOLMAKER_5: OneUseTool(2),
    Card.HUT_BUILDER_1: DiceForAll(),
    Card.HUT_BUILDER_2: Food(4),
    Card.HUT_BUILDER_3: DiceForAll(),
    Card.HUT_BUILDER_4: Food(2),
    Card.HUT_BUILDER_5: Points(3),
    Card.SHAMAN_1: _gift(Good.GOLD, 1),
    Card.SHAMAN_2: _gift(Good.STONE, 1),
    Card.SHAMAN_3: TwoDice(Good.STONE),
    Card.SHAMAN_4: _gift(Good.BRICK, 1),
    Card.SHAMAN_5: TwoDice(Good.WOOD),
}

_FIGURES: Final = {
    Person.FARMER: (1, 1, 1, 2, 2),
    Person.TOOLMAKER: (1, 1, 2, 2, 2),
    Person.HUT_BUILDER: (1, 1, 2, 2, 3),
    Person.SHAMAN: (1, 1, 1, 2, 2),
}

LOWER: Final[dict[Card, Lower]] = {
    **{Card[f"{culture.name}_{copy}"]: culture for culture in Culture for copy in (1, 2)},
    **{
        Card[f"{person.name}_{number}"]: Figures(person, count)
        for person, counts in _FIGURES.items()
        for number, count in enumerate(counts, start=1)
    },
}


class Tile(IntEnum):
    """The building tiles."""

    FIXED_WWB_1 = 1
    FIXED_WWS_1 = 2
    FIXED_WBB_1 = 3
    FIXED_WWG_1 = 4
    FIXED_WSS_1 = 5
    FIXED_BBS_1 = 6
    FIXED_BBG_1 = 7
    FIXED_BSS_1 = 8
    FIXED_SSG_1 = 9
    FIXED_WBS_1 = 10
    FIXED_WBS_2 = 11
    FIXED_WBG_1 = 12
    FIXED_WBG_2 = 13
    FIXED_WSG_1 = 14
    FIXED_WSG_2 = 15
    FIXED_BSG_1 = 16
    FIXED_BSG_2 = 17
    EXACT_4_1 = 18
    EXACT_4_2 = 19
    EXACT_4_3 = 20
    EXACT_4_4 = 21
    EXACT_5_1 = 22
    EXACT_5_2 = 23
    EXACT_5_3 = 24
    EXACT_5_4 = 25
    FREE_1 = 26
    FREE_2 = 27
    FREE_3 = 28


def _bill(tile: Tile) -> Bill:
    """SA-25: returns the cost of a tile, which its name contains."""
    kind, what, *rest = tile.name.split("_")
    if kind == "FIXED":
        cost = Resources(*(what.count(letter) for letter in "WBSG"))
        return Bill("SA-25", 3, 3, cost.kinds, cost)
    if kind == "EXACT":
        return Bill("SA-25", int(what), int(what), int(rest[0]))
    return Bill("SA-25", 1, 7)


TILE_BILL: Final = {tile: _bill(tile) for tile in Tile}
CARD_BILL: Final = tuple(Bill("SA-24", cost, cost) for cost in range(1, SLOTS + 1))
"""The cost of a card by its slot, counted from 0; it does not depend on the card."""

DECK: Final = tuple(Card)
TILES: Final = tuple(Tile)
