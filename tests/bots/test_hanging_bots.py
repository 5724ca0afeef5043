"""Tests of bots in files that never answer or end their process, and of Ctrl-C meanwhile."""

from __future__ import annotations

import json
import os
import pty
import signal

import pytest

from bots.seasons import arena, bot_file, season, session, timeless
from gamehost.arena.match import play_game
from gamehost.arena.processes import ProcessLost, play_all
from gamehost.arena.results import Standings
from gamehost.commands.arena import run_games
from support.terminals import everything
from support.waiting import PATIENCE, wait_until

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


def tides(*arguments: object) -> tuple[dict, str]:
    return arena("--title", "tides", *arguments)


FIRST = """
    import os, signal, time
    from pathlib import Path

    def first(name):  # whether no game before has asked for this name
        try:
            Path(__file__).with_suffix(name).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True
"""
ENDING = f"""{FIRST}
    def decide(view, decision, actions):
        if view.seat == 0 and "2" in decision.decision_id:
            if first(".exit"):
                os._exit(3)
            if first(".signal"):
                os.kill(os.getpid(), signal.SIGSEGV)
        return actions[0]
"""
SLEEPING = f"""{FIRST}
    def decide(view, decision, actions):
        if first(".deaf"):
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
        time.sleep({PATIENCE})
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_one_that_ends_its_process_forfeits_that_game_and_plays_the_others(jobs, tmp_path):
    bot = bot_file(tmp_path, ENDING)

    facts, complaints = tides(
        *("--bots", f"random,{bot}", "--games", 6, "--jobs", jobs, "--decision-seconds", PATIENCE)
    )

    assert [(6, 0), (6, 2)] == [(each["games"], each["forfeits"]) for each in facts["bots"]]
    assert {"ROUNDS_PLAYED": 4} == facts["ends"]
    assert f"forfeited 1: {bot}: it ended its process (code 3)" in complaints
    assert f"forfeited 1: {bot}: it ended its process (SIGSEGV)" in complaints
    assert "Traceback" not in complaints


def test_one_that_never_answers_forfeits_and_the_game_of_others_is_played(tmp_path):
    """Only bots in files have a time limit, so that no built-in bot is too slow on a slow machine."""
    bot = bot_file(tmp_path, SLEEPING)

    facts, complaints = tides(
        *("--bots", f"random,greedy,{bot}", "--games", 1, "--jobs", 2, "--decision-seconds", 0.5)
    )

    assert [(2, 0), (2, 0), (2, 2)] == [(each["games"], each["forfeits"]) for each in facts["bots"]]
    assert {"ROUNDS_PLAYED": 1} == facts["ends"]
    assert f"forfeited 2: {bot}: too slow, no answer after 0.5 s" in complaints
    assert "Traceback" not in complaints


def test_one_that_hangs_while_it_is_loaded_forfeits(tmp_path):
    code = f"""
    import time

    class Bot:
        def __init__(self):
            time.sleep({PATIENCE})

        def decide(self, view, decision, actions): ...
    """
    bot = bot_file(tmp_path, code)

    facts, _ = tides("--bots", f"random,{bot}", "--games", 1, "--decision-seconds", 0.5)

    assert [f"{bot}: too slow, no answer after 0.5 s"] == list(facts["failures"])


def test_no_game_depends_on_those_before_it(tmp_path):
    asked = ("--bots", f"random,{bot_file(tmp_path, FORGETFUL)}", "--games", 6)
    alone, together = (tides(*asked, "--jobs", jobs)[0] for jobs in (1, 2))

    assert timeless(alone) == timeless(together)
    assert {"ROUNDS_PLAYED": 6} == alone["ends"]


def vanish(_fixture, _watch):
    os._exit(9)


def test_a_process_that_ends_while_nobody_is_asked_is_told():
    with pytest.raises(ProcessLost, match=r"game 0 cannot be played: it ended its process \(code 9\)"):
        list(play_all(season(games=1).fixtures(), 1, vanish))


def test_what_was_played_before_is_kept(capsys):
    two = season(games=2)

    def games():
        yield play_game(next(two.fixtures()))
        raise ProcessLost("game 1 cannot be played")

    standings = Standings(two)
    code = run_games(standings, games(), None)

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
    bot, games = bot_file(tmp_path, STUBBORN), tmp_path / "games"
    games.mkdir()
    asked = ("--bots", f"random,{bot}", "--games", 1_000_000, "--jobs", jobs, "--json", "--log", games)
    with session("arena", "--title", "tides", *asked, "--decision-seconds", 3600) as running:
        wait_until(
            lambda: (
                running.poll() is not None or (list(games.iterdir()) and bot.with_suffix(".asked").exists())
            )
        )

        os.killpg(running.pid, signal.SIGINT)  # as a terminal signals the whole group
        told, complaints = running.communicate(timeout=PATIENCE)

    count = json.loads(told)["games"]
    assert 0 < count == len(list(games.iterdir()))
    assert f"stopped after {count} of 1000000 games" in complaints
    assert "Traceback" not in complaints
    assert 130 == running.returncode


def test_a_bar_grows_where_somebody_looks():
    ours, theirs = pty.openpty()
    asked = ("--bots", "random,random", "--games", 2, "--jobs", 1)
    with session("arena", "--title", "tides", *asked, stderr=theirs, TERM="xterm") as running:
        os.close(theirs)
        shown = everything(ours)
        running.communicate(timeout=PATIENCE)

    assert 0 == running.returncode
    assert "Tides of Time" in shown
    assert "100%" in shown


def test_no_bar_is_drawn_into_a_file():
    _, complaints = tides("--bots", "random,random", "--games", 2, "--jobs", 1)

    assert "" == complaints
