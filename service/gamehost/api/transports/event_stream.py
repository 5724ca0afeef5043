"""Server streams over plain HTTP: server-sent events, or JSON lines."""

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
from gamehost.play.caching import LruCache
from gamehost.play.ports.metrics import ignore

from .http import ClientGone, error_text, respond_error, start
from .rest import json_write

SERVER_SENT_EVENTS = "text/event-stream"
JSON_LINES = "application/x-ndjson"
LAST_EVENT_ID = b"last-event-id"
RESUME_FIELD = "after_version"
CURSOR = "cursor"
REMEMBERED = 6 << 20  # bytes, for each kind of framing


@dataclass(frozen=True)
class StreamFraming:
    """How messages and a last error are written."""

    content_type: str
    message: Callable[[Message], bytes]
    error: Callable[[RpcError], bytes]


def framing(accept: str) -> StreamFraming:
    return LINES if JSON_LINES in accept.lower() else EVENTS


class EventStream:
    """Sends a stream of messages; the first decides whether the answer is a stream or an ordinary error."""

    def __init__(self, frame: StreamFraming, send: Send, receive: Receive) -> None:
        self.frame, self.send, self.receive = frame, send, receive
        self.started = False

    async def run(self, messages: AsyncIterator[Message]) -> None:
        """Ends at once when the client hangs up, and closes `messages` whatever happens."""
        try:
            async with asyncio.timeout(None) as until_gone, aclosing(cast(Any, messages)):
                watcher = asyncio.create_task(self._watch(until_gone))
                try:
                    await self._send_all(messages)
                finally:
                    watcher.cancel()
        except TimeoutError:
            raise ClientGone from None

    async def _watch(self, until_gone: asyncio.Timeout) -> None:
        while (await self.receive())["type"] != "http.disconnect":
            pass
        until_gone.reschedule(asyncio.get_running_loop().time())

    async def _send_all(self, messages: AsyncIterator[Message]) -> None:
        try:
            async for message in messages:
                await self._write(self.frame.message(message))
                del message  # it may be long until the next one
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
        """Proxies must not hold the stream back."""
        if not self.started:
            self.started = True
            headers = [("cache-control", "no-store"), ("x-accel-buffering", "no")]
            await start(self.send, 200, self.frame.content_type, headers)


def server_sent_event(message: Message) -> bytes:
    """The id is the version or the cursor to resume after, the event the case of the message's oneof."""
    case = one_of_case(message)
    version = version_path(message.DESCRIPTOR, case)
    lines = [f"event: {case}"] if case else []
    if version:
        lines.append(f"id: {attrgetter(version)(message)}")
    return "\n".join([*lines, "data: "]).encode() + json_write.write(message) + b"\n\n"


def one_of_case(message: Message) -> str:
    one_ofs = message.DESCRIPTOR.oneofs
    return (message.WhichOneof(one_ofs[0].name) or "") if one_ofs else ""


@cache
def version_path(descriptor: Descriptor, case: str) -> str:
    """Where a message tells its place: as a cursor, or as a version in the case itself or within that."""
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
    return b"event: error\ndata: " + error_text(error) + b"\n\n"


def json_line(message: Message) -> bytes:
    return json_write.write(message) + b"\n"


def error_line(error: RpcError) -> bytes:
    return error_text(error) + b"\n"


def memoized(
    write: Callable[[Message], bytes], holds: Callable[[int], None] = ignore
) -> Callable[[Message], bytes]:
    """A crowd of watchers is sent the same message, which is written for all of them.

    It is known by its bytes on the wire, which are fewer than those written, and soon made. `holds` is told
    how many bytes are remembered.
    """
    known = LruCache[tuple[type[Message], bytes], bytes](
        REMEMBERED, lambda written: ENTRY_SIZE + 2 * len(written), holds
    )

    def write_once(message: Message) -> bytes:
        key = type(message), message.SerializeToString()
        return known.get(key) or known.put(key, write(message))

    return write_once


METER = metrics.PrometheusPlayMetrics()
EVENTS = StreamFraming(
    f"{SERVER_SENT_EVENTS}; charset=utf-8",
    memoized(server_sent_event, METER.cache_size_setter("event_frames")),
    error_event,
)
LINES = StreamFraming(JSON_LINES, memoized(json_line, METER.cache_size_setter("line_frames")), error_line)
