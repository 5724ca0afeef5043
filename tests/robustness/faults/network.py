"""Network faults between the service and Redis: all processes but the last connect through the proxy."""

from __future__ import annotations

import asyncio
from typing import Any

from ..environment import Environment
from .fault import STANDALONE, Fault


class NetworkFault(Fault):
    topologies = STANDALONE
    needs = frozenset({"proxied"})

    def conditions(self) -> dict[str, Any]:
        raise NotImplementedError

    async def begin(self, environment: Environment) -> None:
        conditions = self.conditions()
        self.note = " ".join(f"{key} {value}" for key, value in conditions.items())
        await environment.store.proxy.set_conditions(**conditions)

    async def end(self, environment: Environment) -> None:
        await environment.store.proxy.set_conditions()


class Latency(NetworkFault):
    name, about = "latency", "answers of Redis come late"
    seconds = (2.0, 5.0)

    def conditions(self) -> dict[str, Any]:
        return {"latency": round(self.coin.uniform(0.01, 0.3), 3)}


class Cut(NetworkFault):
    name, about = "cut", "connections to Redis break after so many bytes, in the middle of an answer"
    seconds = (1.0, 3.0)

    def conditions(self) -> dict[str, Any]:
        return {"cut": self.coin.randrange(500, 20_000)}


class DroppedReplies(NetworkFault):
    name, about = "dropped_reply", "Redis does it, but its answer never arrives"
    seconds = (0.2, 0.5)

    def conditions(self) -> dict[str, Any]:
        return {"lose": 1, "silent": self.coin.random() < 0.3}

    async def begin(self, environment: Environment) -> None:
        """Drops a single reply, several times."""
        for _ in range(self.coin.randrange(3, 8)):
            await super().begin(environment)
            await asyncio.sleep(0.3)


class Blackhole(NetworkFault):
    name, about = "blackhole", "connections to Redis are open and carry nothing"
    seconds = (1.0, 6.0)

    def conditions(self) -> dict[str, Any]:
        return {"blackhole": True}
