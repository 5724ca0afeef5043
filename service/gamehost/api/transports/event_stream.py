"""Server streams over plain HTTP: server-sent events or JSON lines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from starlette.types import Receive, Send

from gamehost.api.handlers.message_size import ENTRY_SIZE
from gamehost.api.pipeline import metrics
from gamehost.api.pipeline.status import RpcError
from gamehost.codec import json_write
from gamehost.play.caching import LruCache
from gamehost.play.ports.metrics import ignore

from .http import ClientGone, error_json, respond_error, start_response

SERVER_SENT_EVENTS = "text/event-stream"
JSON_LINES = "application/x-ndjson"
LAST_EVENT_ID = b"last-event-id"
RESUME_FIELD = "after_version"
CURSOR = "cursor"
FRAME_CACHE_BYTES = 6 << 20  # for each framing


@dataclass(frozen=True)
class StreamFraming:
    """A format for streams: its content type, and how messages and the final error are written."""

    content_type: str
    message: Callable[[Message], bytes]
    error: Callable[[RpcError], bytes]


def framing(accept: str) -> StreamFraming:
    """Returns the framing that an Accept header asks for; server-sent events by default."""
    return LINES if JSON_LINES in accept.lower() else EVENTS


class EventStream:
    """Sends a stream of messages as one HTTP response.

    The response starts with the first message: an error before it is an ordinary error response with its
    HTTP status, an error after it is the last item of the stream.
    """

    def __init__(self, frame: StreamFraming, send: Send, receive: Receive) -> None:
        self.frame, self.send, self.receive = frame, send, receive
        self.started = False

    async def run(self, messages: AsyncIterator[Message]) -> None:
        """Sends all messages and always closes `messages`; raises ClientGone if the client disconnects."""
        try:
            # A timeout that expires when the client disconnects interrupts the wait for the next message.
            # Cancelling this task instead would look like a cancellation by the server.
            async with asyncio.timeout(None) as until_gone, aclosing(cast(Any, messages)):
                disconnect_watcher = asyncio.create_task(self._watch_disconnect(until_gone))
                try:
                    await self._send_all(messages)
                finally:
                    disconnect_watcher.cancel()
        except TimeoutError:
            raise ClientGone from None

    async def _watch_disconnect(self, until_gone: asyncio.Timeout) -> None:
        while (await self.receive())["type"] != "http.disconnect":
            pass
        until_gone.reschedule(asyncio.get_running_loop().time())

    async def _send_all(self, messages: AsyncIterator[Message]) -> None:
        try:
            async for message in messages:
                await self._write(self.frame.message(message))
                del message  # the next one may take long; do not keep this one in memory until then
        except RpcError as error:
            if not self.started:
                await respond_error(self.send, error)
                return
            await self._write(self.frame.error(error))
        await self._end()

    async def _write(self, body: bytes) -> None:
        await self._start()
        await self.send({"type": "http.response.body", "body": body, "more_body": True})

    async def _end(self) -> None:
        await self._start()
        await self.send({"type": "http.response.body", "body": b""})

    async def _start(self) -> None:
        if not self.started:
            self.started = True
            # nginx buffers responses unless it is told not to; the events would arrive late.
            headers = [("cache-control", "no-store"), ("x-accel-buffering", "no")]
            await start_response(self.send, 200, self.frame.content_type, headers)


def server_sent_event(message: Message) -> bytes:
    """Writes a message as a server-sent event.

    Its `event` is the case that is set in the message's oneof. Its `id` is the version or cursor to resume
    after: a browser sends it back as Last-Event-ID when it reconnects.
    """
    case = one_of_case(message)
    version = version_path(message.DESCRIPTOR, case)
    lines = [f"event: {case}"] if case else []
    if version:
        lines.append(f"id: {attrgetter(version)(message)}")
    return "\n".join([*lines, "data: "]).encode() + json_write.write_message(message) + b"\n\n"


def one_of_case(message: Message) -> str:
    one_ofs = message.DESCRIPTOR.oneofs
    return (message.WhichOneof(one_ofs[0].name) or "") if one_ofs else ""


@cache
def version_path(descriptor: Descriptor, case: str) -> str:
    """Returns the path of the field to resume after, or "" if the message has none.

    It is the message's cursor, or the version in the oneof case or in a message inside that case.
    """
    inside = cast(Descriptor, descriptor.fields_by_name[case].message_type) if case else descriptor
    prefix = f"{case}." if case else ""
    if CURSOR in descriptor.fields_by_name:
        return CURSOR
    if "version" in inside.fields_by_name:
        return f"{prefix}version"
    for field in inside.fields:
        part = field.message_type
        if part is not None and not field.is_repeated and "version" in part.fields_by_name:
            return f"{prefix}{field.name}.version"
    return ""


def error_event(error: RpcError) -> bytes:
    return b"event: error\ndata: " + error_json(error) + b"\n\n"


def json_line(message: Message) -> bytes:
    return json_write.write_message(message) + b"\n"


def error_line(error: RpcError) -> bytes:
    return error_json(error) + b"\n"


def memoized(
    write: Callable[[Message], bytes], set_size: Callable[[int], None] = ignore
) -> Callable[[Message], bytes]:
    """Returns `write` with a cache, so that a message for many watchers is written once for all of them.

    `set_size` is called with the number of bytes that the cache holds.
    """
    # The key is the serialised message, not its identity: watchers get equal messages that are different
    # objects. Serialising is done in C and is far cheaper than writing JSON. The factor 2 in the size
    # accounts for the key, which is kept too and is smaller than the JSON.
    frames = LruCache[tuple[type[Message], bytes], bytes](
        FRAME_CACHE_BYTES, lambda written: ENTRY_SIZE + 2 * len(written), set_size
    )

    def write_once(message: Message) -> bytes:
        key = type(message), message.SerializeToString()
        return frames.get(key) or frames.put(key, write(message))

    return write_once


METRICS = metrics.PrometheusPlayMetrics()
EVENTS = StreamFraming(
    f"{SERVER_SENT_EVENTS}; charset=utf-8",
    memoized(server_sent_event, METRICS.cache_size_setter("event_frames")),
    error_event,
)
LINES = StreamFraming(JSON_LINES, memoized(json_line, METRICS.cache_size_setter("line_frames")), error_line)
