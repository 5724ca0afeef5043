"""Traces calls as spans, if OpenTelemetry is installed and a tracer is set up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Headers = tuple[tuple[str, str], ...]

try:
    from opentelemetry import trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
except ImportError:
    trace = None  # type: ignore[assignment]


@contextmanager
def traced(request: object) -> Iterator[Headers]:
    """Yields metadata that makes the server's span a child of this call's; attempts share one span."""
    if trace is None:
        yield ()
        return
    method = type(request).__name__.removesuffix("Request")
    span = trace.get_tracer("shedu").start_span(f"shedu {method}", kind=trace.SpanKind.CLIENT)
    try:
        yield _headers(span)
    except Exception as error:
        span.set_status(trace.StatusCode.ERROR, type(error).__name__)
        raise
    finally:
        span.end()


def _headers(span: Any) -> Headers:
    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier, trace.set_span_in_context(span))
    return tuple(carrier.items())
