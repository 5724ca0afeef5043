"""Watchers, who write down every version they are told of."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import grpc.aio

import shedu
from shedu import aio
from shedu.v1 import game_service_pb2 as pb

from .history import GameHistory, History, Trail, now
from .raw_clients import PAUSE, GrpcDoor, Refusal, meaning

FEW, LONG = 100, 0.5  # messages that a slow watcher reads, and seconds that it rests


class Watcher:
    """Watches one game as a seat or as a spectator, until it is over or has been seen as far as `upto`."""

    kind = ""

    def __init__(self, history: History, game: GameHistory, viewer: int | None, token: str) -> None:
        self._history, self._game, self._token = history, game, token
        self.trail = Trail(f"{self.kind} watcher", viewer)
        self.game_id, self.viewer = game.game_id, viewer
        game.trails.append(self.trail)
        self.task = asyncio.create_task(self._run())

    async def finish(self, patience: float) -> None:
        """Once the game stands still: see the rest of it. Who is told nothing for so many seconds hangs."""
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
    """Believes what it is told: a duplicate or a gap of the service is one of its trail."""

    kind = "gRPC"

    def __init__(
        self, door: GrpcDoor, history: History, game: GameHistory, viewer: int | None, token: str
    ) -> None:
        self._door = door
        super().__init__(history, game, viewer, token)

    async def _watch(self) -> None:
        while not await self._stream():
            self.trail.resumed += 1
            self._door.move_on()
            await asyncio.sleep(PAUSE)

    async def _stream(self) -> bool:
        """Whether the game is over."""
        request = pb.WatchGameRequest(game_id=self.game_id, after_version=self._reached(), seat=self.viewer)
        began = now()
        call = self._door.watch(request, self._token)
        try:
            async for message in call:
                if message.HasField("happened"):
                    self._game.told(self.trail, message.happened.events, message.happened.view)
                    await self._rest()
                elif message.HasField("caught_up"):
                    self.trail.caught_up.append((began, message.caught_up.version))
                elif message.HasField("go_away"):
                    return bool(message.go_away.reason == pb.GO_AWAY_REASON_FINISHED)
        except grpc.aio.AioRpcError as error:
            if isinstance(trouble := meaning(error), Refusal):
                raise trouble from error
        finally:
            call.cancel()
        return False

    async def _rest(self) -> None:
        """Before the next message is read."""


class SlowWatcher(RawWatcher):
    """Reads a few messages, then none for a while, until `hurry` is set."""

    kind = "slow gRPC"
    hurry = False

    async def _rest(self) -> None:
        if not self.hurry and self._reached() % FEW == 0:
            await asyncio.sleep(LONG)


class SdkWatcher(Watcher):
    """As users of the SDK watch."""

    kind = "SDK"

    def __init__(
        self, eyes: aio.Game, history: History, game: GameHistory, viewer: int | None, token: str
    ) -> None:
        self._eyes = eyes
        super().__init__(history, game, viewer, token)

    async def _watch(self) -> None:
        async with aclosing(self._eyes.watch(after=0)) as moments:
            async for moment in moments:
                self._game.told(self.trail, moment.events, moment.view)
