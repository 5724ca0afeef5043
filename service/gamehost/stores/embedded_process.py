"""Asks, signals and ends a Valkey or Redis process that listens on a unix socket."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError
from redis.retry import Retry


def client(socket: Path) -> Redis:
    return Redis(unix_socket_path=str(socket), socket_timeout=2, retry=Retry(NoBackoff(), 0))


def answer_of(socket: Path) -> str:
    """Ready, loading, or nothing."""
    with client(socket) as server:
        try:
            server.ping()
        except BusyLoadingError:
            return "loading"
        except (RedisError, OSError):
            return ""
    return "ready"


def shut_down(socket: Path) -> None:
    with client(socket) as server:
        try:
            server.shutdown()
        except (RedisError, OSError):
            return


def send(pid: int, number: signal.Signals) -> None:
    if pid:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return


def serves(pid: int, socket: Path) -> bool:
    """Whether that process is a server on that socket; its number may belong to another by now."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        command = listed(pid)
    return os.fsencode(socket) in command


def listed(pid: int) -> bytes:
    """The command of a process where there is no /proc."""
    try:
        return subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True).stdout
    except OSError:
        return b""


def end(process: subprocess.Popen[bytes], patience: float) -> None:
    process.terminate()
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
