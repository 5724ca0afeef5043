"""What a typical move writes and answers, taken from a real game."""

from __future__ import annotations

import itertools
import os
import random
import time
from dataclasses import dataclass
from statistics import mean
from typing import Any

from gamehost.api.dispatch import Call
from gamehost.api.handlers import Handlers
from gamehost.api.tokens import SeatTokens
from gamehost.codec.titles import TITLES
from gamehost.codec.wire import WireCodec
from gamehost.play.house import House, World
from gamehost.rules.catalog import CATALOG
from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import game_service_pb2 as pb

SECRET = bytes(32)


@dataclass(frozen=True)
class Sample:
    event: bytes
    response: pb.PlayActionResponse


async def sample() -> Sample:
    """The event and the answer that are nearest to the average in size."""
    store = MemoryEventStore()
    world = World(store, WireCodec(TITLES), CATALOG, lambda: time.time_ns() // 1000, os.urandom, SECRET)
    handlers = Handlers(WireCodec(TITLES), House(world), SeatTokens([SECRET], time.time, 3600))
    game_id, tokens, start = await seated(handlers)
    responses = await played(handlers, game_id, tokens)
    events = [item.payload for item in await store.read(game_id, after=start)]
    return Sample(nearest(events, len), nearest(responses, lambda response: response.ByteSize()))


async def seated(handlers: Handlers) -> tuple[str, list[str], int]:
    game_id = (await handlers.create_game(pb.CreateGameRequest(title="tides"), caller())).game.game_id
    joins = [await handlers.join_game(pb.JoinGameRequest(game_id=game_id), caller()) for _ in range(2)]
    return game_id, [join.seat_token for join in joins], joins[-1].game.version


async def played(handlers: Handlers, game_id: str, tokens: list[str]) -> list[pb.PlayActionResponse]:
    coin, responses = random.Random(1), list[pb.PlayActionResponse]()
    for turn in itertools.count():
        asking = caller(tokens[turn % 2])
        legal = await handlers.list_legal_actions(pb.ListLegalActionsRequest(game_id=game_id), asking)
        if not legal.actions:
            return responses
        chosen = coin.choice(legal.actions).action
        request = pb.PlayActionRequest(game_id=game_id, decision_id=legal.decision.decision_id, action=chosen)
        responses.append(await handlers.play_action(request, asking))
    raise AssertionError("a game ends")


def caller(token: str | None = None) -> Call:
    return Call(f"Bearer {token}" if token else None, "sample")


def nearest(things: list[Any], size: Any) -> Any:
    average = mean(map(size, things))
    return min(things, key=lambda thing: abs(size(thing) - average))
