"""Pings, signals and ends a Valkey or Redis process that listens on a unix socket."""

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
    """The state of the server: "ready", "loading", or empty if it does not answer."""
    with client(socket) as server:
        try:
            server.ping()
        except BusyLoadingError:
            return "loading"
        except (RedisError, OSError):
            return ""
    return "ready"


def shut_down_server(socket: Path) -> None:
    """Sends SHUTDOWN; errors are ignored, because the caller waits for the lock of the server to be free."""
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


def is_server_of(pid: int, socket: Path) -> bool:
    """Whether a process is a server on a socket. The id may have been given to another process since."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        command = command_line(pid)
    return os.fsencode(socket) in command


def command_line(pid: int) -> bytes:
    """The command line of a process on systems without /proc."""
    try:
        return subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True).stdout
    except OSError:
        return b""


def end(process: subprocess.Popen[bytes], timeout: float) -> None:
    """Terminates a process, and kills it if it has not ended after `timeout` seconds."""
    process.terminate()
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
