"""Bots in files that never answer, or end their process, and people who do not want to wait any longer."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from bots.test_arena import season, timeless
from gamehost.arena.crew import Lost, run
from gamehost.arena.standings import Standings
from gamehost.commands.arena import held
from support.process import ROOT
from support.terminals import everything

FORGETFUL = """
    import random

    import numpy

    taste = [random.random(), numpy.random.random(), hash("taste") % 1000 / 1000]
    games = 0

    class Bot:
        def __init__(self):
            global games
            games += 1
            assert games == 1

        def decide(self, view, decision, actions):
            taste.append(taste.pop(0))
            return actions[int(taste[0] * len(actions))]
"""


def file(folder: Path, code: str) -> Path:
    path = folder / "my_bot.py"
    path.write_text(textwrap.dedent(code), encoding="utf-8")
    return path


def arena(*arguments: object, **how: object) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ROOT / "service"), str(ROOT / "clients/python")])
    return subprocess.Popen(
        [sys.executable, "-m", "gamehost", "arena", "--title", "tides", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path, "TERM": "xterm"},
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | how,
    )


def played(*arguments: object) -> tuple[dict, str]:
    running = arena("--json", *arguments, start_new_session=True)
    try:
        told, complaints = running.communicate(timeout=120)
    finally:
        end(running)
    assert 0 == running.returncode, complaints
    return json.loads(told), complaints


def end(running: subprocess.Popen[str]) -> None:
    """With those that it started, where it did not end by itself."""
    if running.poll() is None:
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()


@pytest.mark.parametrize(
    ("deed", "why"),
    [
        ("time.sleep(1000)", "too slow, no answer after 5 s"),
        ("signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)); time.sleep(1000)", "too slow"),
        ("os._exit(3)", "it ended its process (code 3)"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "it ended its process (SIGSEGV)"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_one_that_never_answers_forfeits_that_game_and_plays_the_others(deed, why, jobs, tmp_path):
    code = f"""
    import os, signal, time

    def decide(view, decision, actions):
        if view.seat == 0 and "2" in decision.decision_id:
            {deed}
        return actions[0]
    """

    facts, complaints = played(
        *("--bots", f"random,{file(tmp_path, code)}", "--games", 3, "--jobs", jobs),
        *("--decision-seconds", 5 if "slow" in why else 60),
    )

    assert [(3, 0), (3, 1)] == [(bot["games"], bot["forfeits"]) for bot in facts["bots"]]
    assert {"ROUNDS_PLAYED": 2} == facts["ends"]
    assert f"forfeited 1: {tmp_path / 'my_bot.py'}: {why}" in complaints
    assert "Traceback" not in complaints


def test_one_that_hangs_while_it_is_loaded_forfeits(tmp_path):
    code = """
    import time

    class Bot:
        def __init__(self):
            time.sleep(1000)

        def decide(self, view, decision, actions): ...
    """
    bot = file(tmp_path, code)

    facts, _ = played("--bots", f"random,{bot}", "--games", 1, "--decision-seconds", 2)

    assert [f"{bot}: too slow, no answer after 2 s"] == list(facts["failures"])


def test_no_game_depends_on_those_before_it(tmp_path):
    asked = ("--bots", f"random,{file(tmp_path, FORGETFUL)}", "--games", 6)
    alone, together = (played(*asked, "--jobs", jobs)[0] for jobs in (1, 2))

    assert timeless(alone) == timeless(together)
    assert {"ROUNDS_PLAYED": 6} == alone["ends"]


def vanish(_fixture, _watch):
    os._exit(9)


def test_a_process_that_ends_while_nobody_is_asked_is_told():
    with pytest.raises(Lost, match=r"game 0 cannot be played: it ended its process \(code 9\)"):
        list(run(season(games=1).fixtures(), 1, vanish))


def test_what_was_played_before_is_kept(capsys):
    two = season(games=2)

    def games():
        yield next(run(two.fixtures(), 1))
        raise Lost("game 1 cannot be played")

    standings = Standings(two)
    code = held(standings, games(), None)

    assert (1, 1) == (code, len(standings.games))
    assert "game 1 cannot be played" in capsys.readouterr().err


STUBBORN = """
    import time
    from pathlib import Path

    def decide(view, decision, actions):
        while view.seat == 0:
            Path(__file__).with_suffix(".asked").touch()
            try:
                time.sleep(1000)
            except BaseException:
                pass
        return actions[0]
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_shows_what_was_played_even_if_a_bot_hangs(jobs, tmp_path):
    bot, games = file(tmp_path, STUBBORN), tmp_path / "games"
    games.mkdir()
    running = arena(
        *("--bots", f"random,{bot}", "--games", 1_000_000, "--jobs", jobs, "--json", "--log", games),
        *("--decision-seconds", 3600),
        start_new_session=True,
    )
    try:
        while not (list(games.iterdir()) and bot.with_suffix(".asked").exists()):
            assert running.poll() is None
            time.sleep(0.05)

        os.killpg(running.pid, signal.SIGINT)  # a terminal tells all of them
        told, complaints = running.communicate(timeout=30)
    finally:
        end(running)

    count = json.loads(told)["games"]
    assert count == len(list(games.iterdir()))
    assert f"stopped after {count} of 1000000 games" in complaints
    assert "Traceback" not in complaints
    assert 130 == running.returncode


def test_a_bar_grows_where_somebody_looks():
    ours, theirs = pty.openpty()
    running = arena("--bots", "random,random", "--games", 2, "--jobs", 1, stderr=theirs)
    os.close(theirs)

    shown = everything(ours)
    running.communicate(timeout=60)

    assert 0 == running.returncode
    assert "Tides of Time" in shown
    assert "100%" in shown


def test_no_bar_is_drawn_into_a_file():
    _, complaints = played("--bots", "random,random", "--games", 2, "--jobs", 1)

    assert "" == complaints
