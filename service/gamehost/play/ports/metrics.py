"""What is measured while games are played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class PlayMetrics(Protocol):
    """Keeps count of what is written, and of what is kept in memory for that."""

    def count_move(self, title: str) -> None:
        """A decision was answered, and it stands in the log for the first time."""
        ...

    def observe_append(self, seconds: float) -> None:
        """The store has taken events, whether it knew them or not."""
        ...

    def count_failed_append(self) -> None:
        """The store did not answer; whether it took the events is unknown."""
        ...

    def count_cache_hit(self) -> None:
        """A game was asked for that is in memory."""
        ...

    def count_cache_miss(self) -> None:
        """A game was asked for that had to be read from the store."""
        ...

    def set_cache_size(self, games: int, size: int) -> None:
        """So many games are in memory now, and so many bytes by estimate."""
        ...

    def cache_size_setter(self, cache: str) -> Callable[[int], None]:
        """A function that takes how many bytes that cache of recently used values holds, by estimate."""
        ...

    def set_watched_games(self, games: int) -> None:
        """So many games have watchers in this process now."""
        ...

    def set_unread_changes(self, changes: int) -> None:
        """So many changes are kept now for watchers that have not been told of them."""
        ...


class NoMetrics:
    """For whoever does not look."""

    def count_move(self, title: str) -> None: ...

    def observe_append(self, seconds: float) -> None: ...

    def count_failed_append(self) -> None: ...

    def count_cache_hit(self) -> None: ...

    def count_cache_miss(self) -> None: ...

    def set_cache_size(self, games: int, size: int) -> None: ...

    def cache_size_setter(self, cache: str) -> Callable[[int], None]:
        return ignore

    def set_watched_games(self, games: int) -> None: ...

    def set_unread_changes(self, changes: int) -> None: ...


def ignore(_size: int) -> None: ...


NO_METRICS = NoMetrics()


class BackgroundMetrics(Protocol):
    """Keeps count of what happens by itself."""

    def count_timeouts(self, title: str, seats: int) -> None: ...

    def count_bot_move(self, title: str, level: str) -> None: ...

    def count_bot_failure(self, title: str, level: str, why: str) -> None: ...

    def bot_waited(self, level: str, seconds: float) -> None:
        """A question to a bot of that level was taken up so long after its moment."""
        ...

    def bots_waiting(self, waiting: Mapping[str, int]) -> None:
        """How many questions wait in the store now, by level."""
        ...

    def count_archived(self, title: str) -> None: ...

    def observe_lag(self, agenda: str, late: float) -> None:
        """A game was looked at so many seconds after its moment."""
        ...

    def report_failure(self, agenda: str, game: str, error: Exception) -> None:
        """A game could not be seen to now."""
        ...
