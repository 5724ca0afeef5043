"""A fault that moves the clocks of processes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..environment import Environment, library
from .fault import Fault


class ClockJump(Fault):
    """Moves the wall clock of one process or of all; their monotonic clocks are unchanged."""

    name, about = "clock_jump", "the clock of one process, or of all, jumps by up to an hour, there and back"
    needs = frozenset({"own_clock"})
    seconds = (3.0, 6.0)

    @classmethod
    def missing(cls) -> str:
        return "" if library("libfaketimeMT.so.1") else "libfaketime (package faketime) is not installed"

    async def begin(self, environment: Environment) -> None:
        seconds = self.coin.choice([-1, 1]) * self.coin.randrange(60, 3600)
        victims = self.coin.choice([environment.clocks, [self.coin.choice(environment.clocks)]])
        self.note = f"{seconds:+d} s at {len(victims)} of {len(environment.clocks)} processes"
        self._set(victims, seconds)

    async def end(self, environment: Environment) -> None:
        self._set(environment.clocks, 0)

    def _set(self, clocks: Sequence[Path], seconds: int) -> None:
        for clock in clocks:
            fresh = clock.with_suffix(".new")
            fresh.write_text(f"{seconds:+d}\n")
            fresh.rename(clock)
