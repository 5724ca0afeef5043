"""Finished games of every title, played at random."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from gamehost.codec.exported_game import ExportedGame
from gamehost.play.access import SeatKey
from gamehost.play.use_cases.play_action import DecisionAnswer
from shedu.v1 import game_pb2
from support.service import Service


async def play(service: Service, title: str, coin: random.Random, **fields: Any) -> tuple[str, list[str]]:
    """Plays a game with client seeds to its end; returns its id and the tokens of its seats."""
    game = (await service.call("CreateGame", title=title, **fields)).game
    tokens = [
        await service.join(game.game_id, display_name=f"Player {seat}", client_seed=coin.randbytes(seat))
        for seat in range(len(game.seats))
    ]
    table = await service.application.tables.current(game.game_id)
    while decisions := table.decisions:
        asked = coin.choice(decisions)
        action = coin.choice(list(table.rules.legal_actions(table.state, asked.seat)))
        await service.application.play_action.play(
            game.game_id, SeatKey(game.game_id, asked.seat, 1), DecisionAnswer(asked.id, action), None
        )
        table = await service.application.tables.current(game.game_id)
    return game.game_id, tokens


async def exported(service: Service, game_id: str, token: str | None = None) -> ExportedGame:
    game = (await service.call("GetGame", token, game_id=game_id)).game
    asked, events = {"game_id": game_id, "page_size": 1000}, list[game_pb2.Event]()
    while len(events) < game.version:
        page = await service.call("ListEvents", token, **asked, after_version=len(events))
        events.extend(page.events)
    return ExportedGame(game, events)


@cache
def known() -> dict[str, ExportedGame]:
    """The exported games of this process, by title."""
    return {}


async def finished(title: str) -> ExportedGame:
    if title not in known():
        service = Service(luck=title)
        game_id, _ = await play(service, title, random.Random(title))
        known()[title] = await exported(service, game_id)
    return known()[title]
