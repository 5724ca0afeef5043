"""Tests that an embedded server which ends is restarted, and that only its owner can read its data."""

from __future__ import annotations

import os
import queue
import signal
import stat
import threading
from pathlib import Path

import pytest

from gamehost.stores import embedded
from gamehost.stores.embedded import MOST_RESTARTS, EmbeddedServer, EmbeddedServerFailed
from support.waiting import PATIENCE

from .test_embedded import append, log
from .test_event_store import stored


class Notifications:
    """Collects the notifications of the supervisor of a server."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._restarts: queue.Queue[int] = queue.Queue()
        self._losses: queue.Queue[EmbeddedServerFailed] = queue.Queue()
        server.supervise(self._restarts.put, self._losses.put)

    def restart(self) -> int:
        return self._restarts.get(timeout=PATIENCE)

    def loss(self) -> EmbeddedServerFailed:
        return self._losses.get(timeout=PATIENCE)

    def silent(self) -> bool:
        return self._restarts.empty() and self._losses.empty()


def kill(server: EmbeddedServer) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)


async def test_a_server_that_is_killed_comes_back_with_its_data_at_the_same_address(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        notified, url, first = Notifications(server), server.url, server.pid
        await append(server, b"a", 0)

        kill(server)

        assert -signal.SIGKILL == notified.restart()
        assert (url, False) == (server.url, first == server.pid)
        assert stored(b"a") == await log(server)
        await append(server, b"b", 1)
    with EmbeddedServer(folder) as server:
        assert stored(b"a", b"b") == await log(server)


async def test_a_server_that_ends_again_and_again_is_given_up(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        notified = Notifications(server)
        for _ in range(MOST_RESTARTS):
            kill(server)
            notified.restart()

        kill(server)

        assert "keeps ending (exit code -9)" in str(notified.loss())


async def test_a_server_that_cannot_be_started_again_is_lost(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        notified = Notifications(server)
        await append(server, b"a", 0)
        next((folder / "appendonlydir").glob("*.manifest")).write_text("nonsense\n")

        kill(server)

        assert "server.log" in str(notified.loss())


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


@pytest.mark.parametrize(("mode", "name"), [(0o1777, "owner.lock"), (0o755, "somebody's work")])
def test_a_directory_that_has_other_uses_is_refused_and_stays_open(
    folder: Path, mode: int, name: str
) -> None:
    folder.mkdir()
    (folder / name).touch()
    folder.chmod(mode)

    with pytest.raises(EmbeddedServerFailed, match=rf"mode {mode:o}.* a directory for this service alone"):
        EmbeddedServer(folder).start()

    assert mode == stat.S_IMODE(folder.stat().st_mode)


async def test_it_stops_while_a_server_is_being_started_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal to the whole group ends the server, and then its owner while it restarts the server."""
    real, restarting, go_on = embedded.binary, threading.Event(), threading.Event()
    server = EmbeddedServer(folder)
    server.start()
    notified = Notifications(server)

    def slow() -> list[str]:
        restarting.set()
        assert go_on.wait(PATIENCE)
        return real()

    monkeypatch.setattr(embedded, "binary", slow)
    kill(server)
    assert restarting.wait(PATIENCE)
    stopping = threading.Thread(target=server.stop)
    stopping.start()
    go_on.set()
    stopping.join(PATIENCE)

    assert not stopping.is_alive()
    assert notified.silent()
    with EmbeddedServer(folder):  # no process uses the folder any more
        pass
