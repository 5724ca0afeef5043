"""Runs a local server in the background for the time of one game, on free ports."""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnProcess
from pathlib import Path

import shedu
from gamehost import main, worker
from gamehost.commands.console import err, fail
from gamehost.settings import Settings
from gamehost.stores.embedded import locked, open_lock

START_SECONDS = 60.0  # seconds until it must answer
STOP_SECONDS = 20.0  # seconds from SIGTERM to SIGKILL
START_POLL_SECONDS = 0.1
# Settings of a public service in the environment, which a local server must not use.
FOREIGN = ("SHEDU_REDIS", "SHEDU_REDIS_FILE", "SHEDU_DURABILITY", "SHEDU_REPLICAS", "SHEDU_SECRET_FILES")
FOREIGN_TLS = ("SHEDU_TLS_CERT", "SHEDU_TLS_KEY", "SHEDU_TLS_CLIENT_CA", "SHEDU_HEALTH_PORT")


@contextmanager
def run_local_server(data: Path) -> Iterator[str]:
    """Start a local server and yield its gRPC address."""
    settings = main.with_free_ports(local_settings(data))
    log = data / "service.log"
    # Not fork: the threads of gRPC in this process do not survive it.
    process = multiprocessing.get_context("spawn").Process(
        target=run_server, args=(settings, log, os.getpid())
    )
    process.start()
    address = f"{settings.host}:{settings.grpc_port}"
    try:
        await_answer(address, process, log)
        yield address
    finally:
        # SIGTERM first: the server drains and closes its store. It is killed only if that takes too long.
        process.terminate()
        process.join(STOP_SECONDS)
        process.kill()


@contextmanager
def usable_data_dir(data: Path) -> Iterator[Path]:
    """Yield the data directory or, while another game uses it, a temporary one."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = open_lock(data / "owner.lock")
    # Another game may take the lock after this check. Its server keeps it, and the one of this game fails to
    # start, which `await_answer` reports.
    free = locked(lock)
    os.close(lock)  # the server process takes the lock for itself
    if free:
        yield data
        return
    with tempfile.TemporaryDirectory(prefix="shedu-play-") as folder:
        warning = f"{data} is in use: this game is kept in {folder} and is lost when you leave."
        err.print(warning, highlight=False, markup=False, soft_wrap=True)
        yield Path(folder)


def local_settings(data: Path) -> Settings:
    for name in FOREIGN + FOREIGN_TLS:
        os.environ.pop(name, None)
    return Settings.model_validate(
        {"port": 0, "grpc_port": 0, "host": "127.0.0.1", "data_dir": data, "identity": "open", "workers": 1}
        | {"bots": True, "log_format": "json", "drain_seconds": 0}
    )


def run_server(settings: Settings, log: Path, parent: int) -> None:
    """The main function of the server process. It ends with its parent."""
    # Ctrl-C goes to the whole session of the terminal; in its own session the server does not get it.
    os.setsid()
    # The descriptors and not sys.stdout: native code, such as gRPC, writes to them without Python.
    with log.open("ab") as file:
        os.dup2(file.fileno(), sys.stdout.fileno())
        os.dup2(file.fileno(), sys.stderr.fileno())
    with main.store_url(settings) as url:
        worker.run_worker(settings, url, parent)


def await_answer(address: str, process: SpawnProcess, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    # Little patience for each call, so that the loop soon notices a server that has ended.
    with (
        err.status("starting a service for this game …"),
        shedu.connect(address, token="", patience=1) as there,
    ):
        while time.monotonic() < deadline and process.is_alive():
            try:
                there.titles()
            except (shedu.Unavailable, shedu.TimedOut):
                time.sleep(START_POLL_SECONDS)
            else:
                return
    fail(f"the service for this game does not start; {log} says why")
