"""Tests of the command line itself: completion in the shell, and colours of log lines."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from support.process import environment
from support.waiting import PATIENCE

LOG = (
    "import structlog; from gamehost import logs; from gamehost.settings import LogFormat;"
    "logs.configure(LogFormat.CONSOLE); structlog.get_logger().warning('told')"
)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("shedu bot r", "run"),
        ("shedu bot run x.py --title tid", "tides"),
        ("shedu bot run --chal", "--challenge"),
    ],
)
def test_the_shell_completes_commands_options_and_titles(line: str, wanted: str) -> None:
    settings = {"_SHEDU_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}

    done = subprocess.run(
        [Path(sys.executable).parent / "shedu"],
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )

    assert ([wanted], "") == (done.stdout.split(), done.stderr)


def log_line(stderr: int) -> None:
    subprocess.run(
        [sys.executable, "-c", LOG],
        env=environment(TERM="xterm"),
        stderr=stderr,
        timeout=PATIENCE,
        check=True,
    )


def test_a_log_file_has_no_colours() -> None:
    read, write = os.pipe()
    log_line(write)
    os.close(write)

    with open(read, "rb") as file:
        line = file.read()

    assert b"told" in line
    assert b"\x1b" not in line


def test_log_lines_on_a_terminal_have_colours() -> None:
    terminal, end = pty.openpty()
    log_line(end)

    line = os.read(terminal, 4096)
    os.close(end)
    os.close(terminal)

    assert b"told" in line
    assert b"\x1b[" in line
