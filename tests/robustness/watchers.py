"""Watchers, which record every version that they receive."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import grpc.aio

import shedu
from shedu import aio
from shedu.v1 import game_service_pb2 as pb

from .history import GameHistory, History, Trail, now
from .raw_clients import PAUSE, GrpcClient, Refusal, error_of

FEW, LONG = 100, 0.5  # messages that a slow watcher reads, then seconds that it pauses


class Watcher:
    """Watches one game as a seat or as a spectator until it is over or `finish` is called."""

    kind = ""

    def __init__(self, history: History, game: GameHistory, viewer: int | None, token: str) -> None:
        self._history, self._game, self._token = history, game, token
        self.trail = Trail(f"{self.kind} watcher", viewer)
        self.game_id, self.viewer = game.game_id, viewer
        game.trails.append(self.trail)
        self.task = asyncio.create_task(self._run())

    async def finish(self, patience: float) -> None:
        """Waits until all events were received. A watcher that gets none for `patience` seconds has hung."""
        told = self._reached()
        try:
            while not self.task.done() and told < self._game.seen:
                async with asyncio.timeout(patience):
                    told = await self._more_than(told)
        except TimeoutError:
            self.trail.trouble = self.trail.trouble or "it hung"
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def _more_than(self, told: int) -> int:
        while not self.task.done() and self._reached() == told:
            await asyncio.sleep(0.05)
        return self._reached()

    def _reached(self) -> int:
        return self.trail.versions[-1] if self.trail.versions else 0

    async def _run(self) -> None:
        try:
            await self._watch()
        except (Refusal, shedu.SheduError) as error:
            self._history.failed(self.kind, "WatchGame", error)
            self.trail.trouble = str(error)

    async def _watch(self) -> None:
        raise NotImplementedError


class RawWatcher(Watcher):
    """Records versions as they come, so that duplicates and gaps of the service appear in its trail."""

    kind = "gRPC"

    def __init__(
        self, client: GrpcClient, history: History, game: GameHistory, viewer: int | None, token: str
    ) -> None:
        self._client = client
        super().__init__(history, game, viewer, token)

    async def _watch(self) -> None:
        while not await self._stream():
            self.trail.resumed += 1
            self._client.move_on()
            await asyncio.sleep(PAUSE)

    async def _stream(self) -> bool:
        """Reads one stream to its end; returns whether the game is over."""
        request = pb.WatchGameRequest(game_id=self.game_id, after_version=self._reached(), seat=self.viewer)
        began = now()
        call = self._client.watch(request, self._token)
        try:
            async for message in call:
                if message.HasField("happened"):
                    self._game.record_stream_events(
                        self.trail, message.happened.events, message.happened.view
                    )
                    await self._pause()
                elif message.HasField("caught_up"):
                    self.trail.caught_up.append((began, message.caught_up.version))
                elif message.HasField("go_away"):
                    return bool(message.go_away.reason == pb.GO_AWAY_REASON_FINISHED)
        except grpc.aio.AioRpcError as error:
            if isinstance(trouble := error_of(error), Refusal):
                raise trouble from error
        finally:
            call.cancel()
        return False

    async def _pause(self) -> None:
        """Called before the next message is read."""


class SlowWatcher(RawWatcher):
    """Reads a few messages, then none for a while, until `hurry` is set."""

    kind = "slow gRPC"
    hurry = False

    async def _pause(self) -> None:
        if not self.hurry and self._reached() % FEW == 0:
            await asyncio.sleep(LONG)


class SdkWatcher(Watcher):
    """Watches with the Python SDK."""

    kind = "SDK"

    def __init__(
        self, handle: aio.Game, history: History, game: GameHistory, viewer: int | None, token: str
    ) -> None:
        self._handle = handle
        super().__init__(history, game, viewer, token)

    async def _watch(self) -> None:
        async with aclosing(self._handle.watch(after=0)) as moments:
            async for moment in moments:
                self._game.record_stream_events(self.trail, moment.events, moment.view)
