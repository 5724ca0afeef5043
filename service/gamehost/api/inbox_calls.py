"""The calls of GameService about all games of a caller."""

from __future__ import annotations

from collections.abc import AsyncIterator

from shedu.v1 import game_service_pb2 as pb

from .call import Call


class InboxCalls:
    async def rematch(self, request: pb.RematchRequest, call: Call) -> pb.RematchResponse:
        raise NotImplementedError

    async def watch_inbox(
        self, request: pb.WatchInboxRequest, call: Call
    ) -> AsyncIterator[pb.WatchInboxResponse]:
        raise NotImplementedError
        yield
