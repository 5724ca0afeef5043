"""Bad lines between the service and Redis: all processes but the last speak through the proxy."""

from __future__ import annotations

import asyncio
from typing import Any

from ..environment import World
from .fault import STANDALONE, Fault


class BadLine(Fault):
    topologies = STANDALONE
    needs = frozenset({"proxied"})

    def weather(self) -> dict[str, Any]:
        raise NotImplementedError

    async def begin(self, world: World) -> None:
        weather = self.weather()
        self.note = " ".join(f"{key} {value}" for key, value in weather.items())
        await world.store.proxy.tell(**weather)

    async def end(self, world: World) -> None:
        await world.store.proxy.tell()


class Latency(BadLine):
    name, about = "latency", "answers of Redis come late"
    seconds = (2.0, 5.0)

    def weather(self) -> dict[str, Any]:
        return {"latency": round(self.coin.uniform(0.01, 0.3), 3)}


class Cut(BadLine):
    name, about = "cut", "connections to Redis break after so many bytes, in the middle of an answer"
    seconds = (1.0, 3.0)

    def weather(self) -> dict[str, Any]:
        return {"cut": self.coin.randrange(500, 20_000)}


class DroppedReplies(BadLine):
    name, about = "dropped_reply", "Redis does it, but its answer never arrives"
    seconds = (0.2, 0.5)

    def weather(self) -> dict[str, Any]:
        return {"lose": 1, "silent": self.coin.random() < 0.3}

    async def begin(self, world: World) -> None:
        """Several times, each time a single answer."""
        for _ in range(self.coin.randrange(3, 8)):
            await super().begin(world)
            await asyncio.sleep(0.3)


class Blackhole(BadLine):
    name, about = "blackhole", "connections to Redis are open and carry nothing"
    seconds = (1.0, 6.0)

    def weather(self) -> dict[str, Any]:
        return {"blackhole": True}
