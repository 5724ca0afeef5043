"""A title without optional parts, as the frame plays, shows and teaches it.

`test_new_title.py` runs this in a copy of the repository that has the title: messages and catalog of the
process that runs the other tests do not have it.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter

import gymnasium
import numpy as np
import pytest

import shedu
from bots.seasons import arena
from bots.tables import luck, random_game
from gamehost.bots.levels import LEVEL_BY_NAME, NoSuchBot, bot
from gamehost.bots.random_bot import RandomBot
from gamehost.learning.seat_env import id_of, make_opponents
from gamehost.rules.catalog import CATALOG, title_module
from support.process import shedu_here

TITLE, SERVER = os.environ["SHEDU_TEST_TITLE"], os.environ["SHEDU_TEST_SERVER"]
RULES = CATALOG[TITLE]
OPTIONAL = ("greedy", "search", "encoding", "terminal", "codec")
CARDS, ROUNDS = 16, 8  # of a game of two seats


def play_on(game, players, most=1000):
    """Plays the first legal action at every decision. Returns the number of decisions."""
    for played in range(most):
        if not (asked := game.view().decisions):
            return played
        player = players[asked[0].seat]
        player.play(player.legal_actions().actions[0], asked[0])
    return most


def told(events):
    """Counts the kinds of events of the title."""
    return Counter(getattr(event, TITLE).WhichOneof("kind") for event in events if event.HasField(TITLE))


def shows_cards(event):
    """Whether it tells cards of a hand, which only their owner may see."""
    own = getattr(event, TITLE)
    return bool(own.cards_drawn.cards) or own.card_chosen.HasField("card")


def test_it_has_no_optional_part():
    assert [] == [name for name in OPTIONAL if title_module(TITLE, name)]


def test_it_is_played_over_grpc_and_watched_and_forked_and_its_luck_is_verified():
    with shedu.connect(SERVER) as server:
        game = server.create(TITLE)
        players = [game.join("Ann"), game.join("Bob")]
        stream = game.watch(after=0)
        watched = []
        assert 4 == play_on(game, players, 4)
        while told(watched)["card_chosen"] < 4:
            watched += next(stream).events
        assert not any(shows_cards(event) for event in watched), "a spectator saw a card of a hand"

        fork = players[0].fork()
        assert CARDS - 4 == play_on(server.game(fork[0].id, token=fork[0].token), fork)
        assert CARDS - 4 == play_on(game, players)
        watched += [event for moment in stream for event in moment.events]

        outcome = game.outcome()
    assert {
        "game_begun": 1,
        "cards_drawn": 2 + (CARDS - 6),  # hands of three, then one card at a time
        "card_chosen": CARDS,
        "cards_revealed": ROUNDS,
        "game_ended": 1,
    } == told(watched)
    assert (ROUNDS, "CARDS_PLAYED") == (sum(outcome.scores), outcome.reason)
    verified = shedu_here("verify", game.id, "--server", SERVER, "--json")
    assert json.loads(verified.stdout)["verified"], verified.stderr


def test_the_terminal_prints_fields_of_the_view_and_describes_events_by_their_fields(tmp_path):
    asked = ("--server", SERVER, "--name", "Ann", "--bots", "random", "--data-dir", tmp_path)

    done = shedu_here("play", TITLE, *asked, lines="1\n" * ROUNDS, COLUMNS="80")

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "deck size  10" in done.stdout
    assert re.search(r"^Card chosen: you, card \w+\.$", done.stdout, re.MULTILINE)
    assert re.search(
        r"^Cards revealed: cards \w+, \w+, winner (you|Random bot)\.$", done.stdout, re.MULTILINE
    )


def test_random_and_search_play_it_and_greedy_says_that_it_does_not():
    assert ["random", "search"] == [name for name, level in LEVEL_BY_NAME.items() if TITLE in level.titles]
    with pytest.raises(NoSuchBot, match=f"no bot plays {TITLE} at level greedy"):
        bot(TITLE, "greedy")
    for number, (view, decision, actions) in enumerate(random_game(RULES, 3, RULES.options(), "bots")):
        for level in ("random", "search:4"):
            assert bot(TITLE, level).decide(view, decision, actions, luck(number)) in actions


def test_random_and_search_meet_in_an_arena():
    facts, _ = arena("--title", TITLE, "--bots", "search:4,random", "--games", 4, "--seed", 3, "--jobs", 1)

    assert {"search:4": 4, "random": 4} == {each["name"]: each["games"] for each in facts["bots"]}


def test_games_are_simulated_and_written_as_a_dataset(tmp_path):
    file = tmp_path / "games.parquet"

    done = shedu_here(
        "simulate", TITLE, "--games", 4, "--bots", "random", "--jobs", 1, "--out", file, "--json"
    )

    assert 4 == json.loads(done.stdout)["games"], done.stderr
    assert file.stat().st_size > 0


def test_a_policy_is_trained_on_the_generic_encoding_against_the_default_opponent():
    env = gymnasium.make(id_of(TITLE))
    assert isinstance(make_opponents(TITLE, None, 0, 2)[1].bot, RandomBot)
    weights, steps = np.zeros((env.action_space.n, *env.observation_space.shape)), 0
    for episode in range(20):
        observation, info = env.reset(seed=episode)
        taken, over = [], False
        while not over:
            assert observation in env.observation_space
            action = int(np.argmax(np.where(info["action_mask"], weights @ observation, -np.inf)))
            taken.append((action, observation))
            observation, reward, over, _, info = env.step(action)
            steps += 1
        assert info["rank"] in (1, 2)
        for action, seen in taken:
            weights[action] += 0.1 * reward * seen
    assert 20 * ROUNDS == steps
    assert np.abs(weights).sum() > 0
