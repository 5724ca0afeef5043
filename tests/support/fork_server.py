"""Starts processes of the service by forking one that has imported everything, to save that time.

An interpreter that imports the service takes more than a second of processor time, a fork of one that has
done so some milliseconds. The fork is safe: only imports have run before it, so there are no threads and no
gRPC yet.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from functools import cache
from pathlib import Path

from support.servers import is_alive, process_state

ROOT = Path(__file__).parents[2]
LIBRARIES = os.pathsep.join(str(ROOT / part) for part in ("service", "clients/python", "tests"))
SHEDU = "gamehost.cli"  # the module of the command `shedu`
# What a service imports; its children import nothing of it again.
IMPORTED = (SHEDU, "gamehost.main", "gamehost.worker", "uvloop", "uvicorn.protocols.http.httptools_impl")


class Forked:
    """The needed part of `subprocess.Popen`. Its parent is the fork server, which does not reap it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None and not is_alive(self.pid):
            self.returncode = exit_code(self.pid)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        end = time.monotonic() + timeout if timeout is not None else float("inf")
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("a forked service", timeout or 0)
            time.sleep(0.01)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """Starts processes of the service by forking one that has imported everything."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "support.fork_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": LIBRARIES},
            text=True,
        )
        atexit.register(self.close)

    def fork(
        self, arguments: list[str], environment: dict[str, str], log: Path, module: str = SHEDU
    ) -> Forked:
        """Runs `main` of the module in a new process; what it prints is appended to `log`."""
        order = {"module": module, "arguments": arguments, "environment": environment, "log": str(log)}
        with self._one_at_a_time:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
            return Forked(int(self._process.stdout.readline()))

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@cache
def fork_server() -> ForkServer:
    """Returns the one fork server of this process, and starts it at the first call."""
    return ForkServer()


def exit_code(pid: int) -> int:
    """The exit code of a process that was not reaped yet; -1 if it was."""
    if process_state(pid) != "Z":
        return -1
    return os.waitstatus_to_exitcode(int(Path(f"/proc/{pid}/stat").read_text().split()[-1]))


def main() -> None:
    """Forks a child for each line of JSON that it reads, and prints its process id."""
    for name in IMPORTED:
        importlib.import_module(name)
    # The children share these objects: without this, a collection of garbage would copy their pages.
    gc.freeze()
    for line in sys.stdin:
        if pid := os.fork():
            print(pid, flush=True)
        else:
            run_child(**json.loads(line))


def run_child(module: str, arguments: list[str], environment: dict[str, str], log: str) -> None:
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for stream, there in enumerate((nothing, file, file)):
            os.dup2(there, stream)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["shedu", *arguments]
        importlib.import_module(module).main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(bool(end.code))
    except BaseException:
        traceback.print_exc()
    else:
        code = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
