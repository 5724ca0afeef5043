"""Two worlds that one viewer cannot tell apart, each in a service of its own.

The first is a game as it was played. In the second everything that the viewer has not seen is dealt again:
other hands, bag, decks and sealed choices, and another seed, with the same history as the viewer saw it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gamehost.play.ports.event_log import Appended
from gamehost.play.table.events import GameStarted
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import AnyRules, Seat
from gamehost.stores.memory import MemoryEventStore
from rules.history import histories
from rules.playouts import Game, Position
from shedu.v1 import game_pb2
from support.service import Service

SECOND = 1_000_000
# A stream is read until its first heartbeat. With 0 seconds that comes after a fixed number of turns of the
# event loop; with any other number the machine would decide how much its background reader does before.
HEARTBEAT = 0.0


class ReseededStore(MemoryEventStore):
    """A store that replaces every seed by another one."""

    async def append(self, *args: Any, seed: bytes | None = None, **rest: Any) -> Appended:
        return await super().append(*args, seed=seed and hashlib.sha256(seed).digest(), **rest)


@dataclass(frozen=True)
class World:
    """A game in a store, with the tokens of its seats and one of a seat elsewhere."""

    store: MemoryEventStore
    now: int
    game_id: str
    tokens: tuple[str, ...]
    stranger: str

    def served(self) -> Service:
        """Returns a service on a copy of this world, so that calls do not affect others."""
        service = Service(self.store.copy(), luck="later", heartbeat=HEARTBEAT)
        service.now = self.now
        return service

    def token(self, viewer: Seat | str | None) -> str | None:
        """Returns the token of a viewer: of a seat, of another game for "stranger", None for None."""
        if viewer == "stranger":
            return self.stranger
        return None if viewer is None else self.tokens[int(viewer)]


async def real_world(rules: AnyRules, game: Game, position: Position, **terms: Any) -> World:
    """Returns the game as it was played up to that position."""
    return await stored_world(MemoryEventStore(), rules, game, position, game.events[: position.told], terms)


async def twin_world(
    rules: AnyRules, game: Game, position: Position, seat: Seat | None, salt: int, **terms: Any
) -> World:
    """Returns a game that differs only in what that seat, or a spectator, could not see."""
    seen = game.seen(rules, position, seat)
    view = rules.view(position.state, seat)
    world = rules.imagine(view, SeededChance(b"another world", salt), seen)
    told = histories()[rules.title].events(world, seen)
    return await stored_world(ReseededStore(), rules, game, position, told, terms)


async def stored_world(
    store: MemoryEventStore,
    rules: AnyRules,
    game: Game,
    position: Position,
    events: Sequence[Any],
    terms: dict[str, Any],
) -> World:
    service = Service(store, luck="before")
    options = service.codec.renderer.options(rules.title, game.options)
    wish = {
        "title": rules.title,
        "options": options,
        "seat_count": game.seats,
        "manual_start": True,
        "reveal": game_pb2.REVEAL_POLICY_NEVER,  # so that a seat that resigns learns nothing more
        **terms,
    }
    created = await service.call("CreateGame", **wish)
    tokens = [
        await service.join(
            created.game.game_id, display_name=f"Player {seat}", invite_code=created.invite_code
        )
        for seat in range(game.seats)
    ]
    _, (stranger, *_) = await service.table("Somebody else")
    for events_of_one, mover in causes(game, position, events):
        service.now += SECOND
        await service.append_events(created.game.game_id, *events_of_one, seat=mover)
    await service.settled()
    return World(store, service.now + SECOND, created.game.game_id, tuple(tokens), stranger)


def causes(game: Game, position: Position, events: Sequence[Any]) -> list[tuple[list[Any], Seat]]:
    """Groups the events by their cause, with the seat that caused them."""
    marks = [place for place in game.positions if place.told <= position.told]
    opening = ([GameStarted(), *events[: marks[0].told]], Seat(0))
    moves = [(list(events[a.told : b.told]), a.move[0]) for a, b in pairwise(marks) if a.move]
    return [opening, *moves]


def unfinished(game: Game, share: float) -> Position:
    """Returns the position after that share of the moves."""
    return game.positions[int(share * (len(game.positions) - 1))]
