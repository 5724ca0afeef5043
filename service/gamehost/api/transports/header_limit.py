"""Bounds for what comes before the body of an HTTP request."""

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
    """Cuts a connection whose request line and headers go on and on: the parser would keep them all."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._in_head, self._head_bytes, self._chunk_bytes = False, 0, 0

    def data_received(self, data: bytes) -> None:
        self._chunk_bytes = len(data)
        super().data_received(data)
        self._head_bytes += len(data)
        if self._in_head and self._head_bytes > MAX_HEADER_BYTES and not self.transport.is_closing():
            self.transport.write(TOO_LARGE_RESPONSE)
            self.transport.close()

    def on_message_begin(self) -> None:
        """The rest of the chunk may belong to the request before: it is not counted."""
        self._in_head, self._head_bytes = True, -self._chunk_bytes
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()


class HeaderLimit:
    """Refuses a request whose line and headers are too long, before anything reads them."""

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
