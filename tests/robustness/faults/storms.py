"""Everybody at once."""

from __future__ import annotations

import asyncio

from ..environment import World
from ..watchers import RawWatcher
from .fault import Fault

STREAMS = 1000
CONNECTIONS = 10


class ReconnectStorm(Fault):
    """The watchers are the crowd's from now on: all of them have to see all."""

    name, about = "reconnect_storm", "1,000 streams lose their process at once, and come back"
    seconds = (2.0, 3.0)

    async def begin(self, world: World) -> None:
        crowd, games = world.crowd, list(world.history.games.values())[-50:]
        doors = [crowd.grpc_door() for _ in range(CONNECTIONS)]
        self._watchers = [
            RawWatcher(doors[number % CONNECTIONS], world.history, games[number % len(games)], None, "")
            for number in range(STREAMS if games else 0)
        ]
        crowd.watchers += self._watchers
        await asyncio.sleep(4.0)
        open_streams = sum(not watcher.task.done() for watcher in self._watchers)
        self._victim = world.services[self.coin.randrange(len(world.services))]
        self._victim.kill()
        self.note = f"{len(self._watchers)} streams, {open_streams} open when a process was killed"

    async def end(self, world: World) -> None:
        await self._victim.come()
