"""Tests of a service whose store is killed, and of one whose output nobody reads."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from support.process import Serve
from support.waiting import PATIENCE, wait_until


def embedded_pid(serve: Serve) -> int:
    """Returns the process id of the embedded store of a service."""
    assert serve.process is not None
    threads = Path(f"/proc/{serve.process.pid}/task").glob("*/children")
    children = [pid for children in threads for pid in children.read_text().split()]
    (found,) = (pid for pid in children if b"server.sock" in Path(f"/proc/{pid}/cmdline").read_bytes())
    return int(found)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_embedded_store_comes_back_and_has_lost_no_acknowledged_move(
    tmp_path: Path, workers: str
) -> None:
    with Serve(tmp_path, "--workers", workers) as serve:
        game_id, tokens = serve.table()
        moved = serve.move(game_id, tokens[0])["view"]["version"]

        os.kill(embedded_pid(serve), signal.SIGKILL)
        wait_until(lambda: "the embedded store exited and was restarted" in serve.log.read_text())
        view = wait_until(lambda: answered(serve, f"/v1/games/{game_id}/view"))

        assert moved == view["view"]["version"]
        (line,) = (line for line in serve.lines() if line["event"].startswith("the embedded store"))
        assert (-9, "error") == (line["exit_code"], line["level"])


def answered(serve: Serve, path: str) -> dict[str, object] | None:
    """Returns the answer; None for 503, the only error that is allowed while the store is down."""
    answer = httpx.get(f"{serve.url}{path}", timeout=PATIENCE)
    assert answer.status_code in (200, 503), answer.text
    return answer.json() if answer.status_code == 200 else None


def test_a_store_that_cannot_come_back_ends_the_service_with_a_clear_line(tmp_path: Path) -> None:
    with Serve(tmp_path) as serve:
        serve.table()
        next((tmp_path / "data" / "appendonlydir").glob("*.manifest")).write_text("nonsense\n")

        os.kill(embedded_pid(serve), signal.SIGKILL)

        assert 2 == serve.wait()
    assert "the embedded store cannot be restarted, shutting down" in serve.log.read_text()


def test_it_stops_though_its_store_is_away_and_nobody_reads_what_it_says(tmp_path: Path) -> None:
    serve = Serve(tmp_path, "--redis", "redis://127.0.0.1:1/0")
    running = subprocess.Popen(
        serve.command, env=serve.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert running.stdout is not None
    for line in running.stdout:  # until it waits for the store
        if b"waiting for the store" in line:
            break
    running.stdout.close()

    running.send_signal(signal.SIGTERM)

    try:
        assert 0 == running.wait(PATIENCE)
    finally:
        running.kill()
