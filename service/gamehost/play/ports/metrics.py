"""The metrics that play reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class PlayMetrics(Protocol):
    """Metrics of writes, caches and watchers."""

    def count_move(self, title: str) -> None:
        """Count an answered decision; not called for a repeated request."""
        ...

    def observe_append(self, seconds: float) -> None:
        """Record the duration of an append that succeeded or was recognised as a repeated request."""
        ...

    def count_failed_append(self) -> None:
        """Count an append that the store did not confirm; it may have been applied."""
        ...

    def count_cache_hit(self) -> None:
        """Count a request for a game that is cached."""
        ...

    def count_cache_miss(self) -> None:
        """Count a request for a game that had to be loaded from the store."""
        ...

    def set_cache_size(self, games: int, size: int) -> None:
        """Set the number of cached games and their estimated size in bytes."""
        ...

    def cache_size_setter(self, cache: str) -> Callable[[int], None]:
        """Return a function that sets the estimated size of that LRU cache in bytes."""
        ...

    def count_remark(self, kind: str) -> None:
        """Count something that a seat has said: a phrase or a text."""
        ...

    def count_ticket(self, title: str, end: str, seconds: float) -> None:
        """Count a ticket that waits no longer, by what has become of it, and how long it has waited."""
        ...

    def set_watched_games(self, games: int) -> None:
        """Set the number of games with watchers in this process."""
        ...

    def set_unread_changes(self, changes: int) -> None:
        """Set the number of changes that are buffered for watchers."""
        ...


class NoMetrics:
    """Discards all metrics."""

    def count_move(self, title: str) -> None: ...

    def observe_append(self, seconds: float) -> None: ...

    def count_failed_append(self) -> None: ...

    def count_cache_hit(self) -> None: ...

    def count_cache_miss(self) -> None: ...

    def set_cache_size(self, games: int, size: int) -> None: ...

    def cache_size_setter(self, cache: str) -> Callable[[int], None]:
        return ignore

    def count_remark(self, kind: str) -> None: ...

    def count_ticket(self, title: str, end: str, seconds: float) -> None: ...

    def set_watched_games(self, games: int) -> None: ...

    def set_unread_changes(self, changes: int) -> None: ...


def ignore(_size: int) -> None: ...


NO_METRICS = NoMetrics()


class BackgroundMetrics(Protocol):
    """Metrics of the background workers."""

    def count_timeouts(self, title: str, seats: int) -> None: ...

    def count_bot_move(self, title: str, level: str) -> None: ...

    def count_bot_failure(self, title: str, level: str, why: str) -> None: ...

    def observe_bot_wait(self, level: str, seconds: float) -> None:
        """Record how long after it was due a bot of that level began to think."""
        ...

    def set_waiting_bots(self, waiting: Mapping[str, int]) -> None:
        """Set the number of questions that wait in the store, by level."""
        ...

    def count_archived(self, title: str) -> None: ...

    def count_delivery(self, outcome: str, seconds: float) -> None:
        """Record an attempt to deliver to a webhook: delivered, refused by a status, or unreachable."""
        ...

    def count_disabled_webhook(self, reason: str) -> None: ...

    def count_ticket(self, title: str, end: str, seconds: float) -> None:
        """Count a ticket that waits no longer, by what has become of it, and how long it has waited."""
        ...

    def count_late_game(self, title: str) -> None:
        """Count a rated game that came too late to be rated in the order of the games' ends."""
        ...

    def count_rated_game(self, title: str, *, again: int) -> None:
        """Count a rated game, and the games that were rated again because it came late."""
        ...

    def observe_lag(self, schedule: str, seconds: float) -> None:
        """Record how many seconds after it was due a game was checked."""
        ...

    def report_failure(self, schedule: str, game: str, error: Exception) -> None:
        """Report a check that failed and will be repeated."""
        ...
