"""Tests of bots that think slowly, or for ever."""

from __future__ import annotations

import asyncio
import json
import signal
import textwrap
import threading
import time
from contextlib import suppress

import pytest

import shedu
from shedu.bot_threads import Thinkers, TooSlow
from shedu.deciding import load
from shedu.running import Bot, Runner
from support.process import started
from support.waiting import PATIENCE, wait_until

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


@pytest.fixture
def bot(tmp_path):
    def write(text, name="my_bot.py"):
        (tmp_path / name).write_text(textwrap.dedent(text))
        return tmp_path / name

    return write


async def test_the_time_that_a_question_waits_is_not_counted_as_thinking():
    thinkers, ended = Thinkers(1, PATIENCE), []

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
    thinkers, meeting = Thinkers(threads, PATIENCE), threading.Barrier(2)

    def meet():
        try:
            meeting.wait(PATIENCE if threads == 2 else 0.3)
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
    await asyncio.to_thread(circling[0].join, PATIENCE)
    others = [await asked_again(thinkers) for _ in range(5)]
    thinkers.close()

    assert not circling[0].is_alive()
    assert circling[0] not in others
    assert len(others) > len({*others})  # a thread is used again


async def asked_again(thinkers: Thinkers) -> threading.Thread:
    """Returns the thread that answers; retries, because on a busy machine any answer may be too slow."""
    while True:
        with suppress(TooSlow):
            return (await thinkers.think(threading.current_thread)).answer


async def test_a_game_goes_on_when_its_bot_is_too_slow(serve, bot):
    told: list[str] = []
    async with shedu.aio.connect(serve.address) as server:
        game = await server.create("tides")
        first, second = await game.join(), await game.join()
        with (
            Runner(Bot("slow.py", load(bot(HANGS_ONCE))), told.append, decision_seconds=1) as slow,
            Runner(Bot("other.py", load(bot(FIRST, "other.py")))) as other,
        ):
            await asyncio.gather(slow.play(first), other.play(second))

    assert "slow.py: decide fails at draft.1.1.0: too slow, no answer after 1 s" == told[0]
    assert all("too slow" in each for each in told)  # further ones may be too slow on a busy machine
    assert (len(told), 14, 1) == (slow.report.failures, slow.report.decisions, slow.report.games)


def test_ctrl_c_ends_a_command_whose_bot_hangs(serve, bot):
    file = bot(HANGS)
    running = started(
        *("gamehost", "bot", "run", file, "--title", "tides", "--create", "1", "--against", "random"),
        *("--server", serve.address, "--decision-seconds", "3600", "--json"),
    )
    try:
        wait_until(lambda: running.poll() is not None or file.with_suffix(".asked").exists())

        running.send_signal(signal.SIGINT)
        said, complaints = running.communicate(timeout=PATIENCE)
    finally:
        running.kill()

    assert f"shedu: connecting to {serve.address}\n" == complaints
    assert (0, 0) == (running.returncode, json.loads(said)["games"])
