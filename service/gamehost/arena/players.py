"""Those who sit at an arena's table: the service's own bots, and bots in files."""

from __future__ import annotations

import importlib
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from gamehost.bots.bot import Bot
from gamehost.bots.levels import bot, remembers
from gamehost.codec.messages import MessageRenderer
from gamehost.codec.titles import TITLES
from gamehost.play.table.table import Table
from gamehost.rules.kit import Chance, Decision
from shedu.deciding import Decider, ask, load

from .fixtures import Fixture

CODEC = MessageRenderer(TITLES)
SEEDS = 1 << 32


class Player(Protocol):
    remembers: bool
    """Whether it is told what its seat has witnessed."""

    def answer(
        self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance, seen: Sequence[Any]
    ) -> Any:
        """One of the actions. Raises BadBot."""
        ...


class HostedPlayer:
    """One of the service's levels: it gets its seat's view and no more."""

    def __init__(self, bot: Bot, remembers: bool) -> None:
        self._bot, self.remembers = bot, remembers

    def answer(
        self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance, seen: Sequence[Any]
    ) -> Any:
        return self._bot.decide(table.view(decision.seat), decision, actions, chance, seen)


class FilePlayer:
    """A bot in a file: it gets the messages that the service would send to its seat."""

    remembers = False

    def __init__(self, name: str, decider: Decider) -> None:
        self._name, self._decider = name, decider

    def answer(
        self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance, seen: Sequence[Any]
    ) -> Any:
        sow(chance)
        offered = [CODEC.legal_action(table.rules, action) for action in actions]
        view = CODEC.view(table, decision.seat)
        return actions[ask(self._name, self._decider, view, CODEC.decision(table, decision), offered)]


def seat(fixture: Fixture, number: int) -> Player:
    """A player for one game."""
    entrant = fixture.players[number]
    if entrant.file is not None:
        return FilePlayer(str(entrant.file), fresh(entrant.file, fixture.luck_of(number, 0)))
    return HostedPlayer(hosted(fixture.title, entrant.word), remembers(entrant.word))


def fresh(file: Path, luck: Chance) -> Decider:
    """From a file that is loaded anew: what it keeps to itself does not pass from game to game, which would
    make a game depend on those that the same process played before."""
    sow(luck)
    return load(file)()


def sow(luck: Chance) -> None:
    """What a bot takes from `random`, and from `numpy.random` where there is one, is the same again."""
    seed = luck.roll(1, SEEDS)[0]
    random.seed(seed)
    if (generator := numpy_random()) is not None:
        generator.seed(seed - 1)


@cache
def numpy_random() -> Any:
    """Loaded before a bot does it, so that even the first it takes is sown."""
    try:
        return importlib.import_module("numpy.random")
    except ImportError:
        return None


@cache
def hosted(title: str, level: str) -> Bot:
    return bot(title, level)
