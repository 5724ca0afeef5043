"""What an encoding is made of: named slices of an observation and named blocks of an action space.

Both are tables, so that what the documents say of an encoding is what it does.
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
"""Rows by seat have room for so many; those of nobody stay 0."""


class NoSuchAction(LookupError):
    """Not an action of the title, or not a number of one."""


class NoSuchSlice(LookupError):
    """The title's observations have no slice of that name."""


class Seen:
    """A view, and its seats in the order of the viewer: itself first, then clockwise."""

    __slots__ = ("order", "seat", "view")

    def __init__(self, view: Any, seat: Seat, seats: int) -> None:
        self.view, self.seat = view, seat
        self.order = [(seat + step) % seats for step in range(seats)]

    def place(self, seat: int) -> int:
        """How many chairs clockwise of the viewer a seat is."""
        return (seat - self.seat) % len(self.order)


Fill: TypeAlias = Callable[[Array, Seen], None]


@dataclass(frozen=True, slots=True)
class Slice:
    """Part of an observation. `fill` writes into zeros of the shape; every number lies in -1 to 1."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    fill: Fill

    @property
    def size(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Block:
    """A run of the action space: every action of one kind that can ever be legal, in order."""

    name: str
    meaning: str
    actions: tuple[Any, ...]


class Encoding:
    """One title's observations and actions as arrays and numbers, for any options and number of seats."""

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
        """Each slice with the place of its first number."""
        start = 0
        for part in self.slices:
            yield start, part
            start += part.size

    def encode_view(self, view: Any, seat: Seat) -> Array:
        """What the seat knows, and nothing else: a view holds no more."""
        encoded = np.zeros(self.size, np.float32)
        seen = Seen(view, seat, self._seats(view))
        for start, end, shape, fill in self._parts:
            fill(encoded[start:end].reshape(shape), seen)
        return encoded

    def part(self, observation: Array, name: str) -> Array:
        """One named slice of an observation, in its shape."""
        for start, part in self.starts():
            if part.name == name:
                return observation[start : start + part.size].reshape(part.shape)
        raise NoSuchSlice(f"{self.title} has no slice {name}")

    def index(self, action: Any) -> int:
        try:
            return self._numbers[action]
        except (KeyError, TypeError):
            raise NoSuchAction(f"{self.title} has no action {action}") from None

    def action(self, index: int) -> Any:
        if not 0 <= index < len(self.actions):
            raise NoSuchAction(f"{self.title} has actions 0 to {len(self.actions) - 1}, not {index}")
        return self.actions[index]

    def mask(self, actions: Iterable[Any]) -> Mask:
        """1 for each of these actions."""
        mask = np.zeros(len(self.actions), np.int8)
        numbers = self._numbers
        mask[[numbers[action] for action in actions]] = 1
        return mask


def squashed(amount: float, half: float) -> float:
    """An amount without bound, between -1 and 1, with nothing lost: `half` becomes a half."""
    return amount / (abs(amount) + half)


def by_value(count: int, read: Callable[[Any], int | None], first: int = 0) -> Fill:
    """One-hot: `read` gives which of `count`, counted from `first`; None is none of them."""

    def fill(part: Array, seen: Seen) -> None:
        value = read(seen.view)
        if value is not None:
            assert 0 <= value - first < count
            part[value - first] = 1

    return fill


def flags(read: Callable[[Any], Iterable[bool | float]]) -> Fill:
    """Values that are between 0 and 1 already, in order, from the first place on."""

    def fill(part: Array, seen: Seen) -> None:
        for at, value in enumerate(read(seen.view)):
            part[at] = value

    return fill


def who(read: Callable[[Any], int | None]) -> Fill:
    """One-hot over the seats in the viewer's order."""

    def fill(part: Array, seen: Seen) -> None:
        seat = read(seen.view)
        if seat is not None:
            part[seen.place(seat)] = 1

    return fill


def by_seat(write: Callable[[Array, Any, int], None]) -> Fill:
    """A row for each seat in the viewer's order; `write` is given the row, the view and the seat's number."""

    def fill(part: Array, seen: Seen) -> None:
        for row, seat in zip(part, seen.order, strict=False):
            write(row, seen.view, seat)

    return fill
