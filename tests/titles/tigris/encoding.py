"""The promises of the encoding of Tigris & Euphrates."""

from __future__ import annotations

import numpy as np

PROMISED = (1, "a42a7f69adde9371")  # version, and the digest of everything that a trained model relies on


def read_back(view, seat, part):
    """Reads parts of an observation and compares them with the view."""
    seats = len(view.players)
    tiles = {(tile.colour, tile.space.row, tile.space.column) for tile in view.board.tiles}
    leaders = {
        (4 * ((each.seat - seat) % seats) + each.leader, each.space.row, each.space.column)
        for each in view.board.leaders
    }
    assert tiles == {tuple(map(int, at)) for at in np.argwhere(part("tiles"))}
    assert leaders == {tuple(map(int, at)) for at in np.argwhere(part("leaders"))}
    own = [view.players[seat].hand.count(colour) for colour in range(4)]
    assert own == [round(number * 6) for number in part("own")[0]]
