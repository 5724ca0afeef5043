"""The base class of faults."""

from __future__ import annotations

import random
from typing import ClassVar

from ..environment import Environment

STANDALONE = frozenset({"standalone"})
ANYWHERE = frozenset({"standalone", "sentinel", "cluster"})


class Fault:
    """A fault that starts at `begin` and is undone at `end`.

    `needs` names the environment options that it requires; `seconds` is the range of its duration.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    topologies: ClassVar[frozenset[str]] = ANYWHERE
    needs: ClassVar[frozenset[str]] = frozenset()
    seconds: ClassVar[tuple[float, float]] = (1.0, 3.0)

    def __init__(self, coin: random.Random) -> None:
        self.coin = coin
        self.note = ""  # what it did this time, for the report

    @classmethod
    def missing(cls) -> str:
        """Returns why this machine cannot inject the fault; empty if it can."""
        return ""

    async def begin(self, environment: Environment) -> None:
        raise NotImplementedError

    async def end(self, environment: Environment) -> None:
        """Undoes the fault, also if `begin` failed half way."""
