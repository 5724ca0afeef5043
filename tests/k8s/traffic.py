"""Players and watchers who notice what failed, what had to be sent again, what a stream left out."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

import grpc
import grpc.aio

from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub

QUICK, SLOW = 0.05, 1.0  # seconds between the moves of a player
MOST_RETRIES = 20


class Traffic:
    def __init__(self, address: str) -> None:
        self._channel = grpc.aio.insecure_channel(address)
        self._stub = GameServiceStub(self._channel)
        self.answered: Counter[str] = Counter()
        self.retried: Counter[str] = Counter()
        self.failed: list[str] = []
        self.resumed = 0
        self._going = True
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, quick: int, slow: int) -> None:
        """Games of slow players last longer than a pod takes to leave, so their watchers have to move."""
        paces = [QUICK] * quick + [SLOW] * slow
        self._tasks = [asyncio.create_task(self._play_on(pace)) for pace in paces]

    async def end(self) -> None:
        self._going = False
        await asyncio.wait_for(asyncio.gather(*self._tasks), 20)
        await self._channel.close()

    async def _play_on(self, pace: float) -> None:
        while self._going:
            try:
                await self._game(pace)
            except grpc.aio.AioRpcError as error:
                self.failed.append(f"{error.code().name}: {error.details()}")
                return

    async def _game(self, pace: float) -> None:
        """One game between two seats, watched from its first event to its last."""
        request_id = uuid.uuid4().hex
        created = await self._call("CreateGame", pb.CreateGameRequest(title="tides", request_id=request_id))
        game_id = created.game.game_id
        seats = [
            (
                await self._call(
                    "JoinGame", pb.JoinGameRequest(game_id=game_id, request_id=f"{request_id}{n}")
                )
            ).seat_token
            for n in range(2)
        ]
        watcher = asyncio.create_task(self._watch(game_id))
        version = await self._moves(game_id, seats, pace)
        seen = await asyncio.wait_for(watcher, 20)
        if seen != list(range(1, len(seen) + 1)) or len(seen) < version:
            self.failed.append(f"a watcher saw {seen} of {version}")

    async def _moves(self, game_id: str, seats: list[str], pace: float) -> int:
        while True:
            view = (await self._call("GetView", pb.GetViewRequest(game_id=game_id))).view
            if not view.decisions:
                return int(view.version)
            seat = seats[view.decisions[0].seat]
            legal = await self._call("ListLegalActions", pb.ListLegalActionsRequest(game_id=game_id), seat)
            move = pb.PlayActionRequest(
                game_id=game_id,
                decision_id=legal.decision.decision_id,
                action=legal.actions[0].action,
                request_id=uuid.uuid4().hex,
            )
            await self._call("PlayAction", move, seat)
            await asyncio.sleep(pace if self._going else 0)

    async def _call(self, name: str, request: Any, token: str = "") -> Any:
        """Sent again only when the answer was UNAVAILABLE, and then just the same."""
        method: Callable[..., Any] = getattr(self._stub, name)
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        for _ in range(MOST_RETRIES):
            try:
                answer = await method(request, metadata=metadata, timeout=10)
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                self.retried[name] += 1
                await asyncio.sleep(0.1)
                continue
            self.answered[name] += 1
            return answer
        raise TimeoutError(f"{name} was never answered")

    async def _watch(self, game_id: str) -> list[int]:
        """The versions seen, over as many streams as it takes."""
        seen: list[int] = []
        while True:
            request = pb.WatchGameRequest(game_id=game_id, after_version=len(seen))
            try:
                async for message in self._stub.WatchGame(request):
                    seen += [event.version for event in message.happened.events]
                    if message.happened.view.game.HasField("outcome"):
                        return seen
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
            self.resumed += 1
