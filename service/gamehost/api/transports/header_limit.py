"""Size limits for the request line and headers of an HTTP request.

There are two checks because neither is enough. The protocol bounds the memory of a head that never ends, but
can only send a plain response. The middleware sends a typed error, but sees a request only when its head is
complete.
"""

from __future__ import annotations

from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gamehost.api.pipeline.status import RpcError, headers_too_large

from .http import respond_error

MAX_HEADER_BYTES = 16 * 1024
TOO_LARGE_RESPONSE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)


class HeaderLimitProtocol(HttpToolsProtocol):
    """Closes a connection whose request line and headers exceed the limit before they are complete.

    httptools has no limit of its own: it would keep headers in memory for as long as they arrive.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._in_head, self._head_bytes, self._chunk_bytes = False, 0, 0

    def data_received(self, data: bytes) -> None:
        self._chunk_bytes = len(data)
        super().data_received(data)  # calls on_message_begin and on_headers_complete
        self._head_bytes += len(data)
        if self._in_head and self._head_bytes > MAX_HEADER_BYTES and not self.transport.is_closing():
            self.transport.write(TOO_LARGE_RESPONSE)
            self.transport.close()

    def on_message_begin(self) -> None:
        # The start of this chunk may belong to the previous request, and httptools does not say where the new
        # one begins. So the chunk is left out of the count: `data_received` adds its length again.
        self._in_head, self._head_bytes = True, -self._chunk_bytes
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()


class HeaderLimit:
    """Middleware that refuses requests whose path, query and headers exceed the limit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and header_bytes(scope) > MAX_HEADER_BYTES:
            error = RpcError(headers_too_large(MAX_HEADER_BYTES), 431, Connection="close")
            await respond_error(send, error)
        else:
            await self.app(scope, receive, send)


def header_bytes(scope: Scope) -> int:
    line = len(scope["path"]) + len(scope["query_string"])
    return line + sum(len(name) + len(value) for name, value in scope["headers"])
