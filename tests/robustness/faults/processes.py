"""Faults of processes: killed, paused, drained, restarted."""

from __future__ import annotations

import asyncio

from support.waiting import PATIENCE

from ..environment import Environment
from ..history import now
from ..services import Process
from .fault import STANDALONE, Fault


class OneProcess(Fault):
    """A fault of one process of the service."""

    def victim(self, environment: Environment) -> Process:
        number = self.coin.randrange(len(environment.services))
        self.note = f"process {number}"
        return environment.services[number]


class ServiceKill(OneProcess):
    name, about = "service_kill", "kill -9 of a process of the service"

    async def begin(self, environment: Environment) -> None:
        self._victim = self.victim(environment)
        self._victim.kill()

    async def end(self, environment: Environment) -> None:
        await self._victim.start_and_wait()


class ServicePause(OneProcess):
    name, about = "service_pause", "SIGSTOP, later SIGCONT, of a process of the service"
    seconds = (2.0, 8.0)

    async def begin(self, environment: Environment) -> None:
        self._victim = self.victim(environment)
        self._victim.pause()

    async def end(self, environment: Environment) -> None:
        self._victim.resume()


class Drain(OneProcess):
    name, about = "drain", "SIGTERM to a process of the service under load"

    async def begin(self, environment: Environment) -> None:
        self._victim = self.victim(environment)
        code = await self._victim.drain()
        self.note += f", which ended with {code}"

    async def end(self, environment: Environment) -> None:
        await self._victim.start_and_wait()


class RollingRestart(Fault):
    name, about = "rolling_restart", "a planned restart of all processes, one after the other"
    seconds = (0.0, 0.0)

    async def begin(self, environment: Environment) -> None:
        for service in environment.services:
            await service.drain()
            await service.start_and_wait()
            await asyncio.sleep(0.5)


class RedisKill(Fault):
    name, about = "redis_kill", "kill -9 of Redis"
    topologies = STANDALONE
    seconds = (0.2, 2.0)

    async def begin(self, environment: Environment) -> None:
        environment.store.server.kill()

    async def end(self, environment: Environment) -> None:
        await asyncio.to_thread(environment.store.server.start)


class EmbeddedStoreKill(Fault):
    """Lasts long enough that the store does not end so often that its supervisor gives up."""

    name, about = "embedded_store_kill", "kill -9 of the embedded store, which its process starts again"
    topologies = frozenset({"embedded"})
    seconds = (12.0, 14.0)

    async def begin(self, environment: Environment) -> None:
        before, began = environment.store.pid, now()
        environment.store.kill()
        async with asyncio.timeout(PATIENCE):
            while environment.store.pid in (0, before):
                await asyncio.sleep(0.02)
        await asyncio.to_thread(lambda: environment.store.url)
        self.note = f"it answered again after {now() - began:.1f} s"


class RedisPause(Fault):
    name, about = "redis_pause", "SIGSTOP, later SIGCONT, of Redis"
    topologies = STANDALONE
    seconds = (1.0, 6.0)

    async def begin(self, environment: Environment) -> None:
        self._hanging = environment.store.server.hanging()
        self._hanging.__enter__()

    async def end(self, environment: Environment) -> None:
        self._hanging.__exit__(None, None, None)
