"""One HTTP connection: counted against the limits, with time-outs for headers and bodies."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from gamehost.api.pipeline.status import RpcError, status_of
from gamehost.play.errors import InvalidRequest, TooMuch

from .connections import CloseReason, HttpConnections
from .header_limit import HeaderLimitProtocol
from .http import JSON, error_json, headers_of
from .whole_response import offer

RETRY_AFTER_SECONDS = 1.0


class BoundedHttp(HeaderLimitProtocol):
    """Closes connections that exceed the limits of `connections` or send a request too slowly.

    uvicorn has a time-out between requests (`timeout_keep_alive`) but none within a request: a client that
    sends one byte a minute would keep its connection for ever. Here the time for the headers runs from the
    opening of the connection or from the first byte of a later request, and the time for the body from the
    end of the headers. Bytes that arrive in between extend neither.

    A response has no time-out as long as the client reads it, so streams are not affected. A client that has
    stopped reading for `write_seconds` is cut off: otherwise it would hold its stream, and the messages
    queued for it, for ever. Nothing more is sent to it; an error could not be written either.
    """

    def __init__(self, *arguments: Any, connections: HttpConnections, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._connections, self._limits = connections, connections.limits
        self._in_body, self._requests = False, 0
        self._timer: asyncio.TimerHandle | None = None
        # What the running timer waits for: headers or body, and of which request on this connection.
        self._timed: tuple[CloseReason, int] | None = None
        self._unread_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        reason = self._connections.opened(self, self.client[0] if self.client else "")
        if reason is None:
            self._update_timer()
        else:
            self._connections.count(reason)
            transport.write(TOO_MANY_CONNECTIONS_RESPONSE)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._stop_unread_timer()
        self._connections.closed(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._update_timer()

    def on_message_begin(self) -> None:
        self._requests += 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_body, before = True, self.cycle
        super().on_headers_complete()
        if self.cycle is not before:  # uvicorn has accepted the request
            offer(cast(Any, self.scope), self.cycle)

    def on_message_complete(self) -> None:
        self._in_body = False
        super().on_message_complete()
        # A response may be complete before the body is, for example an error about the headers.
        if not self.cycle.response_complete:
            self._connections.mark_busy(self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:  # otherwise uvicorn has started on a pipelined request
            self._connections.mark_idle(self)

    def timeout_keep_alive_handler(self) -> None:
        if not self.transport.is_closing():
            self._connections.count(CloseReason.IDLE)
        super().timeout_keep_alive_handler()

    def pause_writing(self) -> None:
        """Called when the client has not read what was sent before, and too much of it waits."""
        super().pause_writing()
        self._stop_unread_timer()
        self._unread_timer = self.loop.call_later(self._limits.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_unread_timer()

    def _stop_unread_timer(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def evict(self) -> None:
        self._stop_timer()
        self.transport.abort()

    def _update_timer(self) -> None:
        """Starts, keeps or stops the timer after data has arrived."""
        # Most requests arrive in one chunk and never start a timer. A timer that waits for the same part of
        # the same request is kept, so that slow bytes do not extend the time.
        missing = self._missing()
        if missing != self._timed:
            self._stop_timer()
            if missing is not None and not self.transport.is_closing():
                self._start_timer(missing)

    def _missing(self) -> tuple[CloseReason, int] | None:
        """Returns what the client still has to send and of which request; None while a response is due."""
        if self._in_body:
            return CloseReason.BODY_TIMEOUT, self._requests
        if self._in_head or self.cycle is None or self.cycle.response_complete:
            return CloseReason.HEAD_TIMEOUT, self._requests
        return None

    def _start_timer(self, missing: tuple[CloseReason, int]) -> None:
        limits = self._limits
        seconds = limits.body_seconds if missing[0] is CloseReason.BODY_TIMEOUT else limits.head_seconds
        self._timed, self._timer = missing, self.loop.call_later(seconds, self._expire, missing)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timed = self._timer = None

    def _expire(self, missing: tuple[CloseReason, int]) -> None:
        if self.transport.is_closing():
            return
        # While an earlier request is answered, uvicorn pauses reading: the client may have sent everything.
        if self._answers_earlier():
            self._start_timer(missing)
            return
        self._connections.count(missing[0])
        if self._in_body and not self.cycle.response_started:
            self.transport.write(BODY_TIMEOUT_RESPONSE)
        self.transport.close()

    def _answers_earlier(self) -> bool:
        """Whether a request before the incomplete one is still being answered (HTTP pipelining)."""
        if self._in_body:
            return bool(self.pipeline)
        return self.cycle is not None and not self.cycle.response_complete


def raw_response(status_line: str, error: RpcError) -> bytes:
    """Returns the bytes of a whole response, for a connection without a request that ASGI could answer."""
    body = error_json(error)
    headers = [("content-type", JSON), ("content-length", str(len(body))), ("connection", "close")]
    head = "".join(f"{name}: {value}\r\n" for name, value in [*headers, *headers_of(error)])
    return f"HTTP/1.1 {status_line}\r\n{head}\r\n".encode("latin-1") + body


TOO_MANY_CONNECTIONS_RESPONSE = raw_response(
    "503 Service Unavailable",
    RpcError(status_of(TooMuch("too many connections", RETRY_AFTER_SECONDS, "connection")), 503),
)
BODY_TIMEOUT_RESPONSE = raw_response(
    "408 Request Timeout", RpcError(status_of(InvalidRequest("body", "did not arrive in time")), 408)
)
