"""What is measured while games are played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Meter(Protocol):
    """Keeps count of what is written, and of what is kept in memory for that."""

    def moved(self, title: str) -> None:
        """A decision was answered, and it stands in the log for the first time."""
        ...

    def appended(self, seconds: float) -> None:
        """The store has taken events, whether it knew them or not."""
        ...

    def append_failed(self) -> None:
        """The store did not answer; whether it took the events is unknown."""
        ...

    def found(self) -> None:
        """A game was asked for that is in memory."""
        ...

    def fetched(self) -> None:
        """A game was asked for that had to be read from the store."""
        ...

    def holds(self, games: int, size: int) -> None:
        """So many games are in memory now, and so many bytes by estimate."""
        ...

    def recent(self, cache: str) -> Callable[[int], None]:
        """A function that takes how many bytes that cache of recently used values holds, by estimate."""
        ...

    def watched(self, games: int) -> None:
        """So many games have watchers in this process now."""
        ...

    def unread(self, changes: int) -> None:
        """So many changes are kept now for watchers that have not been told of them."""
        ...


class Unmetered:
    """For whoever does not look."""

    def moved(self, title: str) -> None: ...

    def appended(self, seconds: float) -> None: ...

    def append_failed(self) -> None: ...

    def found(self) -> None: ...

    def fetched(self) -> None: ...

    def holds(self, games: int, size: int) -> None: ...

    def recent(self, cache: str) -> Callable[[int], None]:
        return ignore

    def watched(self, games: int) -> None: ...

    def unread(self, changes: int) -> None: ...


def ignore(_size: int) -> None: ...


UNMETERED = Unmetered()
