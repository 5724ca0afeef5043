"""The bot levels that the service hosts. A level name has the same meaning in every title.

A bot is made from its title and its level alone, so that every process makes the same bot from these names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from gamehost.rules.catalog import CATALOG, title_part
from gamehost.rules.contract import BrokenTitle

from .bot import Bot
from .greedy.heuristic import GreedyBot, Heuristic
from .random_bot import RandomBot
from .search.bot import SearchBot
from .search.budget import Budget, InvalidBudget, parse_budget
from .search.playouts import PlayoutBot

HEURISTICS: Final[Mapping[str, Heuristic]] = {
    title: found
    for title in CATALOG
    # A protocol cannot be instantiated, which mypy fears of a `type[T]`.
    if (found := title_part(title, "greedy", "HEURISTIC", Heuristic))  # type: ignore[type-abstract]
}
SEARCH_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Level:
    """One level, as the catalog lists it."""

    name: str
    meaning: str  # the sentence that the catalog shows
    titles: tuple[str, ...]
    make: Callable[[str, Budget], Bot]  # makes the bot of a title; only search uses the budget
    # A hosted bot answers only after a multiple of this many seconds. The time that it took would tell the
    # other players how hard the decision was, and so something about its hand.
    pace: float = 0.0
    remembers: bool = False  # whether it is given all events that its seat has witnessed
    quick: bool = True  # whether it answers at once, and so need not queue behind levels that think for long


def make_random(title: str, budget: Budget) -> Bot:
    return RandomBot()


def make_greedy(title: str, budget: Budget) -> Bot:
    return GreedyBot(CATALOG[title], HEURISTICS[title])


def make_search(title: str, budget: Budget) -> Bot:
    """Make the title's own search, or the common one; without a heuristic, one that plays games out."""
    if title not in HEURISTICS:
        return PlayoutBot(CATALOG[title], budget)
    return (own_search(title) or SearchBot)(CATALOG[title], HEURISTICS[title], budget)


def own_search(title: str) -> type[SearchBot] | None:
    """Return the `SEARCH_BOT` of the title's module `search`, if it has one. Raises BrokenTitle."""
    own: type[SearchBot] | None = title_part(title, "search", "SEARCH_BOT", type)
    if own is not None and not issubclass(own, SearchBot):
        raise BrokenTitle(title, "search.SEARCH_BOT", "make it a subclass of SearchBot")
    if own is not None and title not in HEURISTICS:
        raise BrokenTitle(title, "search.SEARCH_BOT", "add a module `greedy` with a HEURISTIC, which it uses")
    return own


LEVELS: Final = (
    Level(
        "random",
        "Answers every decision with any legal action, each equally likely.",
        tuple(CATALOG),
        make_random,
    ),
    Level(
        "greedy",
        "Takes what looks best at once by a few rules of thumb, and never looks ahead.",
        tuple(HEURISTICS),
        make_greedy,
        pace=0.1,
    ),
    Level(
        "search",
        "Imagines worlds that fit what it knows and plays on in them, for half a second a decision.",
        tuple(CATALOG),
        make_search,
        pace=1.5 * SEARCH_SECONDS,
        remembers=True,
        quick=False,
    ),
)
LEVEL_BY_NAME: Final[Mapping[str, Level]] = {level.name: level for level in LEVELS}
DEFAULT_BUDGET: Final = Budget(seconds=SEARCH_SECONDS)


def remembers(level: str) -> bool:
    """Whether a bot of the level is given the events that its seat has witnessed."""
    name, _, _ = level.partition(":")
    return name in LEVEL_BY_NAME and LEVEL_BY_NAME[name].remembers


class NoSuchBot(LookupError):
    """No bot plays that title at that level. The message lists the levels that exist."""


def is_quick(level: str) -> bool:
    """Whether a bot of the level answers at once."""
    name, _, _ = level.partition(":")
    return name in LEVEL_BY_NAME and LEVEL_BY_NAME[name].quick


def bot(title: str, level: str, share: float = 1.0) -> Bot:
    """Return the bot for a title and a level, such as `greedy`, `search:0.1s` or `search:200`.

    `share` scales a budget in seconds. A budget in iterations is never scaled, because it exists to make
    games reproducible. Raises NoSuchBot.
    """
    name, _, budget = level.partition(":")
    found = LEVEL_BY_NAME.get(name)
    if found is None or (budget and name != "search"):
        raise NoSuchBot(f"there is no level {level}; there are: {', '.join(LEVEL_BY_NAME)}")
    if title not in found.titles:
        raise NoSuchBot(f"no bot plays {title} at level {level}")
    try:
        return found.make(title, (parse_budget(budget) if budget else DEFAULT_BUDGET).reduced(share))
    except InvalidBudget as error:
        raise NoSuchBot(f"there is no level {level}: {error}") from error
