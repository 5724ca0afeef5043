"""Tests of every title as a PettingZoo environment."""

from __future__ import annotations

import pickle
from copy import deepcopy

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from gamehost.learning import InvalidSetUp, NoSuchAction, NoSuchAgent, NotBegun, aec_env
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import IllegalAction, replay
from gamehost.titles.tigris.rules.options import BagExhaustion
from rules.facts import FACTS

TITLES = pytest.mark.parametrize("title", CATALOG)
# PettingZoo skips these checks for its own masked environments, by their names.
MASKED = (
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
)


def masked(test):
    for mark in MASKED:
        test = mark(test)
    return test


def play_on(env, coin, steps=None):
    """Plays random legal actions to the end or for some steps; returns what every agent received."""
    received = []
    for agent in env.agent_iter(2**63 if steps is None else steps):
        observation, reward, terminated, truncated, info = env.last()
        received.append((agent, observation["observation"].tobytes(), reward, terminated, info))
        mask = observation["action_mask"]
        env.step(None if terminated or truncated else int(coin.choice(np.flatnonzero(mask))))
    return received


def started(title, seed=7, **settings):
    env = aec_env(title, **settings)
    env.reset(seed=seed)
    return env


@masked
@TITLES
@pytest.mark.parametrize("seats", [2, 4])
def test_pettingzoo_accepts_the_interface(title, seats, capsys):
    if seats in CATALOG[title].seats:
        api_test(aec_env(title, seats=seats), num_cycles=120)

        assert "Passed API test" in capsys.readouterr().out


@TITLES
def test_pettingzoo_finds_the_same_seed_to_play_the_same_game(title):
    seed_test(lambda: aec_env(title), num_cycles=40)


@TITLES
def test_another_seed_plays_another_game_and_no_seed_goes_on(title):
    env = started(title, seed=1)
    first = env.information_state_string("seat_0")
    env.reset()
    second = env.information_state_string("seat_0")

    env.reset(seed=1)
    again = env.information_state_string("seat_0")
    env.reset()

    assert first == again != second
    assert second == env.information_state_string("seat_0")


@TITLES
def test_a_game_ends_with_rewards_by_rank_that_sum_to_nothing(title):
    env = started(title, seats=CATALOG[title].seats[-1])
    if title == "stone_age":
        env = started(title, seats=4, options={"max_rounds": 3})

    received = play_on(env, np.random.default_rng(0))

    final = {agent: (reward, info) for agent, _, reward, terminated, info in received if terminated}
    best = [info["rank"] == 1 for _, info in final.values()]
    rewards = [reward for reward, _ in final.values()]
    assert set(env.possible_agents) == final.keys()
    assert abs(sum(rewards)) < 1e-9
    assert best == [reward == max(rewards) for reward in rewards]
    assert [] == env.agents


def test_the_margin_is_the_distance_to_the_best_of_the_others():
    env = started("tides", reward="margin")

    received = play_on(env, np.random.default_rng(0))

    (_, _, mine, _, own), (_, _, theirs, _, other) = received[-2:]
    assert own["score"] - other["score"] == mine == -theirs


@TITLES
def test_who_is_asked_by_the_rules_acts_next_and_of_several_the_lowest_seat(title):
    """The agents to act are those whose mask is not empty."""
    env = started(title)
    coin, together = np.random.default_rng(3), set()
    for _ in range(60):
        if not env.agents or env.terminations[env.agent_selection]:
            break
        asked = [agent for agent in env.possible_agents if env.observe(agent)["action_mask"].any()]
        assert asked[0] == env.agent_selection
        together.add(len(asked))
        play_on(env, coin, 1)

    assert (2 in together) == bool(FACTS[title].sealed)


@TITLES
def test_play_is_cut_off_after_max_cycles(title):
    env = started(title, max_cycles=9)

    received = play_on(env, np.random.default_rng(0))

    assert 9 + 2 == len(received)
    assert not any(terminated for *_, terminated, _ in received)


def position_of(env):
    return env.observation_string("seat_0"), env.agent_selection, dict(env.rewards), env.cycles


def test_an_illegal_action_raises_and_changes_nothing():
    env = started("tides")
    before = position_of(env)
    not_in_hand = int(np.flatnonzero(env.observe("seat_0")["action_mask"] == 0)[0])

    with pytest.raises(IllegalAction, match="CARD_NOT_IN_HAND"):
        env.step(not_in_hand)

    assert before == position_of(env)


@pytest.mark.parametrize("number", [-1, 99_999, None])
def test_what_is_no_action_raises_and_changes_nothing(number):
    env = started("tides")
    before = position_of(env)

    with pytest.raises(NoSuchAction):
        env.step(number)

    assert before == position_of(env)


def test_pettingzoos_wrapper_ends_the_game_of_who_acts_illegally(capsys):
    env = TerminateIllegalWrapper(aec_env("tides"), illegal_reward=-1)
    env.reset(seed=1)
    mask = env.observe("seat_0")["action_mask"]

    env.step(int(np.flatnonzero(mask == 0)[0]))

    assert {"seat_0": -1, "seat_1": 0} == env.rewards
    assert all(env.terminations.values())


@TITLES
def test_a_copy_plays_the_same_game_and_goes_its_own_way(title):
    env = started(title)
    play_on(env, np.random.default_rng(0), 12)
    before = env.observation_string("seat_0"), env.information_state_string("seat_0")
    twins = env.copy(), deepcopy(env), pickle.loads(pickle.dumps(env))

    played = [play_on(twin, np.random.default_rng(5), 30) for twin in twins]
    elsewhere = play_on(env.copy(), np.random.default_rng(6), 30)

    assert played[0] == played[1] == played[2] != elsewhere
    assert before == (env.observation_string("seat_0"), env.information_state_string("seat_0"))
    assert played[0] == play_on(env, np.random.default_rng(5), 30)


def test_a_copy_with_a_seed_has_other_luck():
    env = started("stone_age")
    play_on(env, np.random.default_rng(0), 5)

    futures = [play_on(env.copy(seed), np.random.default_rng(5), 40) for seed in (None, 1, 1, 2)]

    assert futures[1] == futures[2]
    assert futures[0] != futures[1] != futures[3]


@TITLES
def test_an_imagined_copy_looks_the_same_to_its_agent_only(title):
    env, differs = started(title, seed=3), []
    for _ in range(2):  # in some titles seat 1 hides nothing before its first action, in others after it
        play_on(env, np.random.default_rng(0), 1)

        worlds = [env.imagine("seat_0", seed) for seed in range(6)]

        assert {env.observation_string("seat_0")} == {world.observation_string("seat_0") for world in worlds}
        assert {env.information_state_string("seat_0")} == {
            world.information_state_string("seat_0") for world in worlds
        }
        differs.append(1 < len({world.observation_string("seat_1") for world in worlds}))
    hides = FACTS[title].hides_most < 0.5  # else nothing is hidden yet
    assert hides == any(differs)
    assert play_on(worlds[0], np.random.default_rng(1), 20)


@TITLES
def test_a_picture_shows_what_the_agent_sees_and_is_asked(title):
    rules, env = CATALOG[title], started(title, render_mode="ansi")
    opening = rules.decisions(replay(rules, rules.setup(rules.options(), 2, SeededChance(b"any", 0))))

    picture = env.render()

    assert f"the view of {env.agent_selection.replace('_', ' ')}" in picture
    assert opening[0].prompt.english in picture
    assert None is started(title).render()


def test_options_are_told_by_name():
    env = started("tigris", seats=3, options={"bag_exhaustion": "immediate", "wonder": True})

    assert BagExhaustion.IMMEDIATE is env.options.bag_exhaustion
    assert "wonder=True" in env.observation_string("seat_2")


@pytest.mark.parametrize(
    ("title", "settings", "words"),
    [
        ("chess", {}, "there is no title chess; there are: stone_age"),
        ("tides", {"seats": 3}, "tides is for 2 seats, not 3"),
        ("tides", {"options": {"speed": 1}}, "tides has no option speed"),
        ("tigris", {"options": {"board": "round"}}, "round is none of standard, advanced"),
        ("tigris", {"options": {"board": 17}}, "board: 17 is none of standard, advanced"),
        ("tigris", {"options": {"wonder": "no"}}, "wonder is of type bool, unlike 'no'"),
        ("stone_age", {"options": {"max_rounds": 2.5}}, "max_rounds is of type int, unlike 2.5"),
        ("stone_age", {"options": {"max_rounds": True}}, "max_rounds is of type int, unlike True"),
        ("stone_age", {"options": {"max_rounds": 0}}, "a game has at least one round"),
        ("tides", {"reward": "love"}, "there is no reward love; there are: ranks, margin"),
        ("tides", {"render_mode": "human"}, "there is no render mode human"),
        ("tides", {"max_cycles": 0}, "max_cycles must be at least 1"),
    ],
)
def test_what_cannot_be_set_up_is_said(title, settings, words):
    with pytest.raises(InvalidSetUp, match=words):
        aec_env(title, **settings)


@pytest.mark.parametrize("call", ["last", "render", "copy"])
def test_before_the_first_reset_there_is_no_game(call):
    env = aec_env("tides", render_mode="ansi")

    with pytest.raises(NotBegun):
        getattr(env, call)()
    with pytest.raises(NotBegun):
        env.step(0)


def test_a_stranger_is_told_who_plays():
    with pytest.raises(NoSuchAgent, match="there is no agent seat_2; there are: seat_0, seat_1"):
        started("tides").observe("seat_2")
