"""Which hosted bots there are, and where they think."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gamehost.rules.kit import Decision


@dataclass(frozen=True, slots=True)
class BotLevel:
    """A hosted bot of a title. `default` is the one that plays where nobody says which."""

    name: str
    meaning: str
    default: bool
    quick: bool = False  # whether it answers so soon that it need not wait behind those who think for long


class BotCatalog(Protocol):
    """Which bots there are."""

    def levels(self, title: str) -> Sequence[BotLevel]:
        """The weakest first; one of them is the default."""
        ...


@dataclass(frozen=True, slots=True)
class BotQuestion:
    """All that a bot is told: never a state. `luck` is the key of its own chance."""

    title: str
    level: str
    view: Any
    decision: Decision
    actions: Sequence[Any]
    luck: bytes
    seen: Sequence[Any] = ()  # what the seat has witnessed, for a level that remembers
    share: float = 1.0  # of the time that the level usually has, for one that looks at the clock


Thought = Callable[[float], None]
"""Told how many seconds a bot has thought."""


def unheeded(_seconds: float) -> None:
    """For those who need not know."""


class BotFailed(Exception):
    """It crashed, took too long, or answered something else; the message says which."""


class BotRunner(Protocol):
    """Where bots think."""

    @property
    def capacity(self) -> Mapping[str, int]:
        """How many questions are taken at once, by queue."""
        ...

    @property
    def patience(self) -> float:
        """Seconds after which a bot that has not answered is given up."""
        ...

    def remembers(self, level: str) -> bool:
        """Whether a bot of the level is to be told what its seat has witnessed."""
        ...

    async def answer(self, question: BotQuestion, thought: Thought = unheeded) -> Any:
        """One of the actions, or BotFailed.

        `thought` is called with the seconds of the processor that it took when the thinking is over; the
        answer may be held back for longer.
        """
        ...
