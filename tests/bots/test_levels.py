"""Every bot answers legally, whatever is asked, and the same luck gives the same answer."""

from __future__ import annotations

import pytest

from bots.tables import luck, random_game, set_ups
from gamehost.bots.levels import BOTS, NoSuchBot, bot
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance

EVERY_SET_UP = pytest.mark.parametrize(("title", "seats", "options"), set_ups())


@pytest.mark.parametrize("level", BOTS)
def test_every_level_plays_every_title(level):
    assert set(BOTS[level].titles) <= set(CATALOG)
    assert BOTS[level].meaning.endswith(".")


@EVERY_SET_UP
def test_an_answer_is_always_among_the_actions(title, seats, options):
    players = [bot(title, level) for level in BOTS if title in BOTS[level].titles]

    for number, (view, decision, actions) in enumerate(random_game(CATALOG[title], seats, options, title)):
        for player in players:
            if number % 3 == 0:
                assert player.decide(view, decision, actions, luck(number)) in actions


@pytest.mark.parametrize("title", CATALOG)
def test_the_same_luck_gives_the_same_answer(title):
    rules = CATALOG[title]
    asked = [question for question in random_game(rules, 2, rules.options(), title) if len(question[2]) > 1]

    for view, decision, actions in asked[:: len(asked) // 7]:
        for level in (level for level in BOTS if title in BOTS[level].titles):
            first, second = (
                bot(title, level).decide(view, decision, actions, SeededChance(b"luck", 7)) for _ in "12"
            )

            assert first == second


def test_a_level_nobody_knows_is_refused_by_name():
    with pytest.raises(NoSuchBot, match="there is no level clever; there are: random, greedy"):
        bot("tides", "clever")


def test_a_title_nobody_plays_is_refused_by_name():
    with pytest.raises(NoSuchBot, match="no bot plays chess"):
        bot("chess", "random")
