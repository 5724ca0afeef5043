"""Faults of the disk of Redis: slow, full, or killed before an fsync."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import subprocess
import sys
from contextlib import suppress

from ..environment import Environment
from .fault import STANDALONE, Fault

SIGN = "attached"


class SlowDisk(Fault):
    """Delays each fsync of Redis with strace."""

    topologies = STANDALONE
    delay = (0.005, 0.1)

    @classmethod
    def missing(cls) -> str:
        if not shutil.which("strace"):
            return "strace is not installed"
        tried = subprocess.run(["strace", "-e", "trace=none", "true"], capture_output=True, check=False)
        return "" if tried.returncode == 0 else "this machine does not let strace trace (ptrace)"

    async def begin(self, environment: Environment) -> None:
        seconds = self.coin.uniform(*self.delay)
        self.note = f"{seconds * 1000:.0f} ms for an fsync"
        calls = "fdatasync,fsync"
        inject = f"{calls}:delay_enter={int(seconds * 1e6)}"
        command = ["strace", "-f", "-p", str(environment.store.server.pid), "-e", f"trace={calls}", "-e"]
        attached = asyncio.to_thread(self._attach, [*command, f"inject={inject}", "-o", os.devnull])
        await asyncio.wait_for(attached, 10)

    def _attach(self, command: list[str]) -> None:
        """Starts strace with subprocess: asyncio's subprocesses conflict with the threads of gRPC."""
        self._tracer = subprocess.Popen(command, stderr=subprocess.PIPE)
        assert self._tracer.stderr is not None
        said = self._tracer.stderr.readline()
        assert SIGN in said.decode(), f"strace said {said!r} and ended with {self._tracer.poll()}"

    async def release(self) -> None:
        self._tracer.terminate()
        await asyncio.to_thread(self._tracer.wait)

    async def end(self, environment: Environment) -> None:
        await self.release()


class SlowFsync(SlowDisk):
    name, about = "slow_fsync", "each fsync of Redis takes up to 100 ms"
    seconds = (2.0, 5.0)


class KillWhileSyncing(SlowDisk):
    """Kills Redis during slow fsyncs: what it acknowledged without an fsync is lost, as in a power cut."""

    name, about = "kill_while_syncing", "kill -9 of Redis while its fsyncs are slow"
    delay = (1.5, 2.0)
    seconds = (0.2, 1.0)

    async def begin(self, environment: Environment) -> None:
        await super().begin(environment)
        await asyncio.sleep(4.0)
        environment.store.server.kill()

    async def end(self, environment: Environment) -> None:
        await self.release()
        await asyncio.to_thread(environment.store.server.start)


class DiskFull(Fault):
    """Fills a small tmpfs; where none can be mounted, limits the size of the files of Redis."""

    name, about = "disk_full", "no more room for the log of Redis, until it ends by itself"
    topologies = STANDALONE
    needs = frozenset({"small_disk"})
    seconds = (1.0, 2.0)

    async def begin(self, environment: Environment) -> None:
        server = environment.store.server
        self._filler = environment.store.disk / "filler"
        if environment.store.small:
            self._fill()
        else:
            print(
                "disk_full: NO SMALL DISK COULD BE MOUNTED; the size of files is limited instead",
                file=sys.stderr,
            )
            self._limit(
                server.pid, max(file.stat().st_size for file in environment.store.disk.rglob("*.aof"))
            )
        async with asyncio.timeout(20):
            while server.running:
                await asyncio.sleep(0.05)
        self.note = f"{'a full disk' if environment.store.small else 'a limit on files'}, Redis ended"

    def _fill(self) -> None:
        """Writes until the disk has no byte left."""
        with suppress(OSError), self._filler.open("wb", buffering=0) as filler:
            while filler.write(bytes(1 << 20)):
                pass

    def _limit(self, pid: int, size: int) -> None:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    async def end(self, environment: Environment) -> None:
        self._filler.unlink(missing_ok=True)
        if environment.store.server.running:
            environment.store.server.kill()
        await asyncio.to_thread(environment.store.server.start)
