"""Recognises the plain unary calls of Connect, which are served without connectrpc.

A call is plain if its body is one uncompressed message and the caller set no time limit. For such a call
connectrpc would negotiate compression, watch for a disconnect in a task of its own and call interceptors.
Without it, a call costs 50 µs less. All other calls, and all error responses, are left to connectrpc.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope

from .whole_response import Headers, headers

# Whoever sends one of these may want compression or a time limit.
NEGOTIATING_HEADERS = frozenset((b"accept-encoding", b"content-encoding", b"connect-timeout-ms"))
PROTOCOL_VERSION = b"connect-protocol-version"


@dataclass(frozen=True, slots=True)
class UnaryFormat:
    """How the messages of a content type are read and written."""

    content_type: bytes
    read: Callable[[type[Message], bytes], Message]
    write: Callable[[Any], bytes]
    headers: Headers


def unary_format(
    content_type: bytes, read: Callable[[type[Message], bytes], Message], write: Callable[[Any], bytes]
) -> UnaryFormat:
    """Returns the format with the headers that connectrpc sends."""
    prepared = headers(
        (b"content-type", content_type), (b"content-encoding", b"identity"), (b"vary", b"Accept-Encoding")
    )
    return UnaryFormat(content_type, read, write, prepared)


def content_type_of_plain_call(scope: Scope) -> bytes | None:
    """Returns the content type of a plain call, None for any other request."""
    if scope["method"] != "POST":
        return None
    headers = dict(scope["headers"])
    # A header that is sent twice is left to connectrpc, which decides what it means.
    if len(headers) != len(scope["headers"]) or not NEGOTIATING_HEADERS.isdisjoint(headers):
        return None
    if headers.get(PROTOCOL_VERSION, b"1") != b"1":
        return None
    content_type: bytes | None = headers.get(b"content-type")
    return content_type


def is_whole_body(message: AsgiMessage, limit: int) -> bool:
    """Whether the first message from the client has the whole body, of at most `limit` bytes."""
    if message["type"] != "http.request" or message.get("more_body", False):
        return False
    return len(message.get("body", b"")) <= limit


def receive_again(message: AsgiMessage, receive: Receive) -> Receive:
    """Returns `receive`, which returns a message again that was received before."""
    messages = [message]

    async def receive_first() -> AsgiMessage:
        return messages.pop() if messages else await receive()

    return receive_first
