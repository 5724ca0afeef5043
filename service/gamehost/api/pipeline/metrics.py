"""The Prometheus metrics of the service. Names and labels are stable: dashboards and alerts use them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from gamehost.play.errors import PlayError
from shedu.v1.error_reason_pb2 import ErrorReason

CALLS = Counter("shedu_calls", "Calls that have ended.", ["method", "transport", "code"])
REFUSALS = Counter("shedu_refusals", "Calls that failed, by the reason in the answer.", ["method", "reason"])
CALL_SECONDS = Histogram(
    "shedu_call_seconds",
    "Duration of unary calls.",
    ["method", "transport"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
OPEN_STREAMS = Gauge(
    "shedu_open_streams", "Streams open now.", ["method", "transport"], multiprocess_mode="livesum"
)
STREAM_MESSAGES = Counter("shedu_stream_messages", "Messages sent on streams.", ["method", "transport"])
MOVES = Counter("shedu_moves", "Decisions that people and bots answered.", ["title"])
APPEND_SECONDS = Histogram(
    "shedu_append_seconds",
    "Duration of writes to the store.",
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
APPEND_FAILURES = Counter("shedu_append_failures", "Writes that the store did not confirm.")
CACHE_HITS = Counter("shedu_cache_hits", "Look-ups of games that were in memory.")
CACHE_MISSES = Counter("shedu_cache_misses", "Look-ups of games that were read from the store.")
CACHE_GAMES = Gauge("shedu_cache_games", "Games in memory.", multiprocess_mode="livesum")
CACHE_BYTES = Gauge(
    "shedu_cache_bytes", "Estimated size of the games in memory.", multiprocess_mode="livesum"
)
RECENT_BYTES = Gauge(
    "shedu_recent_bytes",
    "Estimated size of each cache of recent tables and messages.",
    ["cache"],
    multiprocess_mode="livesum",
)
WATCHED_GAMES = Gauge("shedu_watched_games", "Games with watchers now.", multiprocess_mode="livesum")
UNREAD_CHANGES = Gauge(
    "shedu_unread_changes",
    "Changes held in memory for watchers that have not received them yet.",
    multiprocess_mode="livesum",
)
READY = Gauge("shedu_ready", "1 while the store answers and calls are accepted.", multiprocess_mode="livemin")
OPEN_CONNECTIONS = Gauge(
    "shedu_open_connections", "Connections open now, by port.", ["port"], multiprocess_mode="livesum"
)
CLOSED_CONNECTIONS = Counter(
    "shedu_closed_connections", "Connections that the service closed, by port and cause.", ["port", "why"]
)
TIMEOUTS = Counter("shedu_timeouts", "Seats that ran out of time.", ["title"])
BOT_MOVES = Counter("shedu_bot_moves", "Decisions that hosted bots answered.", ["title", "level"])
BOT_FAILURES = Counter(
    "shedu_bot_failures", "Decisions answered at random because a bot failed.", ["title", "level", "why"]
)
BOT_QUEUE = Gauge(
    "shedu_bot_queue",
    "Decisions in the store that wait for a bot, by level; every process reports the same.",
    ["level"],
    multiprocess_mode="livemostrecent",
)
BOT_WAIT = Histogram(
    "shedu_bot_wait_seconds",
    "Delay between the due time of a bot's decision and the start of work on it.",
    ["level"],
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300),
)
SCHEDULE_LAG = Histogram(
    "shedu_agenda_lag_seconds",
    "Delay between the due time of a scheduled game and the start of work on it.",
    ["agenda"],
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60),
)
SCHEDULE_FAILURES = Counter(
    "shedu_agenda_failures", "Scheduled work on games that failed and is retried later.", ["agenda"]
)

ARCHIVED = Counter("shedu_archived_games", "Games moved to the archive.", ["title"])
TICKET_SECONDS = Histogram(
    "shedu_ticket_seconds",
    "How long tickets of matchmaking have waited, by what has become of them.",
    ["title", "end"],
    buckets=(0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1800),
)
RATED_GAMES = Counter("shedu_rated_games", "Finished games that have changed ratings.", ["title"])
RATED_AGAIN = Counter(
    "shedu_rated_again", "Games that were rated again because one that ended before came late.", ["title"]
)
RATED_LATE = Counter(
    "shedu_rated_late", "Games that came too late to be rated in the order of their ends.", ["title"]
)

REMARKS = Counter("shedu_talk_remarks", "Things that seats have said: phrases and texts.", ["kind"])
DELIVERIES = Counter(
    "shedu_webhook_deliveries",
    "Attempts to deliver an event to a webhook: delivered, refused by a status, or unreachable.",
    ["outcome"],
)
DELIVERY_SECONDS = Histogram(
    "shedu_webhook_delivery_seconds",
    "Duration of attempts to deliver an event to a webhook.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
DISABLED_WEBHOOKS = Counter(
    "shedu_webhooks_disabled", "Webhooks that were disabled because of their failures.", ["reason"]
)

REASONS = frozenset(name.removeprefix("ERROR_REASON_") for name, _ in ErrorReason.items())
RULES = "RULES"  # one label value for all reasons that titles define

log = structlog.get_logger("gamehost.api")


@cache
def ended_calls(method: str, transport: str, code: str) -> Counter:
    """The counter of calls with these labels. `labels` checks them and takes a lock, each time anew."""
    return CALLS.labels(method, transport, code)


@cache
def call_seconds(method: str, transport: str) -> Histogram:
    """The histogram of calls with these labels."""
    return CALL_SECONDS.labels(method, transport)


@cache
def stream_messages(method: str, transport: str) -> Counter:
    """The counter of messages with these labels."""
    return STREAM_MESSAGES.labels(method, transport)


def refused(method: str, reason: str) -> None:
    """Counts a failed call. Reasons of titles share a label value, which bounds the number of series."""
    REFUSALS.labels(method, reason if reason in REASONS else RULES).inc()


def connection_closed(port: str, why: str) -> None:
    CLOSED_CONNECTIONS.labels(port, why).inc()


@cache
def _moves(title: str) -> Counter:
    return MOVES.labels(title)


class PrometheusPlayMetrics:
    """Implements the port `PlayMetrics`."""

    def count_move(self, title: str) -> None:
        _moves(title).inc()

    def observe_append(self, seconds: float) -> None:
        APPEND_SECONDS.observe(seconds)

    def count_failed_append(self) -> None:
        APPEND_FAILURES.inc()

    def count_cache_hit(self) -> None:
        CACHE_HITS.inc()

    def count_cache_miss(self) -> None:
        CACHE_MISSES.inc()

    def set_cache_size(self, games: int, size: int) -> None:
        CACHE_GAMES.set(games)
        CACHE_BYTES.set(size)

    def cache_size_setter(self, cache: str) -> Callable[[int], None]:
        """Returns a function that sets the size of a cache."""
        # Looked up once per cache: `labels` takes a lock, and this is set with every message.
        return RECENT_BYTES.labels(cache).set

    def count_remark(self, kind: str) -> None:
        REMARKS.labels(kind).inc()

    def count_ticket(self, title: str, end: str, seconds: float) -> None:
        TICKET_SECONDS.labels(title, end).observe(seconds)

    def set_watched_games(self, games: int) -> None:
        WATCHED_GAMES.set(games)

    def set_unread_changes(self, changes: int) -> None:
        UNREAD_CHANGES.set(changes)


class PrometheusBackgroundMetrics:
    """Implements the port `BackgroundMetrics`."""

    def __init__(self) -> None:
        self._reported_levels: set[str] = set()

    def count_timeouts(self, title: str, seats: int) -> None:
        TIMEOUTS.labels(title).inc(seats)

    def count_bot_move(self, title: str, level: str) -> None:
        BOT_MOVES.labels(title, level).inc()

    def count_bot_failure(self, title: str, level: str, why: str) -> None:
        BOT_FAILURES.labels(title, level, why).inc()
        log.warning("a bot failed", title=title, level=level, why=why)

    def observe_bot_wait(self, level: str, seconds: float) -> None:
        BOT_WAIT.labels(level).observe(seconds)

    def set_waiting_bots(self, waiting: Mapping[str, int]) -> None:
        """Sets the queue length of every level."""
        # Levels reported before are set to 0 when they are absent: a gauge keeps its last value for ever.
        self._reported_levels |= set(waiting)
        for level in self._reported_levels:
            BOT_QUEUE.labels(level).set(waiting.get(level, 0))

    def count_archived(self, title: str) -> None:
        ARCHIVED.labels(title).inc()

    def count_delivery(self, outcome: str, seconds: float) -> None:
        DELIVERIES.labels(outcome).inc()
        DELIVERY_SECONDS.observe(seconds)

    def count_disabled_webhook(self, reason: str) -> None:
        DISABLED_WEBHOOKS.labels(reason).inc()

    def count_ticket(self, title: str, end: str, seconds: float) -> None:
        TICKET_SECONDS.labels(title, end).observe(seconds)

    def count_rated_game(self, title: str, *, again: int) -> None:
        RATED_GAMES.labels(title).inc()
        RATED_AGAIN.labels(title).inc(again)

    def count_late_game(self, title: str) -> None:
        RATED_LATE.labels(title).inc()
        log.warning("a rated game came too late to be rated in the order of the games' ends", title=title)

    def observe_lag(self, agenda: str, late: float) -> None:
        SCHEDULE_LAG.labels(agenda).observe(late)

    def report_failure(self, agenda: str, game: str, error: Exception) -> None:
        """Counts and logs a failure; the log line of an unexpected exception has its traceback."""
        SCHEDULE_FAILURES.labels(agenda).inc()
        unexpected = None if isinstance(error, PlayError) else error
        log.warning(
            "scheduled work failed", agenda=agenda, game=game, why=type(error).__name__, exc_info=unexpected
        )


def exposition() -> bytes:
    """The metrics in text form: of this process, or summed over all workers if there are several."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
