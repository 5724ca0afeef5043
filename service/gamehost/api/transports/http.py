"""ASGI helpers that the HTTP transports share: reading bodies, sending responses and errors."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress

from starlette.types import Receive, Scope, Send

from gamehost.api.pipeline.dispatch import MAX_REQUEST_BYTES
from gamehost.api.pipeline.status import RpcError, error_body, retry_after_of, too_large_status

JSON = "application/json"
HEADERS_BY_NAME = "shedu.headers"  # in the scope: the headers by name
DISCARD_SECONDS = 1.0  # how long the rest of a body that is too large is read


class ClientGone(Exception):
    """The client has disconnected."""


def header(scope: Scope, name: bytes) -> str | None:
    """Returns the first value of a header, or None."""
    pairs, known = scope["headers"], scope.get(HEADERS_BY_NAME)
    # The list is compared, because a copy of the scope can have other headers.
    if known is None or known[0] is not pairs:
        # A call asks for eight headers: with a dictionary they take 4 µs, by searching the list 16.
        known = scope[HEADERS_BY_NAME] = pairs, dict(reversed(pairs))
    value: bytes | None = known[1].get(name)
    return None if value is None else value.decode("latin-1")


def decodes_as_utf8(text: bytes) -> bool:
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def peer(scope: Scope) -> str:
    host, port = scope.get("client") or ("", 0)
    return f"{host}:{port}"


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Returns the body; raises RpcError if it exceeds the limit, ClientGone if the client disconnects.

    The bytes are counted as they arrive: Content-Length may be missing (chunked encoding).
    """
    announced = header(scope, b"content-length") or "0"
    # Parse short decimal numbers only: int() of an endless string of digits is slow, and int() accepts
    # signs, spaces and underscores.
    length = int(announced) if announced.isdecimal() and len(announced) < 10 else MAX_REQUEST_BYTES + 1
    body = bytearray()
    async for chunk in body_chunks(receive):
        body += chunk
        if max(len(body), length) > MAX_REQUEST_BYTES:
            await discard(receive)
            raise RpcError(too_large_status(MAX_REQUEST_BYTES), 413, Connection="close")
    return bytes(body)


async def body_chunks(receive: Receive) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        yield message.get("body", b"")
        more = message.get("more_body", False)


async def discard(receive: Receive) -> None:
    """Reads and drops the rest of a body, up to a limit of size and time.

    Most clients read the response only after they have sent the whole body. If the connection were closed
    while bytes are unread, the kernel would send a reset, and the client would never see the error.
    """
    dropped = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(DISCARD_SECONDS):
            async for chunk in body_chunks(receive):
                dropped += len(chunk)
                if dropped > 4 * MAX_REQUEST_BYTES:
                    return


async def respond(
    send: Send, code: int, content_type: str, body: bytes, headers: Iterable[tuple[str, str]] = ()
) -> None:
    await start_response(send, code, content_type, [("content-length", str(len(body))), *headers])
    await send({"type": "http.response.body", "body": body})


async def start_response(
    send: Send, code: int, content_type: str, headers: Iterable[tuple[str, str]] = ()
) -> None:
    pairs = [("content-type", content_type), ("x-content-type-options", "nosniff"), *headers]
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs]
    await send({"type": "http.response.start", "status": code, "headers": encoded})


async def respond_error(send: Send, error: RpcError) -> None:
    await respond(send, error.http, JSON, error_json(error), headers_of(error))


def error_json(error: RpcError) -> bytes:
    return json.dumps(error_body(error), ensure_ascii=False, separators=(",", ":")).encode()


def headers_of(error: RpcError) -> list[tuple[str, str]]:
    headers = [(name.lower(), value) for name, value in error.headers.items()]
    seconds = retry_after_of(error.status)
    if seconds is not None:
        headers.append(("retry-after", str(math.ceil(seconds))))
    if error.http == 401:
        headers.append(("www-authenticate", "Bearer"))
    return headers
