"""What was used lately, and no more of it than there is room for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from .ports.metrics import ignore

Key = TypeVar("Key")
Value = TypeVar("Value")


def count_one(_value: Any) -> int:
    return 1


class LruCache(Generic[Key, Value]):
    """Whatever was not asked for the longest time goes first.

    `room` is for as much as `weigh` says that values weigh: bytes, or without it so many of them. `holds` is
    called with the total weight whenever it changes.
    """

    def __init__(
        self, room: int, weigh: Callable[[Value], int] = count_one, holds: Callable[[int], None] = ignore
    ) -> None:
        self._capacity, self._size_of, self._on_size = room, weigh, holds
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self.size = 0
        holds(0)

    def get(self, key: Key) -> Value | None:
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def put(self, key: Key, value: Value) -> Value:
        """What is too heavy for the whole room is not kept at all, and makes no room for itself."""
        self.discard(key)
        weight = self._size_of(value)
        if weight > self._capacity:
            return value
        self._entries[key] = value, weight
        self.size += weight
        while self.size > self._capacity:
            self.size -= self._entries.popitem(last=False)[1][1]
        self._on_size(self.size)
        return value

    def discard(self, key: Key) -> None:
        if known := self._entries.pop(key, None):
            self.size -= known[1]
            self._on_size(self.size)

    def __iter__(self) -> Iterator[Key]:
        return iter(list(self._entries))
