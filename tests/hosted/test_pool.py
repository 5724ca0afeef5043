"""Tests that bots think in separate processes, and that none can block another."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gamehost.bots.levels import LEVEL_BY_NAME, SEARCH_SECONDS
from gamehost.hosted.catalog import HostedBotCatalog
from gamehost.hosted.pool import BotPool, seconds_to_next_step
from gamehost.play.ports.bots import BotFailed, BotQuestion
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import replay
from hosted.misbehaving import misbehave
from support.process import ROOT
from support.servers import is_alive
from support.waiting import PATIENCE, until, wait_until

HASTY = 0.3  # seconds, for a bot that hangs


@pytest.fixture
def pool() -> Iterator[BotPool]:
    opened = BotPool(1, PATIENCE, misbehave)
    yield opened
    opened.close()


def question(title: str = "tides", level: str = "random") -> BotQuestion:
    rules = CATALOG[title]
    opening = rules.setup(rules.options(), rules.seats.start, SeededChance(b"luck", 0))
    state = replay(rules, opening)
    decision = rules.decisions(state)[0]
    actions = list(rules.legal_actions(state, decision.seat))
    return BotQuestion(title, level, rules.view(state, decision.seat), decision, actions, b"a bot's own luck")


async def test_every_bot_of_every_title_answers_with_a_legal_action() -> None:
    with contextlib.closing(BotPool(1, PATIENCE)) as pool:
        for title in CATALOG:
            for level in HostedBotCatalog().levels(title):
                asked = question(title, level.name)

                assert await pool.answer(asked) in asked.actions


@pytest.mark.parametrize("level", ["random", "greedy", "search:20"])
async def test_a_bot_that_looks_at_no_clock_always_answers_the_same(pool: BotPool, level: str) -> None:
    for title in LEVEL_BY_NAME[level.partition(":")[0]].titles:
        asked = question(title, level)

        assert await pool.answer(asked) == await pool.answer(asked)


@pytest.mark.parametrize("level", ["greedy", "search"])
async def test_how_long_a_bot_takes_does_not_tell_that_it_had_no_choice(pool: BotPool, level: str) -> None:
    forced = replace(question(level=level), actions=question().actions[:1])
    await pool.answer(question())  # so that its process has started

    began = time.monotonic()
    await pool.answer(forced)

    assert time.monotonic() - began >= LEVEL_BY_NAME[level].pace > 0


@pytest.mark.parametrize("passed", [0.0, 0.001, 0.3, 0.5, 0.74])
def test_whatever_was_thought_within_a_step_is_told_at_its_end(passed: float) -> None:
    assert passed + seconds_to_next_step(passed, 0.75) == pytest.approx(0.75)
    assert 3.75 + passed + seconds_to_next_step(3.75 + passed, 0.75) == pytest.approx(4.5)


def test_a_search_has_time_to_spare_before_it_answers() -> None:
    assert LEVEL_BY_NAME["search"].pace > SEARCH_SECONDS


async def test_they_think_elsewhere(pool: BotPool) -> None:
    assert os.getpid() != await pool.answer(question(level="where"))


@pytest.mark.parametrize("level", ["crash", "raise", "lambda", "nobody"])
async def test_one_that_fails_is_replaced(pool: BotPool, level: str) -> None:
    with pytest.raises(BotFailed):
        await pool.answer(question(level=level))

    assert os.getpid() != await pool.answer(question(level="where"))


async def test_one_that_hangs_is_ended_and_replaced(pool: BotPool) -> None:
    place = await pool.answer(question(level="where"))

    pool.timeout = HASTY
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(BotFailed, match="too slow"):
            await pool.answer(question(level="hang"))
    pool.timeout = PATIENCE

    assert place != await pool.answer(question(level="where"))
    wait_until(lambda: not is_alive(place))


async def test_the_loop_goes_on_while_they_think(pool: BotPool, tmp_path: Path) -> None:
    """The bot waits for something that a task of this event loop does."""
    thinking = asyncio.create_task(pool.answer(question(level=f"told {tmp_path}")))

    await until((tmp_path / "asked").exists)
    assert not thinking.done()
    (tmp_path / "told").touch()

    assert "told" == await thinking


async def test_a_quick_bot_does_not_wait_for_one_that_thinks(pool: BotPool, tmp_path: Path) -> None:
    """The only process for slow bots is busy."""
    thinking = asyncio.create_task(pool.answer(question(level=f"told {tmp_path}")))
    await until((tmp_path / "asked").exists)

    async with asyncio.timeout(PATIENCE):
        answers = [await pool.answer(question(level=level)) for level in ("greedy", "random")]

    assert not thinking.done()
    assert all(answer in question().actions for answer in answers)
    (tmp_path / "told").touch()
    await thinking


async def test_how_long_a_bot_thought_is_told_once(pool: BotPool) -> None:
    told: list[float] = []

    await pool.answer(question(level="greedy"), told.append)
    with pytest.raises(BotFailed):
        await pool.answer(question(level="raise"), told.append)

    assert 2 == len(told)
    assert all(0 <= seconds <= pool.timeout for seconds in told)


async def test_other_luck_may_give_another_answer(pool: BotPool) -> None:
    asked = question("tigris_cards")

    answers = [await pool.answer(replace(asked, luck=bytes([n]))) for n in range(8)]

    assert 1 < len({repr(answer) for answer in answers})


PROGRAM = """
import asyncio
from gamehost.hosted.pool import BotPool
from hosted.misbehaving import misbehave
from hosted.test_pool import question

async def main():
    print(await BotPool(1, 180, misbehave).answer(question(level="where")), flush=True)
    await asyncio.sleep(600)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_they_do_not_outlive_a_process_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    path = os.pathsep.join(str(ROOT / part) for part in ("service", "clients/python", "tests"))
    process = subprocess.Popen(
        [sys.executable, tmp_path / "program.py"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert process.stdout is not None
    thinker = int(process.stdout.readline())
    assert is_alive(thinker)

    process.send_signal(signal.SIGKILL)
    process.communicate()

    wait_until(lambda: not is_alive(thinker))
