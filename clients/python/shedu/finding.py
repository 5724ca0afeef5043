"""Finds seats for a bot to play."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from .aio import Player, Server
from .async_io import Stream
from .errors import AlreadyJoined, NotFound, NotNow
from .title_types import Options
from .v1 import game_service_pb2 as pb

LOOK_AGAIN = 1.0  # seconds between two reads of the list of games
NEW_AT_ONCE = 16  # games that a bot creates are played so many at a time


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games a bot plays: named ones, new ones, or else those that it finds."""

    title: str
    name: str
    create: int = 0
    seats: int = 0
    against: Sequence[str] = ()
    join: Sequence[str] = ()

    @property
    def objection(self) -> str | None:
        """Why these settings cannot work with any server; None if they can."""
        if not self.title and not self.join:
            return "which title? Say --title, or --join a game"
        if self.against and not self.create:
            return "--against is for new games: say how many with --create"
        return None

    def source(self, known: bool) -> str | None:
        """Returns what the bot waits for, in words for its user; None if it names or creates its games."""
        if self.join or self.create:
            return None
        if known:
            return f"invitations to games of {self.title}"
        return f"public games of {self.title} with a free seat"


def seats(server: Server, wanted: Wanted, known: bool) -> Stream[Player]:
    """Returns the seats to play. A `known` bot, with an identity, is invited; others join public games."""
    if wanted.join:
        return named(server, wanted.join, wanted.name)
    if wanted.create:
        return created(
            server, wanted.title, wanted.create, wanted.name, seats=wanted.seats, bots=wanted.against
        )
    if known:
        return invited(server, wanted.title, wanted.name)
    return listed(server, wanted.title, wanted.name)


async def invited(server: Server, title: str = "", name: str = "") -> Stream[Player]:
    """Yields every seat of the caller: those that it has, and those reserved for it. Needs an identity.

    The server knows the unfinished games, so that a bot that was stopped continues them.
    """
    known: set[tuple[str, int]] = set()
    async with aclosing(server.inbox()) as items:
        async for item in items:
            if item.WhichOneof("kind") == "finished" or title not in ("", item.title):
                continue
            if (item.game_id, item.seat) not in known:
                known.add((item.game_id, item.seat))
                player = await _taken(server, item, name)
                if player is not None:
                    yield player


async def _taken(server: Server, item: pb.InboxItem, name: str) -> Player | None:
    """Takes the seat of an invitation; returns None if it is no longer available."""
    player = server.player(item.game_id, item.seat)
    if item.WhichOneof("kind") != "invited":
        return player
    try:
        await server.game(item.game_id).join(name, seat=item.seat)
    except AlreadyJoined:
        return player
    except (NotNow, NotFound):
        return None
    return player


async def listed(server: Server, title: str, name: str = "") -> Stream[Player]:
    """Joins every public game of the title with a free seat, as they appear."""
    known: set[str] = set()
    while True:
        async with aclosing(server.games(title, status="gathering", joinable=True)) as games:
            async for game in games:
                if game.game_id not in known:
                    known.add(game.game_id)
                    try:
                        yield await server.game(game.game_id).join(name)
                    except (AlreadyJoined, NotNow, NotFound):  # another caller was faster
                        continue
        await asyncio.sleep(LOOK_AGAIN)


async def created(
    server: Server,
    title: str,
    count: int,
    name: str = "",
    *,
    seats: int = 0,
    bots: Sequence[str] = (),
    options: Options | None = None,
) -> Stream[Player]:
    """Creates games, and yields the first seat of each."""
    for _ in range(count):
        game = await server.create(title, seats=seats, bots=bots, options=options)
        yield await game.join(name)


async def named(server: Server, game_ids: Sequence[str], name: str = "") -> Stream[Player]:
    """Joins all of these games, then yields their seats; raises before the first if one cannot be joined."""
    for player in [await server.game(game_id).join(name) for game_id in game_ids]:
        yield player
