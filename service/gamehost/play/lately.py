"""What was used lately, and no more of it than there is room for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from .meter import ignore

Key = TypeVar("Key")
Value = TypeVar("Value")


def one(_value: Any) -> int:
    return 1


class Lately(Generic[Key, Value]):
    """Whatever was not asked for the longest time goes first.

    `room` is for as much as `weigh` says that values weigh: bytes, or without it so many of them. `holds` is
    called with the total weight whenever it changes.
    """

    def __init__(
        self, room: int, weigh: Callable[[Value], int] = one, holds: Callable[[int], None] = ignore
    ) -> None:
        self._room, self._weigh, self._holds = room, weigh, holds
        self._known: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self.weight = 0
        holds(0)

    def get(self, key: Key) -> Value | None:
        if key not in self._known:
            return None
        self._known.move_to_end(key)
        return self._known[key][0]

    def keep(self, key: Key, value: Value) -> Value:
        """What is too heavy for the whole room is not kept at all, and makes no room for itself."""
        self.forget(key)
        weight = self._weigh(value)
        if weight > self._room:
            return value
        self._known[key] = value, weight
        self.weight += weight
        while self.weight > self._room:
            self.weight -= self._known.popitem(last=False)[1][1]
        self._holds(self.weight)
        return value

    def forget(self, key: Key) -> None:
        if known := self._known.pop(key, None):
            self.weight -= known[1]
            self._holds(self.weight)

    def __iter__(self) -> Iterator[Key]:
        return iter(list(self._known))
