"""What is in the box: eighteen cards, five suits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

HAND = 5
ROUNDS = 3
DRAWN_BETWEEN_ROUNDS = 2


class Suit(IntEnum):
    PALACE = 1
    LIBRARY = 2
    GARDEN = 3
    TEMPLE = 4
    STRONGHOLD = 5


class Card(IntEnum):
    KINGS_NEST = 1
    ANCIENT_DIVIDE = 2
    ETERNAL_PALACE = 3
    GREAT_LIBRARY_OF_AHM = 4
    MANA_WELL = 5
    CITADELS_OF_THE_PROPHETS = 6
    GOLDEN_ZIGGURAT = 7
    GODS_BATHS = 8
    MAZE_OF_THE_DAMNED = 9
    EYE_OF_THE_NORTH = 10
    JINNS_SHACKLES = 11
    OLD_MANS_PASS = 12
    BLOOD_TEAR_SPRING = 13
    SKY_PILLARS = 14
    VESTIBULE = 15
    MOLEHILL = 16
    ROOF_OF_THE_WORLD = 17
    SAPPHIRE_PORT = 18


@dataclass(frozen=True, slots=True)
class Majority:
    """Points for more of a suit than the opponent."""

    suit: Suit
    points: int = 7


@dataclass(frozen=True, slots=True)
class EachOfSuit:
    suit: Suit
    points: int = 3


@dataclass(frozen=True, slots=True)
class EachSet:
    suits: tuple[Suit, ...]
    points: int


@dataclass(frozen=True, slots=True)
class AllSuits:
    points: int = 13


@dataclass(frozen=True, slots=True)
class EachMissingSuit:
    points: int = 3


@dataclass(frozen=True, slots=True)
class MostSingles:
    """Points for more suits with exactly one card than the opponent."""

    points: int = 8


@dataclass(frozen=True, slots=True)
class BestCard:
    """Points if the owner's best scoring card beats the opponent's."""

    points: int = 8


@dataclass(frozen=True, slots=True)
class WinsTies:
    pass


@dataclass(frozen=True, slots=True)
class DoublesMost:
    pass


Ability = (
    Majority
    | EachOfSuit
    | EachSet
    | AllSuits
    | EachMissingSuit
    | MostSingles
    | BestCard
    | WinsTies
    | DoublesMost
)


@dataclass(frozen=True, slots=True)
class Print:
    """What a card shows."""

    name: str
    suit: Suit | None
    ability: Ability


PALACE, LIBRARY, GARDEN, TEMPLE, STRONGHOLD = Suit

PRINTS: dict[Card, Print] = dict(
    zip(
        Card,
        (
            Print("King's Nest", PALACE, WinsTies()),
            Print("Ancient Divide", PALACE, Majority(STRONGHOLD)),
            Print("Eternal Palace", PALACE, EachOfSuit(LIBRARY)),
            Print("The Great Library of Ahm", LIBRARY, Majority(TEMPLE)),
            Print("The Mana Well", LIBRARY, EachSet((PALACE, STRONGHOLD, TEMPLE), 9)),
            Print("The Citadels of the Prophets", LIBRARY, EachOfSuit(GARDEN)),
            Print("Golden Ziggurat", GARDEN, Majority(PALACE)),
            Print("Gods' Baths", GARDEN, EachOfSuit(STRONGHOLD)),
            Print("The Maze of the Damned", GARDEN, AllSuits()),
            Print("The Eye of the North", STRONGHOLD, EachMissingSuit()),
            Print("The Jinn's Shackles", STRONGHOLD, EachOfSuit(TEMPLE)),
            Print("Old Man's Pass", STRONGHOLD, Majority(LIBRARY)),
            Print("Blood-tear Spring", TEMPLE, Majority(GARDEN)),
            Print("The Sky Pillars", TEMPLE, EachSet((LIBRARY, GARDEN), 5)),
            Print("The Vestibule", TEMPLE, EachOfSuit(PALACE)),
            Print("The Molehill", None, MostSingles()),
            Print("The Roof of the World", None, DoublesMost()),
            Print("The Sapphire Port", None, BestCard()),
        ),
        strict=True,
    )
)
