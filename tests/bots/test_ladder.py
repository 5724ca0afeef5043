"""Tests of `shedu ladder`: a season of bots that are rated game by game."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bots.seasons import bot_file, inline, season
from gamehost.arena.ladder import LadderSeason
from gamehost.arena.match import GameResult
from gamehost.play.players.rating_model import NEW_PLAYER
from support.process import shedu_here


@pytest.fixture(scope="module")
def results() -> list[GameResult]:
    """The games of one season, in their order."""
    return list(inline(season("tides", ("random", "greedy"), games=6).fixtures()))


def ladder_of(results: Iterable[GameResult]) -> LadderSeason:
    found = LadderSeason(season("tides", ("random", "greedy"), games=6))
    for played in results:
        found.add(played)
    return found


def test_ratings_do_not_depend_on_the_order_in_which_processes_end_games(results: list[GameResult]) -> None:
    forwards, backwards = ladder_of(results), ladder_of(reversed(results))

    assert forwards.facts() == backwards.facts()
    assert len(results) == forwards.games


def test_ratings_follow_rounds_in_which_all_meet_once() -> None:
    three = season("tides", ("random", "greedy", "random"), games=2)
    found = LadderSeason(three)
    played = list(inline(three.fixtures()))

    for result in played[:4]:  # two games of each of the first two pairings
        found.add(result)
    before = found.games
    found.add(played[4])

    assert (2, 5) == (before, found.games)


def test_the_better_bot_is_rated_higher_and_the_matrix_adds_up(results: list[GameResult]) -> None:
    facts = ladder_of(results).facts()

    assert ["greedy", "random"] == [bot["name"] for bot in facts["bots"]]
    best, worst = facts["bots"]
    assert best["rating"] > NEW_PLAYER > worst["rating"]
    assert NEW_PLAYER == best["curve"][0]
    assert len(results) + 1 == len(best["curve"]) == len(worst["curve"])
    assert 1 == best["against"]["random"]["win_rate"] + worst["against"]["greedy"]["win_rate"]
    low, high = best["rating_interval"]
    assert low < best["rating"] < high


def test_the_command_reports_and_draws(tmp_path: Path) -> None:
    file = bot_file(tmp_path, "def decide(view, decision, actions):\n    return actions[0]\n")
    words: tuple[Any, ...] = ("--title", "tides", "--bots", f"random,greedy,{file}", "--games", 2)

    done = shedu_here("ladder", *words, "--json", "--plot", tmp_path / "ladder.png")
    shown = shedu_here("ladder", *words, "--jobs", 1)

    facts = json.loads(done.stdout)
    assert {"random", "greedy", "my_bot.py"} == {bot["name"] for bot in facts["bots"]}
    assert b"PNG" in (tmp_path / "ladder.png").read_bytes()[:8]
    assert "my_bot.py" in shown.stdout
    assert "% won" in shown.stdout


def test_what_cannot_be_played_is_said_at_once() -> None:
    assert "at least two bots" in shedu_here("ladder", "--title", "tides", "--bots", "random").stderr
    assert "no title" in shedu_here("ladder", "--title", "chess", "--bots", "random,greedy").stderr
