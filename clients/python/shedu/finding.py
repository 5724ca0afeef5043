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

LOOK_AGAIN = 1.0  # seconds between two looks at the list of games
NEW_AT_ONCE = 16  # games that a bot opens itself need not all be open at a time


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games a bot is to play: those it is told, or opens itself, or else whichever it finds."""

    title: str
    name: str
    create: int = 0
    seats: int = 0
    against: Sequence[str] = ()
    join: Sequence[str] = ()

    @property
    def objection(self) -> str | None:
        """Why nothing can come of it, whatever server is asked."""
        if not self.title and not self.join:
            return "which title? Say --title, or --join a game"
        if self.against and not self.create:
            return "--against is for new games: say how many with --create"
        return None


def seats(server: Server, wanted: Wanted, known: bool) -> Stream[Player]:
    """Known to the server, a bot is invited; where nobody is asked who they are, it looks around."""
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
    """Every seat of the caller's: those it has, and those that are kept for it. Needs an identity.

    The server knows which games wait, so that a bot that was stopped in between goes on with them.
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
    """None when the seat is not to be had any more."""
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
    """A seat of every public game that has one, as they come."""
    known: set[str] = set()
    while True:
        async with aclosing(server.games(title, status="gathering", joinable=True)) as games:
            async for game in games:
                if game.game_id not in known:
                    known.add(game.game_id)
                    try:
                        yield await server.game(game.game_id).join(name)
                    except (AlreadyJoined, NotNow, NotFound):  # another was faster
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
    """The first seat of new games."""
    for _ in range(count):
        game = await server.create(title, seats=seats, bots=bots, options=options)
        yield await game.join(name)


async def named(server: Server, game_ids: Sequence[str], name: str = "") -> Stream[Player]:
    """A seat of each of these games; none is played unless all can be."""
    for player in [await server.game(game_id).join(name) for game_id in game_ids]:
        yield player
