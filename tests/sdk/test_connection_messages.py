"""Tests of the messages that the client prints while a server does not answer."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import shedu
from sdk.clocks import tried
from shedu.connection_monitor import QUIET, ConnectionMonitor
from shedu.errors import NotFound, TimedOut, Unavailable
from support.process import Serve, started
from support.servers import free_port
from support.waiting import PATIENCE

BOT = "def decide(view, decision, actions):\n    return actions[0]\n"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def line(clock, told) -> ConnectionMonitor:
    return ConnectionMonitor("x:1", told.append, clock)


def test_a_short_break_is_not_worth_a_word(line, clock, told):
    line.failed(Unavailable("away"))
    clock.now = QUIET - 0.1
    line.failed(Unavailable("away"))
    line.answered()
    clock.now = 2 * QUIET
    line.failed(Unavailable("away"))

    assert [] == told


def test_a_long_one_is_told_once_within_a_second_and_so_is_its_end(line, clock, told):
    for clock.now in (0.0, 0.9):
        line.failed(Unavailable("nobody there"))
    within_a_second = list(told)
    clock.now = 2.0
    line.failed(Unavailable("nobody there"))
    line.answered()
    line.answered()

    assert ["waiting for x:1: nobody there"] == within_a_second
    assert ["waiting for x:1: nobody there", "x:1 is back"] == told


def test_an_attempt_that_hung_was_long_enough(line, told):
    line.failed(TimedOut("no answer"))

    assert ["waiting for x:1: no answer"] == told


def test_an_error_of_the_server_is_an_answer(line, clock, told):
    line.failed(TimedOut("no answer"))
    line.failed(NotFound("no such game"))

    assert "x:1 is back" == told[-1]


def test_a_program_may_listen(told):
    port = free_port()
    with (
        tried(times=2) as patience,
        shedu.connect(f"localhost:{port}", patience=patience, tell=told.append) as server,
        pytest.raises(shedu.Unavailable),
    ):
        server.titles()

    (waiting,) = told
    assert waiting.startswith(f"waiting for localhost:{port}: ")


@contextmanager
def bot_run(program: str, file: Path, server: str) -> Iterator[subprocess.Popen[str]]:
    running = started(program, "bot", "run", file, "--server", server, "--title", "tides", "--json")
    watchdog = threading.Timer(PATIENCE, running.kill)  # so that the test ends if a message never comes
    watchdog.start()
    try:
        yield running
    finally:
        watchdog.cancel()
        running.kill()
        running.communicate()


def test_a_bot_says_whom_it_waits_for_and_that_it_waits_no_more(tmp_path):
    """With the command of the service, and with that of the client."""
    file = tmp_path / "my_bot.py"
    file.write_text(BOT)
    serve = Serve(tmp_path)
    waiting = f"shedu: waiting for {serve.address}: "
    with bot_run("shedu", file, serve.address) as one, bot_run("gamehost", file, serve.address) as other:
        connecting = f"shedu: connecting to {serve.address}\n"
        assert [connecting] * 2 == [each.stderr.readline() for each in (one, other)]
        assert all(each.stderr.readline().startswith(waiting) for each in (one, other))
        with serve:
            assert [f"shedu: {serve.address} is back\n"] * 2 == [
                each.stderr.readline() for each in (one, other)
            ]
            assert ["shedu: waiting for public games of tides with a free seat\n"] * 2 == [
                each.stderr.readline() for each in (one, other)
            ]
            serve.kill()
            assert all(each.stderr.readline().startswith(waiting) for each in (one, other))

        for running in (one, other):
            running.send_signal(signal.SIGINT)
            said, complaints = running.communicate(timeout=PATIENCE)
            assert (0, "", 0) == (running.returncode, complaints, json.loads(said)["games"])
