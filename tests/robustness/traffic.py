"""The traffic of a run: a fixed number of games in progress, and watchers of some of them."""

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
from .raw_clients import GrpcClient, RestClient
from .traffic_mix import TrafficMix
from .watchers import RawWatcher, SdkWatcher, Watcher

# Weights of the titles. A game of Tides is short, so most games are of Tides; the others are longer and
# cost more.
TITLES = {title: 20 if title == "tides" else 2 for title in CATALOG}
LATE = (0.2, 2.0)  # seconds after which the late watcher of a game joins
WIND_DOWN = PATIENCE + 10  # seconds to wait for moves that were sent: longer than a client tries


class Traffic:
    """Plays games through all processes, given by their ports."""

    def __init__(
        self, ports: Sequence[int], rest_ports: Sequence[int], history: History, seed: object, mix: TrafficMix
    ) -> None:
        self._ports, self._rest_ports, self.history = ports, rest_ports, history
        self._coin, self._mix = random.Random(f"{seed} crowd"), mix
        self._clients: list[GrpcClient | RestClient | aio.Server] = []
        self._tables: set[Table] = set()
        self.watchers: list[Watcher] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._going = True

    def begin(self) -> None:
        self._spectators = self.grpc_client()
        self._sdk_spectators = self.sdk_server()
        self._tasks = [asyncio.create_task(self._keep_playing(kind)) for kind in self._mix.kinds]

    async def end(self) -> None:
        """Finishes the moves in flight, then waits until every watcher has seen all events."""
        self._going = False
        for table in self._tables:
            table.stopping = True
        async with asyncio.timeout(WIND_DOWN):
            while any(table.busy for table in self._tables):
                await asyncio.sleep(0.05)
        if self._mix.bots:
            await asyncio.sleep(1.0)  # the bots answer the last moves
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(watcher.finish(self._mix.silence) for watcher in self.watchers))
        await asyncio.gather(*(client.close() for client in self._clients))

    def grpc_client(self) -> GrpcClient:
        client = GrpcClient(self._ports, self.history, self._coin)
        self._clients.append(client)
        return client

    def sdk_server(self) -> aio.Server:
        """Returns an SDK client with all processes behind one address; gRPC fails over between them."""
        order = self._coin.sample(self._ports, len(self._ports))
        target = "ipv4:" + ",".join(f"127.0.0.1:{port}" for port in order)
        server = aio.Server(Wire(Address(target), PATIENCE), "")
        self._clients.append(server)
        return server

    async def _keep_playing(self, kind: str) -> None:
        client = self._client(kind)
        while self._going:
            table = self._table(kind, client)
            self._tables.add(table)
            try:
                await self._seat(table)
            except TROUBLE as error:
                self.history.failed(client_name(kind), type(table).__name__, error)
                await asyncio.sleep(0.5)
            except ExceptionGroup as group:
                self.history.failed(client_name(kind), type(table).__name__, group.exceptions[0])
            finally:
                self._tables.discard(table)

    async def _seat(self, table: Table) -> None:
        await table.open()
        if self._coin.random() < self._mix.watched:
            self._watch(table)
            self._tasks.append(asyncio.create_task(self._come_late(table)))
        await table.play()

    def _client(self, kind: str) -> GrpcClient | RestClient | aio.Server:
        if kind == "grpc":
            return self.grpc_client()
        if kind == "rest":
            client = RestClient(self._rest_ports, self.history, self._coin)
            self._clients.append(client)
            return client
        return self.sdk_server()

    def _table(self, kind: str, client: GrpcClient | RestClient | aio.Server) -> Table:
        (title,) = self._coin.choices(list(TITLES), list(TITLES.values()))
        coin = random.Random(self._coin.getrandbits(64))
        if isinstance(client, aio.Server):
            return SdkTable(client, title, self.history, coin, self._mix, bots=int(kind == "bots"))
        return RawTable(client, title, self.history, coin, self._mix)

    def _watch(self, table: Table) -> None:
        """Starts two watchers, one with a seat and one without, each over gRPC or with the SDK."""
        assert table.game is not None
        seat = self._coin.randrange(len(table.tokens))
        for viewer, token in ((None, ""), (seat, table.tokens[seat])):
            self.watchers.append(self._watcher(table, viewer, token))

    async def _come_late(self, table: Table) -> None:
        """Adds a spectator after a while, so that its stream begins with past events."""
        assert table.game is not None
        await asyncio.sleep(self._coin.uniform(*LATE))
        self.watchers.append(RawWatcher(self._spectators, self.history, table.game, None, ""))

    def _watcher(self, table: Table, viewer: int | None, token: str) -> Watcher:
        assert table.game is not None
        if self._coin.random() < 0.5:
            return RawWatcher(self._spectators, self.history, table.game, viewer, token)
        server, game_id = self._sdk_spectators, table.game.game_id
        handle = server.game(game_id) if viewer is None else server.player(game_id, viewer, token)
        return SdkWatcher(handle, self.history, table.game, viewer, token)


def client_name(kind: str) -> str:
    return {"grpc": "gRPC", "rest": "REST"}.get(kind, "SDK")
