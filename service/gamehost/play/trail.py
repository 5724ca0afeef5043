"""The way a game came: how it stood lately, and how far a seat may go back without asking anyone."""

from __future__ import annotations

from typing import Any, NamedTuple

from gamehost.rules.kit import Seat

RECENT = 16  # how many calls back a table in memory can go; from the log it can go anywhere


class Forgotten(ValueError):
    """The way back is longer than what is remembered, or there is no such way."""


class Stand(NamedTuple):
    """How a title stood after all that one call led to."""

    version: int
    state: Any
    position: int


Past = tuple[Stand, ...]
"""The oldest first, and nothing that was undone."""


def stand_at(past: Past, version: int) -> Past:
    """The past up to that version, which is the last one in it; raises Forgotten."""
    for end in range(len(past), 0, -1):
        if past[end - 1].version == version:
            return past[:end]
    raise Forgotten(f"the way back to version {version} is not known")


class Trail(NamedTuple):
    """`mover` alone has acted since the first of the versions `free`, and may go back to any of them alone.

    They are the versions before each of its actions, none of which is final by the rules of the title.
    `owed` has a seat once for each action that it took back alone and has not replaced by another.
    """

    free: tuple[int, ...] = ()
    mover: Seat | None = None
    undos: int = 0
    owed: tuple[Seat, ...] = ()

    def acted(self, version: int, seat: Seat | None) -> Trail:
        """An action of that seat begins with this version."""
        if seat is None:
            return self.settled()
        before = self.free[1 - RECENT :] if seat == self.mover else ()
        return Trail((*before, version - 1), seat, self.undos, _without_one(self.owed, seat))

    def settled(self) -> Trail:
        """Something happened that nobody takes back alone."""
        return Trail((), None, self.undos, self.owed) if self.free else self

    def undone(self, version: int) -> Trail:
        """Back to that version. Who went back with the others' leave has learnt from what was undone."""
        if version not in self.free or self.mover is None:
            return Trail(undos=self.undos + 1)
        at = self.free.index(version)
        owed = (*self.owed, *[self.mover] * (len(self.free) - at))
        return Trail(self.free[:at], self.mover if at else None, self.undos + 1, owed)


def _without_one(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    at = seats.index(seat) if seat in seats else len(seats)
    return (*seats[:at], *seats[at + 1 :])
