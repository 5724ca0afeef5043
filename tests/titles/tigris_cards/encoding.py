"""The promises of the encoding of the card game of Tigris & Euphrates."""

from __future__ import annotations

import numpy as np

from gamehost.titles.tigris_cards.rules.model import Place

PROMISED = (1, "5b6676e76b1bfb51")  # version, and the digest of everything that a trained model relies on


def read_back(view, seat, part):
    """Reads parts of an observation and compares them with the view."""
    laid = {Place(int(c), int(r)): int(face) for c, r, face in np.argwhere(part("columns")[..., :8])}
    expected = {
        Place(column, row): card.face
        for column, cards in enumerate(view.table.columns)
        for row, card in enumerate(cards)
    }
    assert expected == laid
    assert [view.hand.count(colour) for colour in range(4)] == [round(n * 8) for n in part("hand")]
    sizes = [view.hand_sizes[(seat + step) % len(view.piles)] for step in range(len(view.piles))]
    assert sizes == [round(row[0] * 8) for row in part("players")[: len(sizes)]]
