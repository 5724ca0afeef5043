"""One HTTP connection: counted, and closed when it is silent for too long."""

from __future__ import annotations

import asyncio
from typing import Any

from gamehost.api.pipeline.status import RpcError, status_of
from gamehost.play.errors import InvalidRequest, TooMuch

from .connections import HttpConnections, Why
from .header_limit import HeaderLimitProtocol
from .http import JSON, error_text, headers_of

RETRY_SECONDS = 1.0


class BoundedHttp(HeaderLimitProtocol):
    """Closes a connection over the limits of `connections`, and one that does not finish what it sends.

    The time for a head runs from the opening of the connection or the first byte, the time for a body from
    the end of the head; single bytes in between extend neither. The time between requests is uvicorn's
    `timeout_keep_alive`. Nothing limits the time of an answer here, so streams are left alone.
    """

    def __init__(self, *arguments: Any, connections: HttpConnections, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._connections, self._limits = connections, connections.limits
        self._in_body, self._requests = False, 0
        self._timer: asyncio.TimerHandle | None = None
        self._timed: tuple[Why, int] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        why = self._connections.opened(self, self.client[0] if self.client else "")
        if why is None:
            self._watch()
        else:
            self._connections.count(why)
            transport.write(TOO_MANY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._connections.closed(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_message_begin(self) -> None:
        self._requests += 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_body = False
        super().on_message_complete()
        if not self.cycle.response_complete:
            self._connections.serves(self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:  # else the next request was there already
            self._connections.waits(self)

    def timeout_keep_alive_handler(self) -> None:
        if not self.transport.is_closing():
            self._connections.count(Why.IDLE)
        super().timeout_keep_alive_handler()

    def evict(self) -> None:
        self._stop_timer()
        self.transport.abort()

    def _watch(self) -> None:
        """Starts a timer only where a chunk ends within a request: most requests come whole and need none."""
        missing = self._missing()
        if missing != self._timed:
            self._stop_timer()
            if missing is not None and not self.transport.is_closing():
                self._start_timer(missing)

    def _missing(self) -> tuple[Why, int] | None:
        """What the client still has to send, and of which request."""
        if self._in_body:
            return Why.BODY_TIMEOUT, self._requests
        if self._in_head or self.cycle is None or self.cycle.response_complete:
            return Why.HEAD_TIMEOUT, self._requests
        return None

    def _start_timer(self, missing: tuple[Why, int]) -> None:
        limits = self._limits
        seconds = limits.body_seconds if missing[0] is Why.BODY_TIMEOUT else limits.head_seconds
        self._timed, self._timer = missing, self.loop.call_later(seconds, self._expire, missing)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timed = self._timer = None

    def _expire(self, missing: tuple[Why, int]) -> None:
        """While an earlier request is answered, uvicorn may read nothing: its client is not to blame."""
        if self.transport.is_closing():
            return
        if self._answers_earlier():
            self._start_timer(missing)
            return
        self._connections.count(missing[0])
        if self._in_body and not self.cycle.response_started:
            self.transport.write(LATE_BODY)
        self.transport.close()

    def _answers_earlier(self) -> bool:
        if self._in_body:
            return bool(self.pipeline)
        return self.cycle is not None and not self.cycle.response_complete


def raw_answer(line: str, error: RpcError) -> bytes:
    """A whole answer, for a connection that has no request to answer in the usual way."""
    body = error_text(error)
    headers = [("content-type", JSON), ("content-length", str(len(body))), ("connection", "close")]
    head = "".join(f"{name}: {value}\r\n" for name, value in [*headers, *headers_of(error)])
    return f"HTTP/1.1 {line}\r\n{head}\r\n".encode("latin-1") + body


TOO_MANY = raw_answer(
    "503 Service Unavailable",
    RpcError(status_of(TooMuch("too many connections", RETRY_SECONDS, "connection")), 503),
)
LATE_BODY = raw_answer(
    "408 Request Timeout", RpcError(status_of(InvalidRequest("body", "did not arrive in time")), 408)
)
