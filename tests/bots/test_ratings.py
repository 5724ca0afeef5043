"""Intervals and Elo ratings."""

from __future__ import annotations

import math

import pytest

from gamehost.arena.ratings import elo, elo_errors, wilson
from gamehost.arena.results import duels


def test_an_interval_is_wilsons():
    low, high = wilson(8, 10)

    assert (0.490, 0.943) == (round(low, 3), round(high, 3))


def test_an_interval_stays_between_nothing_and_all():
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1
    assert (0.0, 1.0) == wilson(0, 0)


def test_three_wins_to_one_are_190_points():
    duels = [("a", "b", 1.0)] * 7500 + [("a", "b", 0.0)] * 2500

    ratings = elo(["a", "b"], duels)

    assert 400 * math.log10(3) == pytest.approx(ratings["a"] - ratings["b"], abs=0.5)
    assert 0 == pytest.approx(ratings["a"] + ratings["b"])


def test_who_beats_whom_is_told_through_a_third():
    duels = [("a", "b", 1.0)] * 3 + [("a", "b", 0.0)] + [("b", "c", 1.0)] * 3 + [("b", "c", 0.0)]

    ratings = elo(["a", "b", "c"], duels)

    assert ratings["a"] > ratings["b"] > ratings["c"]


def test_who_never_lost_is_rated_all_the_same():
    ratings = elo(["a", "b"], [("a", "b", 1.0)] * 50)

    assert math.isfinite(ratings["a"])
    assert ratings["a"] - ratings["b"] > 600


def test_four_times_the_games_halve_the_error():
    games = [("a", "b", 1.0), ("a", "b", 0.0)] * 200
    few, many = (elo_errors(["a", "b"], duels)["a"] for duels in (games, games * 4))

    assert 2 == pytest.approx(few / many, rel=0.01)
    # Their difference is known to 1.96 * 400 / ln 10 / sqrt(400 / 4), and each is half of that.
    assert 17.0 == pytest.approx(few, rel=0.01)


def test_a_game_of_three_is_three_duels():
    assert [("a", "b", 1.0), ("a", "c", 0.5), ("b", "c", 0.0)] == duels(["a", "b", "c"], [1, 3, 1])


def test_nobody_wins_against_oneself():
    assert [("a", "b", 1.0), ("b", "a", 0.0)] == duels(["a", "b", "a"], [1, 3, 2])
