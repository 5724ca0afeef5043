"""Bots that think slowly, or for ever."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import shedu
from shedu.deciding import load
from shedu.running import Bot, Runner
from shedu.thinking import Thinkers, TooSlow
from support.process import ROOT, Serve

HANGS_ONCE = """
    import time

    made = []

    class Bot:
        def __init__(self):
            made.append(self)

        def decide(self, view, decision, actions):
            if made[0] is self:
                time.sleep(1000)
            return actions[0]
"""
HANGS = """
    import time
    from pathlib import Path

    def decide(view, decision, actions):
        Path(__file__).with_suffix(".asked").touch()
        time.sleep(1000)
"""
FIRST = """
    def decide(view, decision, actions):
        return actions[0]
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with Serve(tmp_path_factory.mktemp("thinking")) as serve:
        yield f"127.0.0.1:{serve.grpc_port}"


@pytest.fixture
def bot(tmp_path):
    def write(text, name="my_bot.py"):
        (tmp_path / name).write_text(textwrap.dedent(text))
        return tmp_path / name

    return write


async def test_the_time_that_a_question_waits_is_not_counted_as_thinking():
    thinkers, ended = Thinkers(1, 60), []

    def slow():
        time.sleep(0.2)
        ended.append(time.perf_counter())

    first = asyncio.create_task(thinkers.think(slow))
    await asyncio.sleep(0)
    asked = time.perf_counter()
    second = await thinkers.think(lambda: 7)
    answered = time.perf_counter()
    thinkers.close()

    assert 7 == second.answer
    assert second.waited >= ended[0] - asked
    assert second.took <= answered - ended[0]
    assert (await first).took >= 0.2


@pytest.mark.parametrize("threads", [1, 2])
async def test_as_many_questions_are_thought_about_at_once_as_there_are_threads(threads):
    thinkers, meeting = Thinkers(threads, 60), threading.Barrier(2)

    def meet():
        try:
            meeting.wait(30 if threads == 2 else 0.3)
        except threading.BrokenBarrierError:
            return False
        return True

    thoughts = await asyncio.gather(thinkers.think(meet), thinkers.think(meet))
    thinkers.close()

    assert [threads == 2] * 2 == [thought.answer for thought in thoughts]


async def test_one_that_runs_in_circles_is_left_and_ends_and_others_are_answered():
    thinkers, circling = Thinkers(1, 0.2), []

    def circle():
        circling.append(threading.current_thread())
        while True:
            pass

    with pytest.raises(TooSlow):
        await thinkers.think(circle)
    others = [await thinkers.think(threading.current_thread) for _ in "12"]
    thinkers.close()
    circling[0].join(30)

    assert not circling[0].is_alive()
    assert others[0].answer is others[1].answer is not circling[0]


async def test_a_game_goes_on_when_its_bot_is_too_slow(address, bot):
    told: list[str] = []
    async with shedu.aio.connect(address) as server:
        game = await server.create("tides")
        first, second = await game.join(), await game.join()
        with (
            Runner(Bot("slow.py", load(bot(HANGS_ONCE))), told.append, decision_seconds=1) as slow,
            Runner(Bot("other.py", load(bot(FIRST, "other.py")))) as other,
        ):
            await asyncio.gather(slow.play(first), other.play(second))

    assert ["slow.py: decide fails at draft.1.1.0: too slow, no answer after 1 s"] == told
    assert (1, 14, 1) == (slow.report.failures, slow.report.decisions, slow.report.games)


def test_ctrl_c_ends_a_command_whose_bot_hangs(address, bot):
    path = os.pathsep.join([str(ROOT / "service"), str(ROOT / "clients/python")])
    file = bot(HANGS)
    running = subprocess.Popen(
        [
            *(sys.executable, "-m", "gamehost", "bot", "run", str(file), "--title", "tides", "--create", "1"),
            *("--against", "random", "--server", address, "--decision-seconds", "3600", "--json"),
        ],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while not file.with_suffix(".asked").exists():
            assert running.poll() is None
            time.sleep(0.05)

        running.send_signal(signal.SIGINT)
        said, complaints = running.communicate(timeout=30)
    finally:
        running.kill()

    assert (0, "", 0) == (running.returncode, complaints, json.loads(said)["games"])
