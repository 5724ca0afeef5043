"""The parts of an encoding: named slices of an observation and named blocks of an action space.

Both are tables, from which the README is generated, so that the documentation cannot differ from the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gamehost.rules.kit import Seat

Array: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.int8]

SEATS = 4
"""The number of rows in slices by seat. Rows without a seat stay 0."""


class NoSuchAction(LookupError):
    """Not an action of the title, or an index out of range."""


class NoSuchSlice(LookupError):
    """The title's observations have no slice of that name."""


class Viewer:
    """A seat with its view. `order` lists all seats: the viewer first, then clockwise."""

    __slots__ = ("order", "seat", "view")

    def __init__(self, view: Any, seat: Seat, seats: int) -> None:
        self.view, self.seat = view, seat
        # Every seat sees itself first, so that one model can play all seats.
        self.order = [(seat + step) % seats for step in range(seats)]

    def offset(self, seat: int) -> int:
        """Return the position of a seat in `order`."""
        return (seat - self.seat) % len(self.order)


Fill: TypeAlias = Callable[[Array, Viewer], None]


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of an observation. `fill` writes numbers from -1 to 1 into an array of zeros of the shape."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    fill: Fill

    @property
    def size(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Block:
    """A range of the action space: every action of one kind that can ever be legal, in order."""

    name: str
    meaning: str
    actions: tuple[Any, ...]


class Encoding:
    """Encodes views and actions of one title, for any options and number of seats."""

    def __init__(
        self,
        title: str,
        version: int,
        seats: Callable[[Any], int],
        slices: Sequence[Slice],
        blocks: Sequence[Block],
    ) -> None:
        self.title, self.version = title, version
        self.slices, self.blocks = tuple(slices), tuple(blocks)
        self.size = sum(part.size for part in slices)
        self.actions = tuple(action for block in blocks for action in block.actions)
        self._seats = seats
        self._parts = [(start, start + part.size, part.shape, part.fill) for start, part in self.starts()]
        self._numbers = {action: number for number, action in enumerate(self.actions)}

    def starts(self) -> Iterator[tuple[int, Slice]]:
        """Yield each slice with the index of its first number."""
        start = 0
        for part in self.slices:
            yield start, part
            start += part.size

    def encode_view(self, view: Any, seat: Seat) -> Array:
        """Return the observation of a seat. The view is its only source, so it leaks nothing."""
        encoded = np.zeros(self.size, np.float32)
        viewer = Viewer(view, seat, self._seats(view))
        for start, end, shape, fill in self._parts:
            # reshape of a contiguous slice is a view, so `fill` writes into `encoded` itself.
            fill(encoded[start:end].reshape(shape), viewer)
        return encoded

    def part(self, observation: Array, name: str) -> Array:
        """Return one named slice of an observation, in its shape. Raises NoSuchSlice."""
        for start, part in self.starts():
            if part.name == name:
                return observation[start : start + part.size].reshape(part.shape)
        raise NoSuchSlice(f"{self.title} has no slice {name}")

    def index(self, action: Any) -> int:
        """Return the number of an action. Raises NoSuchAction."""
        try:
            return self._numbers[action]
        except (KeyError, TypeError):
            raise NoSuchAction(f"{self.title} has no action {action}") from None

    def action(self, index: int) -> Any:
        """Return the action with a number. Raises NoSuchAction."""
        if not 0 <= index < len(self.actions):
            raise NoSuchAction(f"{self.title} has actions 0 to {len(self.actions) - 1}, not {index}")
        return self.actions[index]

    def mask(self, actions: Iterable[Any]) -> Mask:
        """Return an array with a 1 for each of these actions."""
        mask = np.zeros(len(self.actions), np.int8)
        numbers = self._numbers
        # One assignment for all indexes: assigning each one separately is slow in numpy.
        mask[[numbers[action] for action in actions]] = 1
        return mask


def squashed(amount: float, half: float) -> float:
    """Map an unbounded amount to a number between -1 and 1, strictly monotonically; `half` becomes 0.5."""
    # Unlike a cut-off at a maximum, this keeps large amounts apart.
    return amount / (abs(amount) + half)


def one_hot(count: int, read: Callable[[Any], int | None], first: int = 0) -> Fill:
    """Fill a one-hot array of `count` values. `read` returns a value, counted from `first`, or None."""

    def fill(part: Array, viewer: Viewer) -> None:
        value = read(viewer.view)
        if value is not None:
            assert 0 <= value - first < count
            part[value - first] = 1

    return fill


def flags(read: Callable[[Any], Iterable[bool | float]]) -> Fill:
    """Fill with values that are already between 0 and 1, in order."""

    def fill(part: Array, viewer: Viewer) -> None:
        for at, value in enumerate(read(viewer.view)):
            part[at] = value

    return fill


def one_hot_seat(read: Callable[[Any], int | None]) -> Fill:
    """Fill a one-hot array over the seats, in the viewer's order."""

    def fill(part: Array, viewer: Viewer) -> None:
        seat = read(viewer.view)
        if seat is not None:
            part[viewer.offset(seat)] = 1

    return fill


def by_seat(write: Callable[[Array, Any, int], None]) -> Fill:
    """Fill one row for each seat, in the viewer's order. `write` gets the row, the view and the seat."""

    def fill(part: Array, viewer: Viewer) -> None:
        for row, seat in zip(part, viewer.order, strict=False):
            write(row, viewer.view, seat)

    return fill
