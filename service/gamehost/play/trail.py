"""The way a game came: how it stood lately, and how far a seat may go back without asking anyone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gamehost.rules.kit import Seat

RECENT = 16  # how many causes back a table in memory can go; from the log it can go anywhere


class Forgotten(ValueError):
    """The way back is longer than what is remembered, or there is no such way."""


class Stand(NamedTuple):
    """How a title stood after all that one call led to."""

    version: int
    state: Any
    position: int


@dataclass(frozen=True, slots=True)
class Trail:
    """`mover` alone has acted since the first of the versions `free`, and may go back to any of them alone.

    They are the versions before each of its actions, none of which is final by the rules of the title.
    """

    past: tuple[Stand, ...] = field(default=(), compare=False)  # oldest first; what was undone is not there
    free: tuple[int, ...] = ()
    mover: Seat | None = None
    undos: int = 0

    def reached(self, stand: Stand, recent: int | None) -> Trail:
        """The game stands again; `recent` is how many such moments are remembered, None for all."""
        past = self.past if recent is None else self.past[1 - recent :]
        return Trail((*past, stand), self.free, self.mover, self.undos)

    def moved(self, version: int, seat: Seat | None, *, final: bool) -> Trail:
        """An event of the title; the first one that a call leads to begins an action."""
        begins = bool(self.past) and self.past[-1].version == version - 1
        if final or (begins and seat is None):
            return Trail(self.past, (), None, self.undos)
        if not begins:
            return self
        before = self.free[1 - RECENT :] if seat == self.mover else ()
        return Trail(self.past, (*before, version - 1), seat, self.undos)

    def back_to(self, version: int) -> tuple[Trail, Stand]:
        """The trail and how the game stood there; raises Forgotten."""
        for at in reversed(range(len(self.past))):
            if self.past[at].version == version:
                free = self.free[: self.free.index(version)] if version in self.free else ()
                trail = Trail(self.past[: at + 1], free, self.mover if free else None, self.undos + 1)
                return trail, self.past[at]
        raise Forgotten(f"the way back to version {version} is not known")


START = Trail()
