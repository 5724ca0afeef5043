"""The promises of the encoding of Tides of Time."""

from __future__ import annotations

import numpy as np

from gamehost.titles.tides.rules.material import Card

PROMISED = (1, "9cf23f72d0c65e45")  # version, and the digest of everything that a trained model relies on


def read_back(view, seat, part):
    """Reads parts of an observation and compares them with the view."""
    hand = {Card(1 + number) for number in np.flatnonzero(part("hand"))}
    rows = [{Card(1 + n) for n in np.flatnonzero(row[1])} for row in part("kingdoms")]
    assert view.hand == hand
    assert [set(view.seats[seat].played), set(view.seats[1 - seat].played)] == rows
    assert view.unseen == {Card(1 + number) for number in np.flatnonzero(part("unseen"))}
