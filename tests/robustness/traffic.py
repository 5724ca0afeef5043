"""The traffic: a number of tables that are always taken, and people who watch."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

from gamehost.rules.catalog import CATALOG
from shedu import aio
from shedu.addresses import Address
from shedu.aio.wire import Wire
from support.waiting import PATIENCE

from .history import History
from .players import TROUBLE, RawTable, SdkTable, Table
from .raw_clients import GrpcDoor, RestDoor
from .traffic_mix import Mix
from .watchers import RawWatcher, SdkWatcher, Watcher

# Tides is quick to play, so that most moves are made there; the others are longer, and heavier.
TITLES = {title: 20 if title == "tides" else 2 for title in CATALOG}
LATE = (0.2, 2.0)  # seconds after which somebody comes to watch
WIND_DOWN = PATIENCE + 10  # seconds; a move that was sent is waited for as long as its patience lasts


class Crowd:
    """Plays through any of the processes, given by their ports."""

    def __init__(
        self, ports: Sequence[int], rest_ports: Sequence[int], history: History, seed: object, mix: Mix
    ) -> None:
        self._ports, self._rest_ports, self.history = ports, rest_ports, history
        self._coin, self._mix = random.Random(f"{seed} crowd"), mix
        self._doors: list[GrpcDoor | RestDoor | aio.Server] = []
        self._tables: set[Table] = set()
        self.watchers: list[Watcher] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._going = True

    def begin(self) -> None:
        self._spectators = self.grpc_door()
        self._fans = self.sdk_server()
        self._tasks = [asyncio.create_task(self._keep_playing(kind)) for kind in self._mix.kinds]

    async def end(self) -> None:
        """Moves under way are finished, then everyone sees all that happened, while there is more."""
        self._going = False
        for table in self._tables:
            table.stopping = True
        async with asyncio.timeout(WIND_DOWN):
            while any(table.busy for table in self._tables):
                await asyncio.sleep(0.05)
        if self._mix.bots:
            await asyncio.sleep(1.0)  # they answer the last moves
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(watcher.finish(self._mix.silence) for watcher in self.watchers))
        await asyncio.gather(*(door.close() for door in self._doors))

    def grpc_door(self) -> GrpcDoor:
        door = GrpcDoor(self._ports, self.history, self._coin)
        self._doors.append(door)
        return door

    def sdk_server(self) -> aio.Server:
        """The SDK with all processes as one address: whoever leaves is replaced by the next."""
        order = self._coin.sample(self._ports, len(self._ports))
        target = "ipv4:" + ",".join(f"127.0.0.1:{port}" for port in order)
        server = aio.Server(Wire(Address(target), PATIENCE), "")
        self._doors.append(server)
        return server

    async def _keep_playing(self, kind: str) -> None:
        door = self._door(kind)
        while self._going:
            table = self._table(kind, door)
            self._tables.add(table)
            try:
                await self._seat(table)
            except TROUBLE as error:
                self.history.failed(door_name(kind), type(table).__name__, error)
                await asyncio.sleep(0.5)
            except ExceptionGroup as group:
                self.history.failed(door_name(kind), type(table).__name__, group.exceptions[0])
            finally:
                self._tables.discard(table)

    async def _seat(self, table: Table) -> None:
        await table.open()
        if self._coin.random() < self._mix.watched:
            self._watch(table)
            self._tasks.append(asyncio.create_task(self._come_late(table)))
        await table.play()

    def _door(self, kind: str) -> GrpcDoor | RestDoor | aio.Server:
        if kind == "grpc":
            return self.grpc_door()
        if kind == "rest":
            door = RestDoor(self._rest_ports, self.history, self._coin)
            self._doors.append(door)
            return door
        return self.sdk_server()

    def _table(self, kind: str, door: GrpcDoor | RestDoor | aio.Server) -> Table:
        (title,) = self._coin.choices(list(TITLES), list(TITLES.values()))
        coin = random.Random(self._coin.getrandbits(64))
        if isinstance(door, aio.Server):
            return SdkTable(door, title, self.history, coin, self._mix, bots=int(kind == "bots"))
        return RawTable(door, title, self.history, coin, self._mix)

    def _watch(self, table: Table) -> None:
        """By one with a seat and one without, by gRPC and by SDK."""
        assert table.game is not None
        seat = self._coin.randrange(len(table.tokens))
        for viewer, token in ((None, ""), (seat, table.tokens[seat])):
            self.watchers.append(self._watcher(table, viewer, token))

    async def _come_late(self, table: Table) -> None:
        """One more, to whom a part of the game is past."""
        assert table.game is not None
        await asyncio.sleep(self._coin.uniform(*LATE))
        self.watchers.append(RawWatcher(self._spectators, self.history, table.game, None, ""))

    def _watcher(self, table: Table, viewer: int | None, token: str) -> Watcher:
        assert table.game is not None
        if self._coin.random() < 0.5:
            return RawWatcher(self._spectators, self.history, table.game, viewer, token)
        server, game_id = self._fans, table.game.game_id
        eyes = server.game(game_id) if viewer is None else server.player(game_id, viewer, token)
        return SdkWatcher(eyes, self.history, table.game, viewer, token)


def door_name(kind: str) -> str:
    return {"grpc": "gRPC", "rest": "REST"}.get(kind, "SDK")
