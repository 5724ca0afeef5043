"""What a fault is."""

from __future__ import annotations

import random
from typing import ClassVar

from ..environment import World

STANDALONE = frozenset({"standalone"})
ANYWHERE = frozenset({"standalone", "sentinel", "cluster"})


class Fault:
    """Something that goes wrong at `begin` and is put right at `end`.

    `needs` are the wishes for a world in which it can happen; `seconds` is between which it lasts.
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
        """Why it cannot be done on this machine; empty if it can."""
        return ""

    async def begin(self, world: World) -> None:
        raise NotImplementedError

    async def end(self, world: World) -> None:
        """Put right what was done, also if `begin` failed half way."""
