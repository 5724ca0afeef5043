"""A proxy to Redis, in a process of its own, that degrades connections as JSON lines tell it."""

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

CHUNK = 65536


@dataclass(slots=True)
class NetworkConditions:
    """The degradation of connections.

    `latency` delays replies by so many seconds. `cut` ends a connection after so many bytes of replies.
    `lose` drops so many replies and ends the connection or, with `silent`, leaves it open. `blackhole`
    forwards nothing.
    """

    latency: float = 0.0
    cut: int = 0
    lose: int = 0
    silent: bool = False
    blackhole: bool = False


class Connection:
    """One connection of a service, forwarded to Redis."""

    def __init__(self, proxy: Proxy, here: Any, there: Any) -> None:
        self._proxy, self._here, self._there = proxy, here, there
        self._sent = 0

    async def run(self) -> None:
        pipes = asyncio.create_task(self._forward()), asyncio.create_task(self._answer())
        await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
        for pipe in pipes:
            pipe.cancel()
        await asyncio.gather(*pipes, return_exceptions=True)
        for _, writer in (self._here, self._there):
            writer.close()

    async def _forward(self) -> None:
        while data := await self._here[0].read(CHUNK):
            await self._proxy.wait_until_open()
            self._there[1].write(data)
            await self._there[1].drain()

    async def _answer(self) -> None:
        while data := await self._there[0].read(CHUNK):
            conditions = self._proxy.conditions
            if conditions.latency:
                await asyncio.sleep(conditions.latency)
            await self._proxy.wait_until_open()
            if conditions.lose:
                conditions.lose -= 1
                self._proxy.lost += 1
                await asyncio.sleep(30 if conditions.silent else 0)
                return
            self._sent = self._sent + len(data) if conditions.cut else 0
            if conditions.cut and self._sent >= conditions.cut:
                self._here[1].write(data[: len(data) // 2])
                self._proxy.lost += 1
                return
            self._here[1].write(data)
            await self._here[1].drain()


class Proxy:
    def __init__(self, target: int) -> None:
        self._target = target
        self.conditions, self.lost = NetworkConditions(), 0
        self._clear = asyncio.Event()
        self._clear.set()

    async def wait_until_open(self) -> None:
        await self._clear.wait()

    def change(self, conditions: NetworkConditions) -> None:
        self.conditions = conditions
        (self._clear.clear if conditions.blackhole else self._clear.set)()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.close()
            return
        await Connection(self, (reader, writer), there).run()

    async def serve_control(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Reads the conditions to apply from each line; answers with the number of replies lost so far."""
        while line := await reader.readline():
            self.change(NetworkConditions(**json.loads(line)))
            writer.write(b"%d\n" % self.lost)


async def serve(port: int, control: int, target: int) -> None:
    proxy = Proxy(target)
    async with (
        await asyncio.start_server(proxy.serve, "127.0.0.1", port),
        await asyncio.start_server(proxy.serve_control, "127.0.0.1", control),
    ):
        await asyncio.Event().wait()


class ProxyProcess:
    """Starts and controls the process of the proxy."""

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

    async def set_conditions(self, **conditions: Any) -> int:
        """Changes the conditions, and returns how many replies were lost so far."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._control)
        writer.write(json.dumps(conditions).encode() + b"\n")
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
