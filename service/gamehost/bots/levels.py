"""The bots this service can seat: a level means the same in every title.

A bot is made from two words, its title and its level, so a process that is told them makes the same bot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from gamehost.rules.catalog import CATALOG

from .bot import Bot
from .greedy.instinct import GreedyBot, Instinct
from .greedy.stone_age import StoneAgeInstinct
from .greedy.tides import TidesInstinct
from .greedy.tigris import TigrisInstinct
from .greedy.tigris_cards import TigrisCardsInstinct
from .random_bot import RandomBot
from .search.bot import SearchBot, TidesSearchBot
from .search.budget import Budget, InvalidBudget, parse

INSTINCTS: Final[Mapping[str, Instinct]] = {
    "tigris": TigrisInstinct(),
    "tigris_cards": TigrisCardsInstinct(),
    "tides": TidesInstinct(),
    "stone_age": StoneAgeInstinct(),
}
SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Level:
    name: str
    meaning: str  # the sentence that the catalog shows
    titles: tuple[str, ...]
    seat: Callable[[str, Budget], Bot]  # a bot for a title; only a search heeds the budget
    pace: float = 0.0  # seconds: it answers others in such steps alone, lest they learn how hard it was
    remembers: bool = False  # whether it wants all that its seat has witnessed
    quick: bool = True  # whether it answers at once, and so needs not wait behind those who think for long


def seat_random(title: str, budget: Budget) -> Bot:
    return RandomBot()


def seat_greedy(title: str, budget: Budget) -> Bot:
    return GreedyBot(CATALOG[title], INSTINCTS[title])


def seat_search(title: str, budget: Budget) -> Bot:
    kind = TidesSearchBot if title == "tides" else SearchBot
    return kind(CATALOG[title], INSTINCTS[title], budget)


LEVELS: Final = (
    Level(
        "random",
        "Answers every decision with any legal action, each equally likely.",
        tuple(CATALOG),
        seat_random,
    ),
    Level(
        "greedy",
        "Takes what looks best at once by a few rules of thumb, and never looks ahead.",
        tuple(INSTINCTS),
        seat_greedy,
        pace=0.1,
    ),
    Level(
        "search",
        "Imagines worlds that fit what it knows and plays on in them, for half a second a decision.",
        tuple(INSTINCTS),
        seat_search,
        pace=1.5 * SECONDS,
        remembers=True,
        quick=False,
    ),
)
BOTS: Final[Mapping[str, Level]] = {level.name: level for level in LEVELS}
THINKING: Final = Budget(seconds=SECONDS)


def remembers(level: str) -> bool:
    """Whether a bot of the level is to be told what its seat has witnessed."""
    name, _, _ = level.partition(":")
    return name in BOTS and BOTS[name].remembers


class NoSuchBot(LookupError):
    """Nobody plays that title at that level; the message says who does."""


def is_quick(level: str) -> bool:
    name, _, _ = level.partition(":")
    return name in BOTS and BOTS[name].quick


def bot(title: str, level: str, share: float = 1.0) -> Bot:
    """The bot that plays a title at a level: a name, or `search:0.1s` or `search:200` with a budget.

    It has that share of its seconds; iterations are what makes games come out the same again, and stay.
    """
    name, _, words = level.partition(":")
    found = BOTS.get(name)
    if found is None or (words and name != "search"):
        raise NoSuchBot(f"there is no level {level}; there are: {', '.join(BOTS)}")
    if title not in found.titles:
        raise NoSuchBot(f"no bot plays {title} at level {level}")
    try:
        return found.seat(title, (parse(words) if words else THINKING).reduced(share))
    except InvalidBudget as error:
        raise NoSuchBot(f"there is no level {level}: {error}") from error
