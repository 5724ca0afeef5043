"""The way a game came: how it stood lately, and how far a seat may go back without asking anyone."""

from __future__ import annotations

from typing import Any, NamedTuple

from gamehost.rules.kit import Seat

MOST_CHECKPOINTS = 16  # how many calls back a table in memory can go; from the log it can go anywhere


class CheckpointMissing(ValueError):
    """The way back is longer than what is remembered, or there is no such way."""


class Checkpoint(NamedTuple):
    """How a title stood after all that one call led to."""

    version: int
    state: Any
    position: int


Checkpoints = tuple[Checkpoint, ...]
"""The oldest first, and nothing that was undone."""


def checkpoints_until(past: Checkpoints, version: int) -> Checkpoints:
    """The past up to that version, which is the last one in it; raises Forgotten."""
    for end in range(len(past), 0, -1):
        if past[end - 1].version == version:
            return past[:end]
    raise CheckpointMissing(f"the way back to version {version} is not known")


class UndoWindow(NamedTuple):
    """`mover` alone has acted since the first of the versions `free`, and may go back to any of them alone.

    They are the versions before each of its actions, none of which is final by the rules of the title.
    `owed` has a seat once for each action that it took back alone and has not replaced by another.
    """

    free: tuple[int, ...] = ()
    mover: Seat | None = None
    undos: int = 0
    owed: tuple[Seat, ...] = ()

    def after_action(self, version: int, seat: Seat | None) -> UndoWindow:
        """An action of that seat begins with this version."""
        if seat is None:
            return self.closed()
        before = self.free[1 - MOST_CHECKPOINTS :] if seat == self.mover else ()
        return UndoWindow((*before, version - 1), seat, self.undos, _without_one(self.owed, seat))

    def closed(self) -> UndoWindow:
        """Something happened that nobody takes back alone."""
        return UndoWindow((), None, self.undos, self.owed) if self.free else self

    def after_undo(self, version: int) -> UndoWindow:
        """Back to that version. Who went back with the others' leave has learnt from what was undone."""
        if version not in self.free or self.mover is None:
            return UndoWindow(undos=self.undos + 1)
        at = self.free.index(version)
        owed = (*self.owed, *[self.mover] * (len(self.free) - at))
        return UndoWindow(self.free[:at], self.mover if at else None, self.undos + 1, owed)


def _without_one(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    at = seats.index(seat) if seat in seats else len(seats)
    return (*seats[:at], *seats[at + 1 :])
