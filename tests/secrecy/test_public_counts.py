"""Tests of counts that are public although no field has them: two worlds with one view agree on them."""

from __future__ import annotations

from typing import Any

import pytest

from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from rules.playouts import game
from shedu.v1 import game_service_pb2 as pb

from .worlds import real_world, twin_world, unfinished

TIGRIS = CATALOG["tigris"]


def bag_counted(view: pb.View) -> int:
    """Computes the number of tiles in the bag from a view."""
    tigris = view.tigris
    others = [
        each for seat, each in enumerate(tigris.players) if not (view.HasField("seat") and seat == view.seat)
    ]
    return sum(tigris.unseen) - sum(each.hidden_hand + each.hidden_swapped for each in others)


@pytest.mark.parametrize("viewer", [None, 0])
async def test_the_bag_of_tigris_has_the_same_count_and_other_tiles_in_the_other_world(viewer: Any) -> None:
    """TE-80: the count is public without open information, what is counted is not."""
    played = game("tigris", 0)
    position = unfinished(played, 0.5)
    seen, view = played.seen(TIGRIS, position, viewer), TIGRIS.view(position.state, viewer)
    imagined = TIGRIS.imagine(view, SeededChance(b"another world", 1), seen)
    assert not played.options.open_information

    worlds = [
        await real_world(TIGRIS, played, position),
        await twin_world(TIGRIS, played, position, viewer, 1),
    ]

    for world in worlds:
        shown = (await world.served().call("GetView", world.token(viewer), game_id=world.game_id)).view
        assert sum(position.state.bag) == bag_counted(shown)
        assert not shown.tigris.HasField("bag")
    assert sum(imagined.bag) == sum(position.state.bag)
    assert imagined.bag != position.state.bag
