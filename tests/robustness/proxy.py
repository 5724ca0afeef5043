"""A line to Redis that can be made bad: a process of its own, told what to do by lines of JSON."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.servers import can_connect, free_port
from support.waiting import wait_until

from .services import PYTHONPATH

SPOKEN = 65536


@dataclass(slots=True)
class Weather:
    """`latency` seconds on the way back; `cut` bytes of answers after which a connection ends; `lose` answers
    that never arrive, the connection being cut or, with `silent`, left hanging; `blackhole` for all."""

    latency: float = 0.0
    cut: int = 0
    lose: int = 0
    silent: bool = False
    blackhole: bool = False


class Line:
    """One connection of a service."""

    def __init__(self, proxy: Proxy, here: Any, there: Any) -> None:
        self._proxy, self._here, self._there = proxy, here, there
        self._told = 0

    async def run(self) -> None:
        pipes = asyncio.create_task(self._forward()), asyncio.create_task(self._answer())
        await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
        for pipe in pipes:
            pipe.cancel()
        await asyncio.gather(*pipes, return_exceptions=True)
        for _, writer in (self._here, self._there):
            writer.close()

    async def _forward(self) -> None:
        while data := await self._here[0].read(SPOKEN):
            await self._proxy.passable()
            self._there[1].write(data)
            await self._there[1].drain()

    async def _answer(self) -> None:
        while data := await self._there[0].read(SPOKEN):
            weather = self._proxy.weather
            if weather.latency:
                await asyncio.sleep(weather.latency)
            await self._proxy.passable()
            if weather.lose:
                weather.lose -= 1
                self._proxy.lost += 1
                await asyncio.sleep(30 if weather.silent else 0)
                return
            self._told = self._told + len(data) if weather.cut else 0
            if weather.cut and self._told >= weather.cut:
                self._here[1].write(data[: len(data) // 2])
                self._proxy.lost += 1
                return
            self._here[1].write(data)
            await self._here[1].drain()


class Proxy:
    def __init__(self, target: int) -> None:
        self._target = target
        self.weather, self.lost = Weather(), 0
        self._clear = asyncio.Event()
        self._clear.set()

    async def passable(self) -> None:
        await self._clear.wait()

    def change(self, weather: Weather) -> None:
        self.weather = weather
        (self._clear.clear if weather.blackhole else self._clear.set)()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.close()
            return
        await Line(self, (reader, writer), there).run()

    async def obey(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Each line is the weather from now on; answered by how many answers were lost so far."""
        while line := await reader.readline():
            self.change(Weather(**json.loads(line)))
            writer.write(b"%d\n" % self.lost)


async def serve(port: int, control: int, target: int) -> None:
    proxy = Proxy(target)
    async with (
        await asyncio.start_server(proxy.serve, "127.0.0.1", port),
        await asyncio.start_server(proxy.obey, "127.0.0.1", control),
    ):
        await asyncio.Event().wait()


class ProxyProcess:
    """Seen from the harness."""

    def __init__(self, target: int, folder: Path) -> None:
        self.port, self._control = free_port(), free_port()
        folder.mkdir(parents=True, exist_ok=True)
        ports = map(str, (self.port, self._control, target))
        with (folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "robustness.proxy", *ports],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": PYTHONPATH},
            )
        wait_until(lambda: can_connect(self.port) and can_connect(self._control))

    async def tell(self, **weather: Any) -> int:
        """How many answers were lost up to now."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._control)
        writer.write(json.dumps(weather).encode() + b"\n")
        lost = int(await reader.readline())
        writer.close()
        await writer.wait_closed()
        return lost

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


def run(arguments: list[str]) -> None:
    work: Coroutine[Any, Any, None] = serve(*map(int, arguments))
    asyncio.run(work)


if __name__ == "__main__":
    run(sys.argv[1:])
