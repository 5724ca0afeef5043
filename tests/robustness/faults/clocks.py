"""Clocks that jump."""

from __future__ import annotations

from ..world import World, library
from .fault import Fault


class ClockJump(Fault):
    """All processes share the jump; stretches of time are measured by another clock."""

    name, about = "clock_jump", "the clock of the service jumps by up to an hour, there and back"
    needs = frozenset({"own_clock"})
    seconds = (3.0, 6.0)

    @classmethod
    def missing(cls) -> str:
        return "" if library("libfaketimeMT.so.1") else "libfaketime (package faketime) is not installed"

    async def begin(self, world: World) -> None:
        seconds = self.coin.choice([-1, 1]) * self.coin.randrange(60, 3600)
        self.note = f"{seconds:+d} s"
        self._set(world, seconds)

    async def end(self, world: World) -> None:
        self._set(world, 0)

    def _set(self, world: World, seconds: int) -> None:
        fresh = world.clock.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}\n")
        fresh.rename(world.clock)
