"""Tests of `python3 tests`: its help, its requirements, and that an interrupted run leaves no processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.process import ROOT
from support.waiting import PATIENCE, wait_until

# A test that starts a program which outlives its parent, prints its process id, and never ends.
ENDLESS = """
import subprocess, time

SCRIPT = "trap '' INT; sleep 10000 & echo $! > {file}.new; mv {file}.new {file}; wait"

def test_that_never_ends():
    left = subprocess.Popen(["sh", "-c", SCRIPT], start_new_session=True)
    time.sleep(10000)
"""


def start_run(*arguments: str, **settings: str) -> subprocess.Popen[str]:
    """Starts a run as a shell does in the background, with SIGINT ignored."""
    ignoring = ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh"]
    return subprocess.Popen(
        [*ignoring, sys.executable, str(ROOT / "tests"), *arguments],
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def runs(process: int) -> bool:
    """Whether a process runs; a zombie does not."""
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    file = tmp_path / "process"
    (tmp_path / "test_endless.py").write_text(ENDLESS.format(file=file))
    run = start_run(str(tmp_path / "test_endless.py"))
    wait_until(file.exists)
    started = int(file.read_text())
    assert runs(started)

    run.send_signal(number)
    told, _ = run.communicate(timeout=PATIENCE)

    assert 130 == run.returncode, told
    assert not runs(started)


def test_every_file_whose_duration_is_recorded_exists() -> None:
    """Otherwise a file that was renamed would run last, however long it takes."""
    durations = json.loads((ROOT / "tests" / "durations.json").read_text())

    assert durations
    assert [] == [file for file in durations if not (ROOT / file).is_file()]


def test_the_help_explains_both_runs() -> None:
    told, _ = start_run("--help").communicate(timeout=PATIENCE)

    assert "python3 tests quick" in told
    assert "everything   ruff, mypy" in told


def test_a_benchmark_says_in_one_line_what_is_missing(tmp_path: Path) -> None:
    """As on a machine without Redis where nothing can be installed."""
    (tmp_path / "python3").symlink_to(sys.executable)

    bench = start_run("bench", "moves", PATH=str(tmp_path))
    told, _ = bench.communicate(timeout=PATIENCE)

    assert 1 == bench.returncode
    assert told.splitlines()[-1].endswith("As root: apt-get install redis-server")
    assert "Traceback" not in told
