"""What people are told while nobody answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import shedu
from shedu.errors import NotFound, TimedOut, Unavailable
from shedu.line import QUIET, Line
from support.process import ROOT, Serve
from support.servers import free_port

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
def line(clock, told) -> Line:
    return Line("x:1", told.append, clock)


def test_a_short_break_is_not_worth_a_word(line, clock, told):
    line.failed(Unavailable("away"))
    clock.now = QUIET - 0.1
    line.failed(Unavailable("away"))
    line.answered()
    clock.now = 2 * QUIET
    line.failed(Unavailable("away"))

    assert [] == told


def test_a_long_one_is_told_once_and_so_is_its_end(line, clock, told):
    for clock.now in (0.0, QUIET, QUIET + 1):
        line.failed(Unavailable("nobody there"))
    line.answered()
    line.answered()

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
    patient = shedu.connect(f"localhost:{port}", patience=QUIET + 2, tell=told.append)
    with patient as server, pytest.raises(shedu.Unavailable):
        server.titles()

    (waiting,) = told
    assert waiting.startswith(f"waiting for localhost:{port}: ")


@contextmanager
def bot_run(program: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    path = os.pathsep.join([str(ROOT / "service"), str(ROOT / "clients/python")])
    running = subprocess.Popen(
        [sys.executable, "-m", program, "bot", "run", *words, "--title", "tides", "--json"],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    watchdog = threading.Timer(60, running.kill)  # what is never said is not waited for
    watchdog.start()
    try:
        yield running
    finally:
        watchdog.cancel()
        running.kill()
        running.communicate()


@pytest.mark.parametrize("program", ["shedu", "gamehost"])
def test_a_bot_says_whom_it_waits_for_and_that_it_waits_no_more(program, tmp_path):
    (tmp_path / "my_bot.py").write_text(BOT)
    serve = Serve(tmp_path)
    server = f"127.0.0.1:{serve.grpc_port}"
    with bot_run(program, str(tmp_path / "my_bot.py"), "--server", server) as running:
        assert running.stderr is not None
        assert running.stderr.readline().startswith(f"shedu: waiting for {server}: ")
        with serve:
            assert f"shedu: {server} is back\n" == running.stderr.readline()
            serve.signal(signal.SIGKILL)
            serve.wait()
            assert running.stderr.readline().startswith(f"shedu: waiting for {server}: ")

        running.send_signal(signal.SIGINT)
        said, complaints = running.communicate(timeout=30)

    assert (0, "", 0) == (running.returncode, complaints, json.loads(said)["games"])
