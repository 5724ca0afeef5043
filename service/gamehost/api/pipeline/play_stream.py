"""PlayStream: many PlayAction calls over one bidirectional stream."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import cast

from google.rpc import status_pb2

from gamehost.codec import wire
from gamehost.codec.encoded import EncodedMessage, encoded_message
from gamehost.codec.json_write import value_of
from gamehost.play.errors import InvalidRequest
from shedu.v1 import game_service_pb2 as pb

from .call import Call, Read
from .status import RpcError

TRANSPORT = "play_stream"  # of the items, in log lines and metrics
MOST_ITEMS = 100  # in one message
MOST_IN_FLIGHT = 100  # items of a stream that are handled, or whose results are not sent yet
FRAME_BYTES = 256 << 10  # a message gets no further result once it is this large; clients refuse 4 MiB

Play = Callable[[Read, Call], Awaitable[bytes]]

_RESULT, _ID = wire.part(pb.PlayStreamResponse, "results"), wire.number(pb.PlayStreamResult, "correlation_id")
_RESPONSE, _ERROR = wire.part(pb.PlayStreamResult, "response"), wire.part(pb.PlayStreamResult, "error")


class PlayStream:
    """One stream. `play` handles an item like a call of its own: it returns bytes and raises RpcError.

    A task reads the requests and starts one task for each item; `responses` sends what they leave in
    `_results`. An item keeps its slot until its result was sent, so that neither items nor results pile up:
    without a free slot nothing is read, and the flow control of HTTP/2 stops the client.
    """

    def __init__(self, requests: AsyncIterator[Read], play: Play, call: Call) -> None:
        self._requests, self._play, self._call = requests, play, call
        self._slots, self._items = asyncio.Semaphore(MOST_IN_FLIGHT), set[asyncio.Task[None]]()
        self._results, self._changed = deque[bytes](), asyncio.Event()
        self._reader: asyncio.Task[None] | None = None
        self._between_requests, self._draining = False, False

    def drain(self) -> None:
        """Stops reading. The stream ends with `go_away` when the items that were read are answered."""
        self._draining = True
        # Only between two messages: the items of a message that was read must all be answered.
        if self._between_requests and self._reader is not None:
            self._reader.cancel()

    async def responses(self) -> AsyncIterator[EncodedMessage]:
        """Yields results as they come, until the client or a drain has ended the stream."""
        self._reader = asyncio.create_task(self._read_all())
        self._reader.add_done_callback(lambda _: self._changed.set())
        try:
            while not (self._reader.done() and not self._items and not self._results):
                await self._changed.wait()
                await asyncio.sleep(0)  # items of one pipeline of the store are ready in the same turn
                self._changed.clear()
                while self._results:
                    count, frame = self._frame()
                    yield frame
                    for _ in range(count):
                        self._slots.release()
            if not self._reader.cancelled() and (problem := self._reader.exception()) is not None:
                raise problem
            if self._draining:
                reason = pb.GoAwayReason.GO_AWAY_REASON_DRAINING
                yield encoded_message(pb.PlayStreamResponse(go_away=pb.PlayStreamGoAway(reason=reason)))
        finally:
            await self._cancel()

    async def _cancel(self) -> None:
        tasks = [task for task in (self._reader, *self._items) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _read_all(self) -> None:
        """Starts the items of all requests. Raises InvalidRequest or RpcError for one that is no request."""
        while not self._draining:
            self._between_requests = True
            read = await anext(self._requests, None)
            self._between_requests = False
            if read is None:
                return
            for item in items_of(read):
                await self._slots.acquire()
                task = asyncio.create_task(self._answer(item))
                self._items.add(task)
                task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._items.discard(task)
        self._changed.set()

    async def _answer(self, item: pb.PlayStreamItem) -> None:
        try:
            result = _RESPONSE(await self._play(lambda: play_of(item), self._call_of(item)))
        except RpcError as error:
            result = _ERROR(cast(status_pb2.Status, error.status).SerializeToString())
        self._results.append(_ID(item.correlation_id) + result)

    def _call_of(self, item: pb.PlayStreamItem) -> Call:
        """The call of an item, with its own credential and its own fields for the log line."""
        authorization = f"Bearer {item.token}" if item.token else self._call.authorization
        return replace(
            self._call, authorization=authorization, transport=TRANSPORT, principal=None, payer="", notes={}
        )

    def _frame(self) -> tuple[int, EncodedMessage]:
        """The next message, with as many results as fit, and their number."""
        parts, size = list[bytes](), 0
        while self._results and size < FRAME_BYTES:
            parts.append(_RESULT(self._results.popleft()))
            size += len(parts[-1])
        data = b"".join(parts)
        return len(parts), EncodedMessage(
            pb.PlayStreamResponse,
            lambda: data,
            lambda: value_of(pb.PlayStreamResponse.FromString(data)),
        )


def items_of(read: Read) -> list[pb.PlayStreamItem]:
    """The items of a request. Their fields are checked one by one later, so that one error is of one item."""
    items = list(cast(pb.PlayStreamRequest, read()).items)
    if not 1 <= len(items) <= MOST_ITEMS:
        raise InvalidRequest("items", f"must be 1 to {MOST_ITEMS}, not {len(items)}")
    return items


def play_of(item: pb.PlayStreamItem) -> pb.PlayActionRequest:
    """The PlayAction request of an item. Raises InvalidRequest."""
    if not item.HasField("play"):
        raise InvalidRequest("play", "must be given")
    return item.play
