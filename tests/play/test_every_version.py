"""Tests that a view can be read at every version, also between the events of one call."""

from __future__ import annotations

from typing import Any

import pytest

from gamehost.rules.catalog import CATALOG
from support.service import Service


async def begun(service: Service, title: str) -> tuple[str, list[str], int]:
    """Plays the deal and one move; returns the id of the game, its tokens and its version."""
    game: Any = (await service.call("CreateGame", title=title)).game
    tokens = [await service.join(game.game_id) for _ in game.seats]
    view = (await service.call("GetView", game_id=game.game_id)).view
    played = await service.move(game.game_id, tokens[view.decisions[0].seat])
    return game.game_id, tokens, played.view.version


@pytest.mark.parametrize("title", CATALOG)
async def test_every_version_of_a_game_can_be_seen(title: str):
    service = Service()
    game_id, tokens, version = await begun(service, title)

    for token in (None, *tokens):
        views = [
            (await service.call("GetView", token, game_id=game_id, version=number)).view
            for number in range(1, version + 1)
        ]
        assert [*range(1, version + 1)] == [view.version for view in views]
        assert views[-1].HasField(title)


@pytest.mark.parametrize("title", CATALOG)
async def test_a_stream_can_begin_after_every_version(title: str):
    service = Service()
    game_id, (ann, *_), version = await begun(service, title)

    for number in range(1, version + 1):
        first = await anext(service.watch(ann, game_id=game_id, after_version=number))
        assert number == first.snapshot.version


@pytest.mark.parametrize("title", CATALOG)
async def test_legal_actions_are_listed_at_every_version(title: str):
    service = Service()
    game_id, tokens, version = await begun(service, title)

    for token in tokens:
        for number in range(1, version + 1):
            listed = await service.call("ListLegalActions", token, game_id=game_id, version=number)
            assert number == listed.version
            assert listed.HasField("decision") == bool(listed.actions)
