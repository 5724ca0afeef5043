"""Tests that every bot answers every decision legally, and that the same luck gives the same answer."""

from __future__ import annotations

import pytest

from bots.tables import luck, random_game, set_ups
from gamehost.bots.levels import LEVEL_BY_NAME, NoSuchBot, bot
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from rules.facts import FACTS
from support.budget import budget

LEVELS = {"random": 1, "greedy": 5, "search:2": 41}  # each level answers every n-th decision


def plays(level, title):
    return title in LEVEL_BY_NAME[level.partition(":")[0]].titles


EVERY_SET_UP = pytest.mark.parametrize(("title", "seats", "options"), set_ups()[:: budget(5, 1)])


@pytest.mark.parametrize("level", LEVEL_BY_NAME)
def test_every_level_plays_every_title(level):
    """Except greedy, which plays only the titles whose facts say so."""
    played = {title for title in CATALOG if level != "greedy" or FACTS[title].greedy}
    assert set(LEVEL_BY_NAME[level].titles) == played
    assert LEVEL_BY_NAME[level].meaning.endswith(".")


@EVERY_SET_UP
def test_an_answer_is_always_among_the_actions(title, seats, options):
    players = [(bot(title, level), often) for level, often in LEVELS.items() if plays(level, title)]

    for number, (view, decision, actions) in enumerate(random_game(CATALOG[title], seats, options, title)):
        for player, often in players:
            if number % often == 0:
                assert player.decide(view, decision, actions, luck(number)) in actions


@pytest.mark.parametrize("title", CATALOG)
def test_the_same_luck_gives_the_same_answer(title):
    rules = CATALOG[title]
    asked = [question for question in random_game(rules, 2, rules.options(), title) if len(question[2]) > 1]

    for view, decision, actions in asked[:: max(1, len(asked) // 7)]:
        for level in LEVELS:
            if not plays(level, title):
                continue
            first, second = (
                bot(title, level).decide(view, decision, actions, SeededChance(b"luck", 7)) for _ in "12"
            )

            assert first == second


def test_a_level_nobody_knows_is_refused_by_name():
    with pytest.raises(NoSuchBot, match="there is no level clever; there are: random, greedy, search"):
        bot("tides", "clever")


def test_a_title_nobody_plays_is_refused_by_name():
    with pytest.raises(NoSuchBot, match="no bot plays chess"):
        bot("chess", "random")
