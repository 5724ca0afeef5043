"""Checkpoints of recent states, and the window in which a seat may undo its moves without a proposal."""

from __future__ import annotations

from typing import Any, NamedTuple

from gamehost.rules.kit import Seat

MOST_CHECKPOINTS = 16  # calls that a cached table can undo; for older ones the log is folded again


class CheckpointMissing(ValueError):
    """The table has no checkpoint of the version that an undo goes back to."""


class Checkpoint(NamedTuple):
    """The state of the title after all events of one call."""

    version: int
    state: Any
    position: int


Checkpoints = tuple[Checkpoint, ...]
"""Oldest first, without those that were undone."""


def checkpoints_until(checkpoints: Checkpoints, version: int) -> Checkpoints:
    """Return the checkpoints up to the one of that version; raises CheckpointMissing if there is none."""
    for end in range(len(checkpoints), 0, -1):
        if checkpoints[end - 1].version == version:
            return checkpoints[:end]
    raise CheckpointMissing(f"there is no checkpoint of version {version}")


class UndoWindow(NamedTuple):
    """The versions that a seat may go back to without asking the others.

    `free` are the versions before each action of `mover` since another seat last acted or an event happened
    that is final by the rules of the title. `undos` counts all undos of the game. `owed` contains a seat once
    for each action that it undid alone and has not yet replaced by another one; see `clocks`.
    """

    free: tuple[int, ...] = ()
    mover: Seat | None = None
    undos: int = 0
    owed: tuple[Seat, ...] = ()

    def after_action(self, version: int, seat: Seat | None) -> UndoWindow:
        """Return the window after an action of that seat whose first event has this version."""
        if seat is None:
            return self.closed()
        before = self.free[1 - MOST_CHECKPOINTS :] if seat == self.mover else ()
        return UndoWindow((*before, version - 1), seat, self.undos, _without_one(self.owed, seat))

    def closed(self) -> UndoWindow:
        """Return the window after an event that cannot be undone without a proposal."""
        return UndoWindow((), None, self.undos, self.owed) if self.free else self

    def after_undo(self, version: int) -> UndoWindow:
        """Return the window after an undo to that version, inside the window or beyond it."""
        if version not in self.free or self.mover is None:
            # Beyond the window: moves of others are undone, too, and the seat has seen them. From here on it
            # may not go back further alone.
            return UndoWindow(undos=self.undos + 1)
        index = self.free.index(version)
        owed = (*self.owed, *[self.mover] * (len(self.free) - index))
        return UndoWindow(self.free[:index], self.mover if index else None, self.undos + 1, owed)


def _without_one(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    index = seats.index(seat) if seat in seats else len(seats)
    return (*seats[:index], *seats[index + 1 :])
