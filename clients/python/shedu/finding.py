"""Finds seats for a bot to play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
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
    """Which games a bot plays: named ones, new ones, or else those that it finds.

    New games are created for each title, and for each level of `challenge`, which plays all other seats.
    """

    titles: Sequence[str]
    name: str
    create: int = 0
    seats: int = 0
    against: Sequence[str] = ()
    join: Sequence[str] = ()
    challenge: Sequence[str] = ()
    ladder: bool = False

    @property
    def objection(self) -> str | None:
        """Why these settings cannot work with any server; None if they can."""
        if not self.titles and not self.join:
            return "which title? Say --title, or --join a game"
        if self.against and not self.create:
            return "--against is for new games: say how many with --create"
        if self.against and self.challenge:
            return "--against and --challenge both say who plays the other seats: give one of them"
        if self.ladder and (self.join or self.create or self.against or self.challenge):
            return "--ladder finds opponents by itself: without --join, --create, --against, --challenge"
        return None

    @property
    def new_games(self) -> int:
        """How many games it creates."""
        if self.challenge:
            return max(self.create, 1) * len(self.titles) * len(self.challenge)
        return self.create * len(self.titles)

    def source(self, known: bool) -> str | None:
        """Returns what the bot waits for, in words for its user; None if hosted bots play against it."""
        if self.against or self.challenge:
            return None
        if self.join or self.create:
            return "the other players"
        if self.ladder:
            return "opponents on the ladder"
        games = " or ".join(self.titles)
        return f"invitations to games of {games}" if known else f"public games of {games} with a free seat"


def seats(server: Server, wanted: Wanted, known: bool, tell: Callable[[str], None] = print) -> Stream[Player]:
    """Returns the seats to play. A `known` bot, with an identity, is invited; others join public games.

    `tell` gets messages for the user.
    """
    if wanted.ladder:
        return ladder(server, wanted, known, tell)
    if wanted.join:
        return named(server, wanted.join, wanted.name)
    if wanted.new_games:
        return _new_games(server, wanted)
    if known:
        return invited(server, wanted.titles, wanted.name)
    return listed(server, wanted.titles, wanted.name)


async def _new_games(server: Server, wanted: Wanted) -> Stream[Player]:
    for title in wanted.titles:
        count = wanted.seats or (await server.title(title)).min_seats
        opponents = [[level] * (count - 1) for level in wanted.challenge] or [list(wanted.against)]
        for bots in opponents:
            games = created(server, title, max(wanted.create, 1), wanted.name, seats=wanted.seats, bots=bots)
            async with aclosing(games):
                async for player in games:
                    yield player


async def invited(server: Server, titles: Sequence[str] = (), name: str = "") -> Stream[Player]:
    """Yields every seat of the caller in games of these titles, of all titles if none is named: those that it
    has, and those reserved for it. Needs an identity.

    The server knows the unfinished games, so that a bot that was stopped continues them.
    """
    known: set[tuple[str, int]] = set()
    async with aclosing(server.inbox()) as items:
        async for item in items:
            if item.WhichOneof("kind") == "finished" or (titles and item.title not in titles):
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


async def listed(server: Server, titles: Sequence[str], name: str = "") -> Stream[Player]:
    """Joins every public game of these titles with a free seat, as they appear."""
    known: set[str] = set()
    while True:
        for title in titles:
            async with aclosing(_joined(server, title, name, known)) as players:
                async for player in players:
                    yield player
        await asyncio.sleep(LOOK_AGAIN)


async def _joined(server: Server, title: str, name: str, known: set[str]) -> Stream[Player]:
    """Joins the games of the title that can be joined now and are not `known`, to which it adds them."""
    async with aclosing(server.games(title, status="gathering", joinable=True)) as games:
        async for game in games:
            if game.game_id not in known:
                known.add(game.game_id)
                try:
                    yield await server.game(game.game_id).join(name)
                except (AlreadyJoined, NotNow, NotFound):  # another caller was faster
                    continue


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


async def ladder(server: Server, wanted: Wanted, known: bool, tell: Callable[[str], None]) -> Stream[Player]:
    """Yields seats in games with strangers: rated ones if the caller has an identity."""
    ratings: dict[str, int] = {}
    while True:
        for title in wanted.titles:
            if known:
                await _tell_ratings(server, ratings, tell)
            yield await server.match(title, name=wanted.name, rated=known, seats=wanted.seats)


async def _tell_ratings(server: Server, ratings: dict[str, int], tell: Callable[[str], None]) -> None:
    """Tells the ratings that have changed; `ratings` has the number of games of those that were told."""
    for each in (await server.profile()).ratings:
        if ratings.get(each.title) != each.games:
            ratings[each.title] = each.games
            range_of = f"{each.rating} ± {2 * each.deviation}"
            tell(f"{each.title}: rating {range_of} after {each.games} rated games")
