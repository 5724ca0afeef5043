"""Those who sit at an arena's table: the service's own bots, and bots in files."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from gamehost.bots.kit import Bot
from gamehost.bots.levels import bot
from gamehost.codec.titles import TITLES
from gamehost.codec.wire import WireCodec
from gamehost.play.table import Table
from gamehost.rules.kit import Chance, Decision
from shedu.deciding import Decider, ask, load

from .fixtures import Entrant

CODEC = WireCodec(TITLES)
SEEDS = 1 << 32


class Player(Protocol):
    def answer(self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance) -> Any:
        """One of the actions. Raises BadBot."""
        ...


class HostedPlayer:
    """One of the service's levels: it gets its seat's view and no more."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def answer(self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance) -> Any:
        return self._bot.decide(table.view(decision.seat), decision, actions, chance)


class FilePlayer:
    """A bot in a file: it gets the messages that the service would send to its seat."""

    def __init__(self, name: str, decider: Decider) -> None:
        self._name, self._decider = name, decider

    def answer(self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance) -> Any:
        random.seed(chance.roll(1, SEEDS)[0])  # what a bot takes from the module is the same again
        offered = [CODEC.legal_action(table.rules, action) for action in actions]
        view = CODEC.view(table, decision.seat)
        return actions[ask(self._name, self._decider, view, CODEC.decision(table, decision), offered)]


def seat(title: str, entrant: Entrant) -> Player:
    """A player for one game."""
    if entrant.file is not None:
        return FilePlayer(str(entrant.file), maker(entrant.file)())
    return HostedPlayer(hosted(title, entrant.word))


@cache
def maker(file: Path) -> Callable[[], Decider]:
    return load(file)


@cache
def hosted(title: str, level: str) -> Bot:
    return bot(title, level)
