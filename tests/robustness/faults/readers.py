"""A fault of clients: watchers that read a long log slowly."""

from __future__ import annotations

from gamehost.codec.store_codec import StoreCodec
from gamehost.codec.titles import TITLES
from gamehost.play.tables.current import TableCache
from gamehost.rules.catalog import CATALOG
from gamehost.stores.redis.store import connect
from shedu.v1 import game_service_pb2 as pb
from support.long_logs import lengthen

from ..environment import Environment
from ..history import GameHistory, History, now
from ..watchers import SlowWatcher
from .fault import Fault

READERS = 10
EVENTS = 3000


class SlowReaders(Fault):
    """Adds its watchers to the traffic, so that each of them must receive every event."""

    name, about = "slow_readers", f"{READERS} watchers read a log of {EVENTS:,} events slowly from its start"
    # The log is written directly to the store, without waiting for replicas.
    topologies = frozenset({"standalone", "embedded"})
    seconds = (4.0, 8.0)

    async def begin(self, environment: Environment) -> None:
        self._began, self._watchers = now(), list[SlowWatcher]()
        game = await self._long_game(environment)
        clients = [environment.traffic.grpc_client() for _ in range(READERS)]
        self._watchers = [SlowWatcher(client, environment.history, game, None, "") for client in clients]
        environment.traffic.watchers += self._watchers

    async def end(self, environment: Environment) -> None:
        for watcher in self._watchers:
            watcher.hurry = True
        told = sum(len(watcher.trail.versions) for watcher in self._watchers)
        slowest = self._slowest(environment.history)
        self.note = f"{told:,} versions told, the slowest look of others took {slowest} ms"

    async def _long_game(self, environment: Environment) -> GameHistory:
        client, opened = environment.traffic.grpc_client(), now()
        name = f"{self.coin.getrandbits(128):032x}"
        created = await client.call("CreateGame", pb.CreateGameRequest(title="tides", request_id=name))
        game_id = created.game.game_id
        for seat in range(2):
            request = pb.JoinGameRequest(game_id=game_id, seat=seat, request_id=f"{name}-{seat}")
            await client.call("JoinGame", request)
        store, codec = connect(environment.store.url), StoreCodec(TITLES)
        try:
            await lengthen(TableCache(store, codec, CATALOG), store, codec, game_id, EVENTS)
        finally:
            await store.close()
        game = environment.history.game(game_id, "tides", opened, clocked=False)
        game.seen = EVENTS  # every watcher must reach this version
        return game

    def _slowest(self, history: History) -> int:
        looks = (look for game in history.games.values() for look in game.looks if look.began >= self._began)
        return round(1000 * max((look.ended - look.began for look in looks), default=0.0))
