"""Players and watchers that record failed calls, retries and gaps in streams."""

from __future__ import annotations

import asyncio
import json
import random
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, Protocol

import grpc.aio
import httpx
from google.protobuf import json_format

from robustness.history import History
from robustness.raw_clients import GrpcClient, Refusal, RestClient, TransientError, error_of
from shedu.v1 import game_service_pb2 as pb
from support.waiting import PATIENCE

QUICK, SLOW = 0.05, 1.0  # seconds between the moves of a player
MOST_RETRIES = 20


class TrafficClient(Protocol):
    """A client of one address. Raises TransientError if a call may be sent again, otherwise Refusal."""

    name: str

    async def once(self, process: int, name: str, request: Any, token: str) -> Any: ...
    def messages(self, request: pb.WatchGameRequest) -> AsyncIterator[pb.WatchGameResponse]: ...
    async def close(self) -> None: ...


class GrpcTrafficClient(GrpcClient):
    attempt = PATIENCE  # so that a slow machine causes no retries

    def __init__(self, port: int) -> None:
        super().__init__([port], History(), random.Random(0))

    async def messages(self, request: pb.WatchGameRequest) -> AsyncIterator[pb.WatchGameResponse]:
        try:
            async for message in self.watch(request, ""):
                yield message
        except grpc.aio.AioRpcError as error:
            raise error_of(error) from error


class RestTrafficClient(RestClient):
    attempt = PATIENCE

    def __init__(self, port: int) -> None:
        super().__init__([port], History(), random.Random(0))

    async def messages(self, request: pb.WatchGameRequest) -> AsyncIterator[pb.WatchGameResponse]:
        path, query = f"/v1/games/{request.game_id}:watch", {"afterVersion": request.after_version}
        lines = {"Accept": "application/x-ndjson"}
        try:
            async with self._clients[0].stream(
                "GET", path, params=query, headers=lines, timeout=PATIENCE
            ) as told:
                async for line in told.aiter_lines():
                    yield self._message(told.status_code, json.loads(line))
        except httpx.TransportError as error:
            raise TransientError(type(error).__name__) from error

    def _message(self, code: int, body: dict[str, Any]) -> pb.WatchGameResponse:
        if "error" in body:
            raise (TransientError if body["error"]["code"] == 503 else Refusal)(f"{code} {body}")
        return json_format.ParseDict(body, pb.WatchGameResponse())


class Traffic:
    def __init__(self, client: TrafficClient) -> None:
        self._client = client
        self.answered: Counter[str] = Counter()
        self.retried: Counter[str] = Counter()
        self.failed: list[str] = []
        self.resumed = 0
        self._going = True
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, quick: int, slow: int) -> None:
        """Starts players. Games of slow ones outlast the drain of a pod, so their watchers must reconnect."""
        paces = [QUICK] * quick + [SLOW] * slow
        self._tasks = [asyncio.create_task(self._play_on(pace)) for pace in paces]

    async def end(self) -> None:
        self._going = False
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*self._tasks)
        await self._client.close()

    async def _play_on(self, pace: float) -> None:
        while self._going:
            try:
                await self._game(pace)
            except Refusal as error:
                self.failed.append(f"{self._client.name}: {error}")
                return

    async def _game(self, pace: float) -> None:
        """Plays one game with two seats, watched from its first event to its last."""
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
        async with asyncio.timeout(PATIENCE):
            seen = await watcher
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
        """Makes a call; repeats the same request only after a TransientError."""
        for _ in range(MOST_RETRIES):
            try:
                answer = await self._client.once(0, name, request, token)
            except TransientError as trouble:
                self.retried[f"{name}: {trouble}"] += 1
                await asyncio.sleep(0.1)
                continue
            self.answered[name] += 1
            return answer
        raise TimeoutError(f"{name} was never answered")

    async def _watch(self, game_id: str) -> list[int]:
        """Watches a game over as many streams as needed; returns the versions seen."""
        seen: list[int] = []
        while True:
            request = pb.WatchGameRequest(game_id=game_id, after_version=len(seen))
            try:
                async for message in self._client.messages(request):
                    seen += [event.version for event in message.happened.events]
                    if message.happened.view.game.HasField("outcome"):
                        return seen
            except TransientError:
                await asyncio.sleep(0.1)
            self.resumed += 1
