"""Tests that rows of a dataset give the arrays that an environment would give."""

from __future__ import annotations

import numpy as np
import pytest

from gamehost.arena.fixtures import enter
from gamehost.bots.levels import HEURISTICS
from gamehost.dataset import decision_row, rows
from gamehost.learning import ENCODINGS, example
from gamehost.rules.catalog import CATALOG
from gamehost.simulate import RecordingReferee, Simulation


def noted_twice(table, decision, actions, choice):
    """Returns the row of a decision, with the arrays that the encoders make from the game itself."""
    encoding, seat = ENCODINGS[table.rules.title], decision.seat
    told = (
        encoding.encode_view(table.view(seat), seat),
        encoding.mask(actions),
        encoding.index(actions[choice]),
    )
    return {**decision_row(table, decision, actions, choice), "told": told}


@pytest.mark.parametrize("title", CATALOG)
def test_a_row_says_what_the_environment_would_have_said(title):
    rules = CATALOG[title]
    entrants = tuple(enter(title, ["greedy" if title in HEURISTICS else "search:2", "random"]))
    simulation = Simulation(title, rules.options(), entrants, 2, 1, seed=3)

    (game,) = map(RecordingReferee(noted_twice), simulation.fixtures())

    for row in list(rows(game))[::5]:
        observation, mask, action = row["told"]
        found = example(row)
        assert np.array_equal(observation, found.observation)
        assert np.array_equal(mask, found.action_mask)
        assert action == found.action
