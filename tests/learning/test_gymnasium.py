"""Tests of one seat of every title as a Gymnasium environment."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from gamehost.bots.levels import NoSuchBot
from gamehost.learning import InvalidSetUp, NotBegun, gym_env, seat_env
from gamehost.learning.seat_env import id_of
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Hidden
from gamehost.titles.tides.rules.events import CardsDrawn

TITLES = pytest.mark.parametrize("title", CATALOG)


def play_on(env, info, seed):
    """Plays random legal actions to the end."""
    coin, over, received = np.random.default_rng(seed), False, []
    while not over:
        action = int(coin.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, over, truncated, info = env.step(action)
        received.append((observation.tobytes(), reward, truncated))
    return received, info


@TITLES
def test_gymnasium_accepts_the_environment(title):
    env = gymnasium.make(id_of(title), opponents="random", render_mode="ansi")

    check_env(env.unwrapped)


@TITLES
def test_an_id_makes_a_seat_against_a_greedy_bot(title):
    env = gymnasium.make(id_of(title))

    observation, info = env.reset(seed=4)
    answered, *_ = env.step(int(np.flatnonzero(info["action_mask"])[0]))

    assert observation in env.observation_space
    assert answered in env.observation_space
    assert f"Shedu/{title.title().replace('_', '')}-v0" == env.spec.id


@pytest.mark.parametrize(("level", "remembers"), [("greedy", False), ("search:2", True)])
def test_an_opponent_that_remembers_is_told_what_its_seat_has_witnessed(level, remembers, monkeypatch):
    told = []

    class Listener:
        def decide(self, view, decision, actions, chance, seen=()):
            told.append(seen)
            return actions[0]

    monkeypatch.setattr(seat_env, "bot", lambda title, level: Listener())
    env = gym_env("tides", opponents=level)
    _, info = env.reset(seed=1)
    play_on(env, info, 1)

    assert remembers == all(told)
    assert remembers == any(told)
    if remembers:
        drawn = {event.seat: event.cards for event in told[0] if isinstance(event, CardsDrawn)}
        assert isinstance(drawn[0], Hidden)
        assert not isinstance(drawn[1], Hidden)


@TITLES
@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_is_played_to_its_end_and_the_same_again(title, seat):
    options = {"max_rounds": 3} if title == "stone_age" else None
    env = gym_env(title, opponents="random", seat=seat, options=options)

    played = [play_on(env, env.reset(seed=5)[1], seed=9) for _ in range(2)]

    (first, info), (again, _) = played
    assert first == again
    assert {1: 1.0, 2: -1.0}.get(info["rank"]) == first[-1][1]
    assert not info["action_mask"].any()


def test_each_opponent_may_be_another():
    env = gym_env("stone_age", opponents=["random", "greedy"], seat=1, seats=3, options={"max_rounds": 1})

    _, info = play_on(env, env.reset(seed=5)[1], seed=9)

    assert info["rank"] in (1, 2, 3)


def test_an_illegal_action_ends_the_episode_with_a_reason():
    env = gym_env("tides", opponents="random")
    _, info = env.reset(seed=1)

    _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))

    assert (-1.0, True) == (reward, over)
    assert "CARD_NOT_IN_HAND" in info["illegal"]
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_max_cycles_truncates():
    env = gym_env("tides", opponents="random", max_cycles=2)

    ends = []
    for _ in range(2):
        _, info = env.reset(seed=1)
        for _ in range(2):
            _, reward, over, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            ends.append((reward, over, truncated))

    assert [(0.0, False, False), (0.0, False, True)] * 2 == ends
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_a_game_that_ends_with_the_last_cycle_is_not_truncated():
    env = gym_env("tides", opponents="random", max_cycles=14)
    _, info = env.reset(seed=1)

    received, _ = play_on(env, info, seed=9)

    assert 14 == len(received)
    assert not any(truncated for _, _, truncated in received)


@pytest.mark.parametrize(
    ("settings", "error", "why"),
    [
        ({"opponents": "grandmaster"}, NoSuchBot, "there is no level grandmaster"),
        ({"opponents": ["random", "random"]}, InvalidSetUp, "2 seats need 1 opponents, not 2"),
        ({"seat": 2}, InvalidSetUp, "there is no seat 2: the seats are 0 to 1"),
        ({"seat": -1}, InvalidSetUp, "there is no seat -1"),
        ({"seats": 5}, InvalidSetUp, "tides is for 2 seats, not 5"),
        ({"max_cycles": 0}, InvalidSetUp, "max_cycles must be at least 1"),
    ],
)
def test_what_cannot_be_seated_is_said(settings, error, why):
    with pytest.raises(error, match=why):
        gym_env("tides", **settings)


def test_before_the_first_reset_there_is_no_game():
    env = gym_env("tides", render_mode="ansi")

    with pytest.raises(ResetNeeded):
        env.step(0)
    with pytest.raises(NotBegun):
        env.render()
