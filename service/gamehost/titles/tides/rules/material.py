"""The components of the game: eighteen cards, five suits, and the abilities of cards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

HAND = 5
ROUNDS = 3
DRAWN_BETWEEN_ROUNDS = 2


class Suit(IntEnum):
    """The five suits. Three cards have no suit."""

    PALACE = 1
    LIBRARY = 2
    GARDEN = 3
    TEMPLE = 4
    STRONGHOLD = 5


class Card(IntEnum):
    """The eighteen cards, with the numbers of the rulebook's list. The game has one of each."""

    KINGS_NEST = 1
    """Palace. The owner wins every tie between the players."""
    ANCIENT_DIVIDE = 2
    """Palace. 7 points for more strongholds than the opponent."""
    ETERNAL_PALACE = 3
    """Palace. 3 points for each library."""
    GREAT_LIBRARY_OF_AHM = 4
    """Library. 7 points for more temples than the opponent."""
    MANA_WELL = 5
    """Library. 9 points for each set of palace, stronghold and temple."""
    CITADELS_OF_THE_PROPHETS = 6
    """Library. 3 points for each garden."""
    GOLDEN_ZIGGURAT = 7
    """Garden. 7 points for more palaces than the opponent."""
    GODS_BATHS = 8
    """Garden. 3 points for each stronghold."""
    MAZE_OF_THE_DAMNED = 9
    """Garden. 13 points for all five suits."""
    EYE_OF_THE_NORTH = 10
    """Stronghold. 3 points for each suit that the kingdom lacks."""
    JINNS_SHACKLES = 11
    """Stronghold. 3 points for each temple."""
    OLD_MANS_PASS = 12
    """Stronghold. 7 points for more libraries than the opponent."""
    BLOOD_TEAR_SPRING = 13
    """Temple. 7 points for more gardens than the opponent."""
    SKY_PILLARS = 14
    """Temple. 5 points for each set of library and garden."""
    VESTIBULE = 15
    """Temple. 3 points for each palace."""
    MOLEHILL = 16
    """No suit. 8 points for more suits with exactly one card than the opponent."""
    ROOF_OF_THE_WORLD = 17
    """No suit. Doubles the owner's most numerous suit, or all suits that tie for it."""
    SAPPHIRE_PORT = 18
    """No suit. 8 points if the owner's best scoring card scores more than the opponent's."""


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
    """The name, suit and ability of a card."""

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
