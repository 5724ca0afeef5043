"""A PlayStream of the in-process service, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from gamehost.api.pipeline.call import Call, Read
from gamehost.codec.encoded import as_message
from shedu.v1 import game_service_pb2 as pb
from support.service import Service
from support.waiting import PATIENCE


class PlayTalk:
    """An open stream: `send` sends items, `results` returns results by correlation id."""

    def __init__(self, service: Service, token: str | None) -> None:
        self._requests = asyncio.Queue[Read | None]()
        method = service.methods["PlayStream"]
        call = Call(authorization=f"Bearer {token}" if token else None, transport="test")
        self.responses: Any = service.dispatch.play_stream(method, self._sent(), call)
        self.messages: list[pb.PlayStreamResponse] = []

    def send(self, *items: dict[str, Any]) -> None:
        self.send_message(pb.PlayStreamRequest(items=items))

    def send_message(self, request: Any) -> None:
        self._requests.put_nowait(request if callable(request) else lambda: request)

    def close(self) -> None:
        self._requests.put_nowait(None)

    async def next(self) -> pb.PlayStreamResponse:
        message: pb.PlayStreamResponse = as_message(await asyncio.wait_for(anext(self.responses), PATIENCE))
        self.messages.append(message)
        return message

    async def results(self, count: int) -> dict[int, pb.PlayStreamResult]:
        """Reads until there are so many results, and returns them."""
        while len(found := self._results()) < count:
            await self.next()
        return found

    async def rest(self) -> dict[int, pb.PlayStreamResult]:
        """Reads to the end of the stream, and returns all results."""
        async for message in self.responses:
            self.messages.append(as_message(message))
        return self._results()

    def _results(self) -> dict[int, pb.PlayStreamResult]:
        return {each.correlation_id: each for message in self.messages for each in message.results}

    async def _sent(self) -> AsyncIterator[Read]:
        while (read := await self._requests.get()) is not None:
            yield read


@asynccontextmanager
async def play_talk(service: Service, token: str | None = None) -> AsyncIterator[PlayTalk]:
    talk = PlayTalk(service, token)
    try:
        yield talk
    finally:
        await talk.responses.aclose()
