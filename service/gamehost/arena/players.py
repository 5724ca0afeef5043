"""The players of a local game: levels of the service, and bots in files."""

from __future__ import annotations

import importlib
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from gamehost.bots.bot import Bot
from gamehost.bots.levels import bot, remembers
from gamehost.codec.process_codec import RENDERER
from gamehost.play.table.table import Table
from gamehost.rules.kit import Chance, Decision
from shedu.deciding import Decider, ask, load, wants_events

from .fixtures import Fixture

BOT_SEEDS = 1 << 32  # numpy.random takes seeds of 32 bits


class ArenaPlayer(Protocol):
    remembers: bool
    """Whether it is given the title's events that its seat has witnessed."""

    reads_log: bool
    """Whether it is given all events instead, as the messages that the service would send to its seat."""

    def answer(
        self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance, seen: Sequence[Any]
    ) -> Any:
        """Return one of the actions. Raises BadBot."""
        ...


class LevelPlayer:
    """A level of the service. It gets the view of its seat, never the state."""

    reads_log = False

    def __init__(self, bot: Bot, remembers: bool) -> None:
        self._bot, self.remembers = bot, remembers

    def answer(
        self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance, seen: Sequence[Any]
    ) -> Any:
        return self._bot.decide(table.view(decision.seat), decision, actions, chance, seen)


class FilePlayer:
    """A bot in a file. It gets the messages that the service would send to its seat."""

    remembers = False

    def __init__(self, name: str, decider: Decider) -> None:
        self._name, self._decider, self.reads_log = name, decider, wants_events(decider)

    def answer(
        self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance, seen: Sequence[Any]
    ) -> Any:
        seed_random(chance)
        offered = [RENDERER.legal_action(table.rules, action) for action in actions]
        view = RENDERER.view(table, decision.seat)
        asked = RENDERER.decision(table, decision)
        return actions[ask(self._name, self._decider, view, asked, offered, seen if self.reads_log else None)]


def make_player(fixture: Fixture, number: int) -> ArenaPlayer:
    """Return a player for one game. Raises BadBot."""
    entrant = fixture.players[number]
    if entrant.file is not None:
        return FilePlayer(str(entrant.file), load_fresh(entrant.file, fixture.bot_chance(number, 0)))
    return LevelPlayer(cached_bot(fixture.title, entrant.word), remembers(entrant.word))


def load_fresh(file: Path, luck: Chance) -> Decider:
    """Load a bot's file again.

    A module that is kept could carry state from game to game. Results would then depend on which games the
    same process had played before, that is, on the number of processes.
    """
    seed_random(luck)
    return load(file)()


def seed_random(luck: Chance) -> None:
    """Seed `random`, and `numpy.random` if it is installed, so that bots that use them are reproducible."""
    seed = luck.roll(1, BOT_SEEDS)[0]
    random.seed(seed)
    if (generator := numpy_random()) is not None:
        generator.seed(seed - 1)


@cache
def numpy_random() -> Any:
    """Return the module, or None. It is imported before a bot imports it, so that it is seeded from the
    start."""
    try:
        return importlib.import_module("numpy.random")
    except ImportError:
        return None


@cache
def cached_bot(title: str, level: str) -> Bot:
    """Return the bot of a level. Levels keep no state, so that games can share one."""
    return bot(title, level)
