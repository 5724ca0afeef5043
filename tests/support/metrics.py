"""Metrics of play that a test can read, for one service of a process."""

from __future__ import annotations

from collections.abc import Callable

from gamehost.api.pipeline.metrics import PrometheusPlayMetrics


class RecordedMetrics(PrometheusPlayMetrics):
    """Passes values on to Prometheus, and records the newest value of each gauge.

    Prometheus sees one value for the whole process, and a test may have several services in it.
    `recent_bytes` has the bytes of each cache now, `most_bytes` the largest number that it ever had.
    """

    def __init__(self) -> None:
        self.games = self.bytes = self.watched_games = self.unread_changes = 0
        self.recent_bytes: dict[str, int] = {}
        self.most_bytes: dict[str, int] = {}

    def set_cache_size(self, games: int, size: int) -> None:
        super().set_cache_size(games, size)
        self.games, self.bytes = games, size

    def cache_size_setter(self, cache: str) -> Callable[[int], None]:
        tell = super().cache_size_setter(cache)

        def holds(size: int) -> None:
            tell(size)
            self.recent_bytes[cache] = size
            self.most_bytes[cache] = max(size, self.most_bytes.get(cache, 0))

        return holds

    def set_watched_games(self, games: int) -> None:
        super().set_watched_games(games)
        self.watched_games = games

    def set_unread_changes(self, changes: int) -> None:
        super().set_unread_changes(changes)
        self.unread_changes = changes
