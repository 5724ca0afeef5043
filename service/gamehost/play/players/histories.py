"""Histories: the finished games of each player, the newest first, and the statistics made of them.

Each player has a map. Its ranking has the games by the time of their ends; its fields have the game, its
rating change, and the counts of the statistics, which change in one step with the game that they count.
A second map ranks the public games alone, so that a page for others says nothing of games that are not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import Enum

from gamehost.play.errors import Unavailable
from gamehost.play.ports.maps import MapChange, Maps

from .finished_games import FinishedGame, decode_game, encode_game
from .rating_model import Rating
from .rating_sequence import decode_rating, encode_rating

ATTEMPTS_TO_RECORD = 32
ERASED_AT_ONCE = 500  # games of a history that are removed in one step


class SeatResult(Enum):
    """The result of a game for one seat."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class ResultCount:
    """Numbers of games by their result."""

    games: int = 0
    won: int = 0
    drawn: int = 0

    def plus(self, result: SeatResult) -> ResultCount:
        """Return the counts with one more game."""
        won, drawn = result is SeatResult.WON, result is SeatResult.DRAWN
        return ResultCount(self.games + 1, self.won + won, self.drawn + drawn)


@dataclass(frozen=True, slots=True)
class TitleCounts:
    """The counts of one title: of all games, by seat, and the sum of their lengths."""

    total: ResultCount = ResultCount()
    seats: Mapping[int, ResultCount] = field(default_factory=dict)
    length: int = 0

    def plus(self, game: FinishedGame, seat: int) -> TitleCounts:
        """Return the counts with one more game."""
        result = result_of(game, seat)
        by_seat = {**self.seats, seat: self.seats.get(seat, ResultCount()).plus(result)}
        return TitleCounts(self.total.plus(result), by_seat, self.length + game.length)


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A game of a player's history, with its rating before and after if it is rated."""

    game: FinishedGame
    seat: int
    before: Rating | None = None
    after: Rating | None = None


def result_of(game: FinishedGame, seat: int) -> SeatResult:
    """Return the result of a seat."""
    ranks = [each.rank for each in game.seats]
    if ranks[seat] != 1:
        return SeatResult.LOST
    return SeatResult.WON if ranks.count(1) == 1 else SeatResult.DRAWN


class Histories:
    """Records finished games, and reads histories."""

    def __init__(self, store: Maps) -> None:
        self._store = store

    async def add(self, game: FinishedGame, player: str) -> None:
        """Record a game for one of its players, once. A player with several seats is counted on the first."""
        seat, name = game.seats_of(player)[0], history_map(player)
        if game.public:  # first: a process that dies in between leaves a place without a game, see `page`
            await self._store.change_map(public_map(player), MapChange(scores={game.game_id: game.end}))
        counted = [f"all:{game.title}", *([f"public:{game.title}"] if game.public else [])]
        for _ in range(ATTEMPTS_TO_RECORD):
            known, *counts = await self._store.map_fields(name, [game_field(game.game_id), *counted])
            if known is not None:
                return
            put = {game_field(game.game_id): encode_game(game)}
            for each, value in zip(counted, counts, strict=True):
                put[each] = encode_counts(decode_counts(value).plus(game, seat))
            expect = {game_field(game.game_id): None, **dict(zip(counted, counts, strict=True))}
            if await self._store.change_map(name, MapChange(expect, put, scores={game.game_id: game.end})):
                return
        raise Unavailable("too many games of one player have ended", retry_after=0.1)

    async def set_rating(
        self, player: str, game_id: str, version: int, before: Rating, after: Rating
    ) -> None:
        """Record the rating change of a game, unless a later version of it is recorded."""
        name, each = history_map(player), rating_field(game_id)
        value = b"%d %b %b" % (version, encode_rating(before), encode_rating(after))
        for _ in range(ATTEMPTS_TO_RECORD):
            [known] = await self._store.map_fields(name, [each])
            if known is not None and int(known.partition(b" ")[0]) >= version:
                return
            if await self._store.change_map(name, MapChange({each: known}, {each: value})):
                return
        raise Unavailable("too many changes of one rating", retry_after=0.1)

    async def is_rated(self, player: str, game_id: str) -> bool:
        """Whether the rating change of a game is recorded."""
        [known] = await self._store.map_fields(history_map(player), [rating_field(game_id)])
        return known is not None

    async def page(
        self, player: str, *, after: str, limit: int, everything: bool
    ) -> tuple[list[HistoryEntry], str]:
        """Return games that ended before the game `after`, and the game to go on after, "" for none.

        Of public games only, unless `everything`.
        """
        ranking = history_map(player) if everything else public_map(player)
        place = await self._store.place_of(ranking, after) if after else None
        found = await self._store.ranked(ranking, start=0 if place is None else place + 1, limit=limit)
        games = [each.member for each in found]
        fields = [*map(game_field, games), *map(rating_field, games)]
        values = await self._store.map_fields(history_map(player), fields)
        pairs = zip(values[: len(games)], values[len(games) :], strict=True)
        entries = [_entry(player, game, rating) for game, rating in pairs if game is not None]
        return entries, games[-1] if len(games) == limit else ""

    async def counts(self, player: str, titles: Sequence[str], *, everything: bool) -> dict[str, TitleCounts]:
        """Return the counts of the titles that the player has played.

        Of public games only, unless `everything`.
        """
        prefix = "all" if everything else "public"
        values = await self._store.map_fields(history_map(player), [f"{prefix}:{each}" for each in titles])
        return {
            title: decode_counts(value)
            for title, value in zip(titles, values, strict=True)
            if value is not None
        }

    async def erase(self, player: str) -> None:
        """Remove everything that is recorded of a player."""
        for name in (public_map(player), history_map(player)):
            while found := await self._store.ranked(name, start=0, limit=ERASED_AT_ONCE):
                games = [each.member for each in found]
                fields = [*map(game_field, games), *map(rating_field, games)]
                await self._store.change_map(name, MapChange(remove=fields, unrank=games))
            if left := list(await self._store.whole_map(name)):
                await self._store.change_map(name, MapChange(remove=left))


def _entry(player: str, game: bytes, rating: bytes | None) -> HistoryEntry:
    found = decode_game(game)
    entry = HistoryEntry(found, found.seats_of(player)[0])
    if rating is None:
        return entry
    _, before, after = split_ratings(rating)
    return replace(entry, before=before, after=after)


def split_ratings(value: bytes) -> tuple[int, Rating, Rating]:
    """Return the version, and the ratings before and after, of a rating field."""
    version, _, rest = value.partition(b" ")
    before, _, after = rest.partition(b"] [")
    return int(version), decode_rating(before + b"]"), decode_rating(b"[" + after)


def history_map(player: str) -> str:
    """Return the name of the map with a player's history."""
    return f"history:{player}"


def public_map(player: str) -> str:
    """Return the name of the map that ranks the public games of a player's history."""
    return f"public-history:{player}"


def game_field(game_id: str) -> str:
    """Return the field of a game."""
    return f"game:{game_id}"


def rating_field(game_id: str) -> str:
    """Return the field of the rating change of a game."""
    return f"rating:{game_id}"


def encode_counts(counts: TitleCounts) -> bytes:
    """Return counts as JSON."""
    return json.dumps(asdict(counts)).encode()


def decode_counts(value: bytes | None) -> TitleCounts:
    """Return the counts that `encode_counts` was given; empty ones for None."""
    if value is None:
        return TitleCounts()
    counts = json.loads(value)
    seats = {int(seat): ResultCount(**each) for seat, each in counts["seats"].items()}
    return TitleCounts(ResultCount(**counts["total"]), seats, counts["length"])
