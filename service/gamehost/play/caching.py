"""`LruCache`, the LRU cache that all caches with a limited size use."""

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
    """Evicts the least recently used values when their total size exceeds `capacity`.

    `size_of` returns the size of a value; by default each counts as one. `on_size` is called with the total
    size whenever it changes.
    """

    def __init__(
        self,
        capacity: int,
        size_of: Callable[[Value], int] = count_one,
        on_size: Callable[[int], None] = ignore,
    ) -> None:
        self._capacity, self._size_of, self._on_size = capacity, size_of, on_size
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self.size = 0
        on_size(0)

    def get(self, key: Key) -> Value | None:
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def put(self, key: Key, value: Value) -> Value:
        """Store a value and return it. A value larger than the capacity is not stored and evicts nothing."""
        self.discard(key)  # an old value must not stay if the new one is too large
        size = self._size_of(value)
        if size > self._capacity:
            return value
        self._entries[key] = value, size
        self.size += size
        while self.size > self._capacity:
            self.size -= self._entries.popitem(last=False)[1][1]
        self._on_size(self.size)
        return value

    def discard(self, key: Key) -> None:
        if entry := self._entries.pop(key, None):
            self.size -= entry[1]
            self._on_size(self.size)

    def __iter__(self) -> Iterator[Key]:
        # A copy, so that callers may discard keys while they iterate.
        return iter(list(self._entries))
