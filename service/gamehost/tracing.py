"""Traces by OpenTelemetry, from a caller's span to the store's; without it, or unless wanted, nothing at all.

Attributes name methods, codes, reasons and games, as log lines do; never tokens, actions or views.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from gamehost import __version__

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
FLUSH_MS = 1000  # how long a process that leaves waits for its collector
NOTHING: AbstractContextManager[Any] = nullcontext()


class Span(Protocol):
    """One call under way."""

    def current(self) -> AbstractContextManager[Any]:
        """What happens inside is told as a part of it."""

    def end(self, code: str, reason: str, game: object) -> None: ...


class NoSpan:
    def current(self) -> AbstractContextManager[Any]:
        return NOTHING

    def end(self, code: str, reason: str, game: object) -> None:
        return


SILENT = NoSpan()
_tracer: Any = None
_provider: Any = None


class OtelSpan:
    def __init__(self, tracer: Any, name: str, transport: str, traceparent: str | None) -> None:
        from opentelemetry.trace import SpanKind
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        parent = TraceContextTextMapPropagator().extract({"traceparent": traceparent} if traceparent else {})
        service, _, method = name.strip("/").partition("/")
        attributes = {"rpc.service": service, "rpc.method": method, "shedu.transport": transport}
        self._span = tracer.start_span(
            name.strip("/"), context=parent, kind=SpanKind.SERVER, attributes=attributes
        )

    def current(self) -> AbstractContextManager[Any]:
        from opentelemetry.trace import use_span

        within: AbstractContextManager[Any] = use_span(
            self._span, record_exception=False, set_status_on_exception=False
        )
        return within

    def end(self, code: str, reason: str, game: object) -> None:
        from opentelemetry.trace import StatusCode

        told = {"shedu.code": code, "shedu.reason": reason, "shedu.game": game}
        self._span.set_attributes({name: value for name, value in told.items() if value})
        if code in ("INTERNAL", "UNKNOWN", "UNAVAILABLE", "DATA_LOSS"):
            self._span.set_status(StatusCode.ERROR)
        self._span.end()


def begin_span(name: str, transport: str, traceparent: str | None) -> Span:
    """The span of a call, child of the caller's if it sent a W3C traceparent."""
    return SILENT if _tracer is None else OtelSpan(_tracer, name, transport, traceparent)


def child_span(name: str, **attributes: int | str) -> AbstractContextManager[Any]:
    """A part of the call under way."""
    if _tracer is None:
        return NOTHING
    part: AbstractContextManager[Any] = _tracer.start_as_current_span(
        name, attributes=attributes, record_exception=False
    )
    return part


def wanted(setting: bool | None) -> bool:
    return setting if setting is not None else bool(os.environ.get(ENDPOINT))


def start_tracing(exporter: Any = None) -> bool:
    """Whether spans are made from now on; not where the extra `otel` is not installed."""
    global _tracer, _provider
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        sender = exporter or _otlp()
    except ImportError:
        return False
    who = Resource.create({"service.name": "shedu-gamehost", "service.version": __version__})
    _provider = TracerProvider(resource=who, shutdown_on_exit=False)
    _provider.add_span_processor(BatchSpanProcessor(sender))
    _tracer = _provider.get_tracer("gamehost", __version__)
    return True


def finish_tracing() -> None:
    """Send what is left, if the collector takes it soon."""
    global _tracer
    if _provider is not None:
        _provider.force_flush(FLUSH_MS)
    _tracer = None


def _otlp() -> Any:
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter()
