"""Processes of the service that can be killed, paused and started again on the same ports."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import tempfile
from pathlib import Path

from support.fork_server import LIBRARIES as PYTHONPATH
from support.fork_server import Forked, fork_server
from support.process import Serve

COMPILED = Path(tempfile.gettempdir()) / "shedu-robustness-compiled"
STARTS = 300.0  # seconds: several may start at once on a busy machine
QUICK = {"SHEDU_BOT_THINK_SECONDS": "0.02", "SHEDU_DRAIN_SECONDS": "1.0", "SHEDU_CACHE_MB": "64"}


class Process(Serve):
    """`shedu serve` with the bugs named in `plant`; if `forked`, started from the fork server."""

    def __init__(
        self,
        folder: Path,
        url: str,  # of the store; empty for the embedded one
        plant: str = "",
        *arguments: str,
        forked: bool = False,
        **settings: str,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        # Bytecode is compiled once for all starts, also where the source folder is read-only.
        compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(COMPILED)}
        given = {"PYTHONPATH": PYTHONPATH, **compiled, **QUICK, **settings}
        super().__init__(folder, *(("--redis", url) if url else ()), *arguments, **given)
        self._plant, self._forked = plant, forked and "LD_PRELOAD" not in settings
        if plant:
            self.command[1:3] = ["-m", "robustness.planted_bugs", plant]
        self.paused = False

    def launch(self) -> subprocess.Popen[bytes] | Forked:
        if not (self._forked and self._plant):
            return super().launch()
        words = [self._plant, *self.command[self.command.index("serve") :]]
        self.process = fork_server().fork(words, self.environment, self.log, "robustness.planted_bugs")
        return self.process

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    async def start_and_wait(self) -> None:
        """Starts the process if it does not run, and waits until it is ready."""
        if not self.running:
            self.launch()
        async with asyncio.timeout(STARTS):
            while not await asyncio.to_thread(self.ready):
                assert self.running, f"shedu serve ended:\n{self.log.read_text()}"
                await asyncio.sleep(0.1)

    async def drain(self) -> int:
        """Sends SIGTERM, and waits until the process has drained and ended."""
        self.signal(signal.SIGTERM)
        return await asyncio.to_thread(self.wait)

    def kill(self) -> None:
        if self.running:
            self.resume()
            self.signal(signal.SIGKILL)
            self.wait()

    def pause(self) -> None:
        self.paused = True
        self.signal(signal.SIGSTOP)

    def resume(self) -> None:
        if self.paused:
            self.signal(signal.SIGCONT)
        self.paused = False
