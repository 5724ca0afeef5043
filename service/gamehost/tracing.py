"""Optional traces with OpenTelemetry, from the caller's span to the spans of the store.

Without the package, or unless traces are enabled, nothing is recorded and OpenTelemetry is not imported.
Attributes contain methods, codes, reasons and game ids, as log lines do; never tokens, actions or views.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from gamehost import __version__

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
FLUSH_MS = 1000  # how long a process waits for the collector at its end
NO_CONTEXT: AbstractContextManager[Any] = nullcontext()


class Span(Protocol):
    """The span of one call."""

    def current(self) -> AbstractContextManager[Any]:
        """Returns a context manager in which new spans become children of this one."""

    def end(self, code: str, reason: str, game: object) -> None: ...


class NoSpan:
    """The span of calls that are not traced; it does nothing."""

    def current(self) -> AbstractContextManager[Any]:
        return NO_CONTEXT

    def end(self, code: str, reason: str, game: object) -> None:
        return


NO_SPAN = NoSpan()
_tracer: Any = None
_provider: Any = None


class OtelSpan:
    """A span of OpenTelemetry."""

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

        # Exceptions are not recorded: refusals are normal here, and messages could contain what the module
        # docstring rules out. `end` sets the status.
        context: AbstractContextManager[Any] = use_span(
            self._span, record_exception=False, set_status_on_exception=False
        )
        return context

    def end(self, code: str, reason: str, game: object) -> None:
        from opentelemetry.trace import StatusCode

        attributes = {"shedu.code": code, "shedu.reason": reason, "shedu.game": game}
        self._span.set_attributes({name: value for name, value in attributes.items() if value})
        if code in ("INTERNAL", "UNKNOWN", "UNAVAILABLE", "DATA_LOSS"):
            self._span.set_status(StatusCode.ERROR)
        self._span.end()


def begin_span(name: str, transport: str, traceparent: str | None) -> Span:
    """Starts the span of a call, a child of the caller's span if the call has a W3C traceparent."""
    return NO_SPAN if _tracer is None else OtelSpan(_tracer, name, transport, traceparent)


def child_span(name: str, **attributes: int | str) -> AbstractContextManager[Any]:
    """Returns a context manager that records a part of the current call."""
    if _tracer is None:
        return NO_CONTEXT
    span: AbstractContextManager[Any] = _tracer.start_as_current_span(
        name, attributes=attributes, record_exception=False
    )
    return span


def wanted(setting: bool | None) -> bool:
    """Whether traces are enabled: by the setting, or by the standard variable of OpenTelemetry."""
    return setting if setting is not None else bool(os.environ.get(ENDPOINT))


def start_tracing(exporter: Any = None) -> bool:
    """Starts recording spans; returns False if the extra `otel` is not installed."""
    global _tracer, _provider
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        span_exporter = exporter or _otlp()
    except ImportError:
        return False
    resource = Resource.create({"service.name": "shedu-gamehost", "service.version": __version__})
    # The handler at exit would wait for a dead collector without a limit; `finish_tracing` has one.
    _provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    _provider.add_span_processor(BatchSpanProcessor(span_exporter))
    _tracer = _provider.get_tracer("gamehost", __version__)
    return True


def finish_tracing() -> None:
    """Sends the remaining spans, unless the collector takes longer than FLUSH_MS."""
    global _tracer
    if _provider is not None:
        _provider.force_flush(FLUSH_MS)
    _tracer = None


def _otlp() -> Any:
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter()
