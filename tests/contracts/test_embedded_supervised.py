"""An embedded server that ends by itself is started again, and its data is for its owner alone."""

from __future__ import annotations

import os
import queue
import signal
import stat
from pathlib import Path

import pytest

from gamehost.stores.embedded import MOST_RESTARTS, EmbeddedServer, EmbeddedServerFailed
from support.waiting import PATIENCE

from .test_embedded import append, log
from .test_event_store import stored


class Told:
    """What the supervisor of a server says, as it says it."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._restarts: queue.Queue[int] = queue.Queue()
        self._losses: queue.Queue[EmbeddedServerFailed] = queue.Queue()
        server.supervise(self._restarts.put, self._losses.put)

    def restart(self) -> int:
        return self._restarts.get(timeout=PATIENCE)

    def loss(self) -> EmbeddedServerFailed:
        return self._losses.get(timeout=PATIENCE)


def kill(server: EmbeddedServer) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)


async def test_a_server_that_is_killed_comes_back_with_its_data_at_the_same_address(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        told, url, first = Told(server), server.url, server.pid
        await append(server, b"a", 0)

        kill(server)

        assert -signal.SIGKILL == told.restart()
        assert (url, False) == (server.url, first == server.pid)
        assert stored(b"a") == await log(server)
        await append(server, b"b", 1)
    with EmbeddedServer(folder) as server:
        assert stored(b"a", b"b") == await log(server)


async def test_a_server_that_ends_again_and_again_is_given_up(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        told = Told(server)
        for _ in range(MOST_RESTARTS):
            kill(server)
            told.restart()

        kill(server)

        assert "again and again (exit code -9)" in str(told.loss())


async def test_a_server_that_cannot_be_started_again_is_lost(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        told = Told(server)
        await append(server, b"a", 0)
        next((folder / "appendonlydir").glob("*.manifest")).write_text("nonsense\n")

        kill(server)

        assert "server.log" in str(told.loss())


@pytest.mark.parametrize("before", [0o755, 0o770, 0o701])
def test_a_data_directory_that_others_could_read_is_closed_to_them(folder: Path, before: int) -> None:
    folder.mkdir()
    folder.chmod(before)
    (folder / "server.log").touch(0o644)

    with EmbeddedServer(folder):
        files = [path for path in folder.rglob("*") if path.is_file()]
        open_ones = [path for path in files if path.stat().st_mode & 0o077]

    assert 0o700 == stat.S_IMODE(folder.stat().st_mode)
    assert any("appendonly" in path.name for path in files)
    assert [] == open_ones


def test_a_directory_that_belongs_to_everybody_is_refused(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o1777)

    with pytest.raises(EmbeddedServerFailed, match=r"mode 1777.* data directory of its own"):
        EmbeddedServer(folder).start()

    assert 0o1777 == stat.S_IMODE(folder.stat().st_mode)
