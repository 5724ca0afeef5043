"""The bots this service can seat: a level means the same in every title.

A bot is made from two words, its title and its level, so a process that is told them makes the same bot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from gamehost.rules.catalog import CATALOG

from .anything import RandomBot
from .greedy.instinct import GreedyBot, Instinct
from .greedy.stone_age import StoneAgeInstinct
from .greedy.tides import TidesInstinct
from .greedy.tigris import TigrisInstinct
from .greedy.tigris_cards import TigrisCardsInstinct
from .kit import Bot

INSTINCTS: Final[Mapping[str, Instinct]] = {
    "tigris": TigrisInstinct(),
    "tigris_cards": TigrisCardsInstinct(),
    "tides": TidesInstinct(),
    "stone_age": StoneAgeInstinct(),
}


@dataclass(frozen=True, slots=True)
class Level:
    name: str
    meaning: str  # the sentence that the catalog shows
    titles: tuple[str, ...]
    seat: Callable[[str], Bot]  # a bot for a title


LEVELS: Final = (
    Level(
        "random",
        "Answers every decision with any legal action, each equally likely.",
        tuple(CATALOG),
        lambda title: RandomBot(),
    ),
    Level(
        "greedy",
        "Takes what looks best at once by a few rules of thumb, and never looks ahead.",
        tuple(INSTINCTS),
        lambda title: GreedyBot(CATALOG[title], INSTINCTS[title]),
    ),
)
BOTS: Final[Mapping[str, Level]] = {level.name: level for level in LEVELS}


class NoSuchBot(LookupError):
    """Nobody plays that title at that level; the message says who does."""


def bot(title: str, level: str) -> Bot:
    """The bot that plays a title at a level."""
    found = BOTS.get(level)
    if found is None:
        raise NoSuchBot(f"there is no level {level}; there are: {', '.join(BOTS)}")
    if title not in found.titles:
        raise NoSuchBot(f"no bot plays {title} at level {level}")
    return found.seat(title)
