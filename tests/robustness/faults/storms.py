"""A fault of clients: many streams reconnect at once."""

from __future__ import annotations

import asyncio

from ..environment import Environment
from ..watchers import RawWatcher
from .fault import Fault

STREAMS = 1000
CONNECTIONS = 10


class ReconnectStorm(Fault):
    """Adds its watchers to the traffic, so that each of them must receive every event."""

    name, about = "reconnect_storm", "1,000 streams lose their process at once, and come back"
    seconds = (2.0, 3.0)

    async def begin(self, environment: Environment) -> None:
        traffic, games = environment.traffic, list(environment.history.games.values())[-50:]
        clients = [traffic.grpc_client() for _ in range(CONNECTIONS)]
        self._watchers = [
            RawWatcher(
                clients[number % CONNECTIONS], environment.history, games[number % len(games)], None, ""
            )
            for number in range(STREAMS if games else 0)
        ]
        traffic.watchers += self._watchers
        await asyncio.sleep(4.0)
        open_streams = sum(not watcher.task.done() for watcher in self._watchers)
        self._victim = environment.services[self.coin.randrange(len(environment.services))]
        self._victim.kill()
        self.note = f"{len(self._watchers)} streams, {open_streams} open when a process was killed"

    async def end(self, environment: Environment) -> None:
        await self._victim.start_and_wait()
