"""Processes that die, hang or leave."""

from __future__ import annotations

import asyncio

from support.waiting import PATIENCE

from ..environment import World
from ..history import now
from ..services import Process
from .fault import STANDALONE, Fault


class OneProcess(Fault):
    """Something that happens to one process of the service."""

    def victim(self, world: World) -> Process:
        number = self.coin.randrange(len(world.services))
        self.note = f"process {number}"
        return world.services[number]


class ServiceKill(OneProcess):
    name, about = "service_kill", "kill -9 of a process of the service"

    async def begin(self, world: World) -> None:
        self._victim = self.victim(world)
        self._victim.kill()

    async def end(self, world: World) -> None:
        await self._victim.come()


class ServicePause(OneProcess):
    name, about = "service_pause", "SIGSTOP, later SIGCONT, of a process of the service"
    seconds = (2.0, 8.0)

    async def begin(self, world: World) -> None:
        self._victim = self.victim(world)
        self._victim.pause()

    async def end(self, world: World) -> None:
        self._victim.resume()


class Drain(OneProcess):
    name, about = "drain", "SIGTERM to a process of the service under load"

    async def begin(self, world: World) -> None:
        self._victim = self.victim(world)
        code = await self._victim.leave()
        self.note += f", which ended with {code}"

    async def end(self, world: World) -> None:
        await self._victim.come()


class RollingRestart(Fault):
    name, about = "rolling_restart", "a planned restart of all processes, one after the other"
    seconds = (0.0, 0.0)

    async def begin(self, world: World) -> None:
        for service in world.services:
            await service.leave()
            await service.come()
            await asyncio.sleep(0.5)


class RedisKill(Fault):
    name, about = "redis_kill", "kill -9 of Redis"
    topologies = STANDALONE
    seconds = (0.2, 2.0)

    async def begin(self, world: World) -> None:
        world.store.server.kill()

    async def end(self, world: World) -> None:
        await asyncio.to_thread(world.store.server.start)


class EmbeddedStoreKill(Fault):
    """Lasts so long that the store does not end too often to be started again."""

    name, about = "embedded_store_kill", "kill -9 of the embedded store, which its process starts again"
    topologies = frozenset({"embedded"})
    seconds = (12.0, 14.0)

    async def begin(self, world: World) -> None:
        before, began = world.store.pid, now()
        world.store.kill()
        async with asyncio.timeout(PATIENCE):
            while world.store.pid in (0, before):
                await asyncio.sleep(0.02)
        await asyncio.to_thread(lambda: world.store.url)
        self.note = f"it answered again after {now() - began:.1f} s"


class RedisPause(Fault):
    name, about = "redis_pause", "SIGSTOP, later SIGCONT, of Redis"
    topologies = STANDALONE
    seconds = (1.0, 6.0)

    async def begin(self, world: World) -> None:
        self._hanging = world.store.server.hanging()
        self._hanging.__enter__()

    async def end(self, world: World) -> None:
        self._hanging.__exit__(None, None, None)
