"""gRPC-Web as text: the same calls with bodies in base64, for clients that cannot read binary streams."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as InvalidBase64
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from gamehost.api.pipeline.status import RpcError, status_of
from gamehost.play.errors import InvalidRequest

from .http import header, read_body

BINARY, TEXT = "application/grpc-web", "application/grpc-web-text"
# A client encodes each part of its body on its own, so padding may stand between the parts.
BASE64_PARTS = re.compile(rb"[^=]+={0,2}")


def is_grpc_web_text(scope: Scope) -> bool:
    media_type = (header(scope, b"content-type") or "").partition(";")[0]
    return media_type.strip().lower() in (TEXT, f"{TEXT}+proto")


async def serve_text(
    app: Callable[[Scope, Receive, Send], Awaitable[None]], scope: Scope, receive: Receive, send: Send
) -> None:
    """Passes a call on as binary gRPC-Web and encodes its response. Raises RpcError if it is not base64."""
    body = decode_base64(await read_body(scope, receive))
    kept = [pair for pair in scope["headers"] if pair[0] not in (b"content-type", b"content-length")]
    binary = {**scope, "headers": [*kept, (b"content-type", f"{BINARY}+proto".encode())]}
    await app(binary, body_first(body, receive), encoded_send(send))


def decode_base64(text: bytes) -> bytes:
    parts = BASE64_PARTS.findall(text)
    try:
        if b"".join(parts) != text:
            raise InvalidBase64("padding before the first part")
        return b"".join(b64decode(part, validate=True) for part in parts)
    except InvalidBase64:
        raise RpcError(status_of(InvalidRequest("body", f"of {TEXT} must be base64"))) from None


def body_first(body: bytes, receive: Receive) -> Receive:
    """A `receive` whose first message is the whole body; later ones tell of a disconnect, as usual."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_rest() -> Message:
        return pending.pop() if pending else await receive()

    return receive_rest


def encoded_send(send: Send) -> Send:
    """A `send` that encodes each piece of a gRPC-Web response as soon as it is there."""
    text = False

    async def send_encoded(message: Message) -> None:
        nonlocal text
        if message["type"] == "http.response.start":
            headers = dict(message["headers"])
            text = headers.get(b"content-type", b"").startswith(BINARY.encode())
            message = with_text_type(message) if text else message
        elif text:
            message = {**message, "body": b64encode(message.get("body", b""))}
        await send(message)

    return send_encoded


def with_text_type(start: Message) -> dict[str, Any]:
    """The same start of a response for the encoded body, whose length is another one."""
    kept = [pair for pair in start["headers"] if pair[0] not in (b"content-type", b"content-length")]
    kind = dict(start["headers"])[b"content-type"].replace(BINARY.encode(), TEXT.encode(), 1)
    return {**start, "headers": [*kept, (b"content-type", kind)]}
