"""Tests that hidden information changes no answer of any call (non-interference)."""

from __future__ import annotations

from typing import Any

import pytest

from gamehost.api.pipeline.policies import POLICIES
from gamehost.rules.catalog import CATALOG
from rules.playouts import game, seats_of
from shedu.v1 import game_pb2

from .differences import differences
from .probes import ASKED
from .worlds import unfinished

PLACES = [(0, 0.1), (1, 0.8)]  # which game, and how far into it


def viewers(title: str, number: int) -> list[Any]:
    return [None, "stranger", *seats_of(title, number)]


CASES = [
    pytest.param(title, number, share, viewer, id=f"{title}-{number}-{viewer}")
    for title in CATALOG
    for number, share in PLACES
    for viewer in viewers(title, number)
]


def test_every_rpc_is_asked():
    assert set(ASKED) == {name.rpartition(".")[2] for name in POLICIES}


@pytest.mark.parametrize(("title", "number", "share", "viewer"), CASES)
async def test_two_worlds_with_one_view_cannot_be_told_apart(
    title: str, number: int, share: float, viewer: Any
):
    played = game(title, number)

    told_apart = await differences(CATALOG[title], played, unfinished(played, share), viewer)

    assert [] == told_apart


@pytest.mark.parametrize("title", CATALOG)
async def test_nor_by_spectators_who_are_behind(title: str):
    played = game(title, 0)
    late = game_pb2.Spectators(policy=game_pb2.SPECTATOR_POLICY_PUBLIC, delay=5)

    told_apart = await differences(CATALOG[title], played, unfinished(played, 0.1), None, spectators=late)

    assert [] == told_apart
