"""The catalog of hosted bots, and the runner that computes their moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gamehost.rules.kit import Decision


@dataclass(frozen=True, slots=True)
class BotLevel:
    """A hosted bot of a title. `default` marks the one that plays if no level is chosen."""

    name: str
    meaning: str
    default: bool
    quick: bool = False  # whether it answers so fast that it has a queue apart from the slow ones


class BotCatalog(Protocol):
    """Lists the bots of each title."""

    def levels(self, title: str) -> Sequence[BotLevel]:
        """Return the levels of a title, the weakest first; one of them is the default."""
        ...


@dataclass(frozen=True, slots=True)
class BotQuestion:
    """The input of a bot: the view of its seat, never the state.

    `luck` seeds the bot's own random numbers, which are independent of the luck of the game.
    """

    title: str
    level: str
    view: Any
    decision: Decision
    actions: Sequence[Any]
    luck: bytes
    seen: Sequence[Any] = ()  # the events as the seat saw them, for a level that uses the history
    share: float = 1.0  # fraction of its usual thinking time, for a level with a time limit


ThinkingReport = Callable[[float], None]
"""Called with the seconds of processor time that a bot has used."""


def ignore_thinking(_seconds: float) -> None:
    """The default callback, which does nothing."""


class BotFailed(Exception):
    """The bot crashed, took too long, or answered with an action that is not allowed; see the message."""


class BotRunner(Protocol):
    """Runs bots."""

    @property
    def capacity(self) -> Mapping[str, int]:
        """The number of questions that are computed at the same time, by queue."""
        ...

    @property
    def timeout(self) -> float:
        """Seconds after which a bot that has not answered is stopped."""
        ...

    def remembers(self, level: str) -> bool:
        """Whether bots of the level need `BotQuestion.seen`."""
        ...

    async def answer(self, question: BotQuestion, report: ThinkingReport = ignore_thinking) -> Any:
        """Return one of the actions, or raise BotFailed.

        `report` is called with the processor seconds as soon as the computation ends; the answer may be held
        back for longer.
        """
        ...
