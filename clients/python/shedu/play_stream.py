"""Plays the actions of many games over one PlayStream, with PlayAction where that does not work."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any, cast

import grpc
import grpc.aio

from .addresses import bearer
from .aio.wire import Wire
from .errors import NotOffered, SheduError, TimedOut, TooMuch, Unavailable, error_of, error_of_status
from .retry import ONE_ATTEMPT
from .v1 import game_service_pb2 as pb

MOST_ITEMS = 100  # in one message, by the contract
MOST_BYTES = 32 * 1024  # of the items of one message; the service refuses 64 KiB
REOPEN_SECONDS = 1.0  # during which actions are played with PlayAction after a stream broke
EOF: Any = cast(Any, grpc.aio).EOF


class StreamBroken(Exception):
    """The stream ended before the result of an item came; `error` says why."""

    def __init__(self, error: SheduError) -> None:
        super().__init__(str(error))
        self.error = error


class PlayStream:
    """Plays over a stream of this wire, which it opens when it is needed.

    If the stream breaks, or the server has none, an action is played with PlayAction instead. That call
    repeats the request id of the item, so the action is applied once, whatever became of the item.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire, self._offered, self._closed_until = wire, True, 0.0
        self._open: OpenStream | None = None

    async def play(self, request: pb.PlayActionRequest, token: str) -> pb.PlayActionResponse:
        """Raises SheduError like a PlayAction call."""
        if request.request_id and self._may_stream():
            try:
                result = await self._stream(token).play(request, token)
            except StreamBroken as broken:
                self._offered = not isinstance(broken.error, NotOffered)
                self._closed_until = asyncio.get_running_loop().time() + REOPEN_SECONDS
            else:
                if result.HasField("response"):
                    return result.response
                error = error_of_status(result.error)
                # The others are tried again by the call below.
                if not isinstance(error, Unavailable | TimedOut | TooMuch):
                    raise error
        return await self._wire.call(self._wire.games.PlayAction, request, token)

    def _may_stream(self) -> bool:
        return self._offered and asyncio.get_running_loop().time() >= self._closed_until

    def _stream(self, token: str) -> OpenStream:
        """The open stream. A new one gets the first token that comes; each item has its own."""
        if self._open is None or self._open.ended:
            open_stream = cast(Any, self._wire.games.PlayStream)  # the stubs know no call without an iterator
            self._open = OpenStream(open_stream(metadata=bearer(token)))
        return self._open


class OpenStream:
    """One call of PlayStream. It ends with the first error, and all items that wait get StreamBroken."""

    def __init__(self, call: Any) -> None:
        self._call, self._numbers, self.ended = call, count(1), False
        self._waiting: dict[int, asyncio.Future[pb.PlayStreamResult]] = {}
        self._unsent: list[pb.PlayStreamItem] = []
        self._more = asyncio.Event()
        self._writer = asyncio.create_task(self._write())
        self._reader = asyncio.create_task(self._read())

    async def play(self, request: pb.PlayActionRequest, token: str) -> pb.PlayStreamResult:
        number = next(self._numbers)
        result: asyncio.Future[pb.PlayStreamResult] = asyncio.get_running_loop().create_future()
        self._waiting[number] = result
        self._unsent.append(pb.PlayStreamItem(correlation_id=number, token=token, play=request))
        self._more.set()
        try:
            async with asyncio.timeout(ONE_ATTEMPT):
                return await result
        except TimeoutError:
            raise StreamBroken(TimedOut("no result came")) from None
        finally:
            self._waiting.pop(number, None)

    async def _write(self) -> None:
        """Sends what has come since the last message in one message."""
        while True:
            await self._more.wait()
            self._more.clear()
            while self._unsent:
                await self._call.write(pb.PlayStreamRequest(items=self._batch()))

    def _batch(self) -> list[pb.PlayStreamItem]:
        size, batch = 0, list[pb.PlayStreamItem]()
        while self._unsent and len(batch) < MOST_ITEMS and size < MOST_BYTES:
            batch.append(self._unsent.pop(0))
            size += batch[-1].ByteSize()
        return batch

    async def _read(self) -> None:
        error: SheduError = Unavailable("the stream ended")
        try:
            while (message := await self._call.read()) is not EOF and not message.HasField("go_away"):
                for result in message.results:
                    waiting = self._waiting.get(result.correlation_id)
                    if waiting is not None and not waiting.done():
                        waiting.set_result(result)
        except grpc.RpcError as failure:
            error = error_of(failure)
        finally:
            self._end(error)

    def _end(self, error: SheduError) -> None:
        self.ended = True
        self._writer.cancel()
        self._call.cancel()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(StreamBroken(error))
