"""What Prometheus sees; names and labels are stable."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

CALLS = Counter("shedu_calls", "Calls that have ended.", ["method", "transport", "code"])
SECONDS = Histogram(
    "shedu_call_seconds",
    "How long unary calls took.",
    ["method", "transport"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
OPEN_STREAMS = Gauge(
    "shedu_open_streams", "Streams open now.", ["method", "transport"], multiprocess_mode="livesum"
)
STREAM_MESSAGES = Counter("shedu_stream_messages", "Messages sent on streams.", ["method", "transport"])


def exposition() -> bytes:
    """Of this process; of all workers together when there are several."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
