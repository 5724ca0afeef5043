"""What a typical move writes and answers, taken from a real game."""

from __future__ import annotations

import itertools
import os
import random
import time
from dataclasses import dataclass
from statistics import mean
from typing import Any

from gamehost.api.auth.identity import PrincipalReader
from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.handlers.games import GameHandlers
from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.codec.titles import TITLES
from gamehost.hosted.catalog import HostedBotCatalog
from gamehost.play.application import Application, Dependencies
from gamehost.rules.catalog import CATALOG
from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import game_service_pb2 as pb

SECRET = bytes(32)
NOBODY = Call(None, "sample")


@dataclass(frozen=True)
class Sample:
    event: bytes
    response: pb.PlayActionResponse


async def sample() -> Sample:
    """The event and the answer that are nearest to the average in size."""
    store = MemoryEventStore()
    world = Dependencies(store, MessageRenderer(TITLES), CATALOG, now, os.urandom, SECRET, HostedBotCatalog())
    tokens = SeatTokens([SECRET], time.time, 3600)
    handlers = GameHandlers(MessageRenderer(TITLES), Application(world), tokens)
    game_id, presented, start = await seated(handlers)
    callers = [await caller(PrincipalReader(tokens), token) for token in presented]
    responses = await played(handlers, game_id, callers)
    events = [item.payload for item in await store.read(game_id, after=start)]
    return Sample(nearest(events, len), nearest(responses, lambda response: response.ByteSize()))


def now() -> int:
    return time.time_ns() // 1000


async def seated(handlers: GameHandlers) -> tuple[str, list[str], int]:
    game_id = (await handlers.create_game(pb.CreateGameRequest(title="tides"), NOBODY)).game.game_id
    joins = [await handlers.join_game(pb.JoinGameRequest(game_id=game_id), NOBODY) for _ in range(2)]
    return game_id, [join.seat_token for join in joins], joins[-1].game.version


async def played(handlers: GameHandlers, game_id: str, callers: list[Call]) -> list[pb.PlayActionResponse]:
    coin, responses = random.Random(1), list[pb.PlayActionResponse]()
    for turn in itertools.count():
        asking = callers[turn % 2]
        legal = await handlers.list_legal_actions(pb.ListLegalActionsRequest(game_id=game_id), asking)
        if not legal.actions:
            return responses
        chosen = coin.choice(legal.actions).action
        request = pb.PlayActionRequest(game_id=game_id, decision_id=legal.decision.decision_id, action=chosen)
        responses.append(await handlers.play_action(request, asking))
    raise AssertionError("a game ends")


async def caller(identity: PrincipalReader, token: str) -> Call:
    return Call(None, "sample", principal=await identity.read(f"Bearer {token}"))


def nearest(things: list[Any], size: Any) -> Any:
    average = mean(map(size, things))
    return min(things, key=lambda thing: abs(size(thing) - average))
