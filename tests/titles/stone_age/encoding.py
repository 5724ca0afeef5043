"""The promises of the encoding of Stone Age."""

from __future__ import annotations

import numpy as np

from gamehost.learning.encoding import squashed
from gamehost.rules.kit import Hidden

PROMISED = (1, "656beb3579fbb68c")  # version, and the digest of everything that a trained model relies on


def read_back(view, seat, part):
    """Reads parts of an observation and compares them with the view."""
    seats = len(view.players)
    for step in range(seats):
        player = view.players[(seat + step) % seats]
        held = part("holdings")[step]
        assert player.people == round(held[0] * 10)
        assert np.isclose(squashed(player.food, 10), held[2])
        assert np.isclose(squashed(player.resources.gold, 5), held[8])
        there = [place.people[(seat + step) % seats] for place in view.places]
        assert there == [round(number * 10) for number in part("people")[step, 0, : len(there)]]
    own = view.players[seat]
    known = 0 if isinstance(own.drawn, Hidden) else len(own.drawn)
    assert len(own.cards) + known == part("cards")[0, :-1].sum()
