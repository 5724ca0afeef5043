"""The order in which rated games change the ratings of a title, and the ratings themselves.

All of a title's ratings are in one map of the store, with the newest rated games. A game is rated by one
compare-and-set of this map, so that any number of processes can do it, each game once:

- The field `version` is raised by every change; a process that read an older version reads again.
- Ratings depend on the order of games, which is that of their ends, see `end_order`. A game that comes late
  all the same, after others that ended later, is rated where it belongs: the games after it are rated again,
  from the ratings before them. The newest RECENT games are kept for that.
- What a change means for each player is put into the same map (`told:<game>`) and removed once the histories
  have it. A process that dies in between leaves it there, and the next one that checks the game goes on.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gamehost.play.errors import Unavailable
from gamehost.play.ports.maps import MapChange, Maps

from .finished_games import BOT_PLAYER
from .rating_model import Rating, rated

RECENT = 100  # games of a title that can be rated again when one comes late
ATTEMPTS_TO_RATE = 64
RATING_PAUSE = 0.005  # seconds
VERSION, NEWEST, PLAYER_FIELD = "version", "newest", "player:"


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A rated game, with its players' ranks by seat and their ratings before and after."""

    game_id: str
    end: int
    ranks: tuple[tuple[str, int], ...]
    before: Mapping[str, Rating]
    after: Mapping[str, Rating]

    @property
    def order(self) -> tuple[int, str]:
        """See `FinishedGame.order`."""
        return self.end, self.game_id


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """The games whose rating changes must be told: the new one, and those that were rated again after it.

    `version` is greater for later changes: what it says replaces what an earlier one said. `late` says that
    games that ended later are not rated again, because they are not kept any more.
    """

    version: int
    games: Sequence[RatedGame]
    late: bool = False


@dataclass(frozen=True, slots=True)
class GameToRate:
    """What rating a game needs of it."""

    game_id: str
    end: int
    ranks: tuple[tuple[str, int], ...]

    @property
    def order(self) -> tuple[int, str]:
        """See `FinishedGame.order`."""
        return self.end, self.game_id


def rate_in_order(ratings: Mapping[str, Rating], games: Iterable[GameToRate | RatedGame]) -> list[RatedGame]:
    """Return the games as rated one after the other, beginning with these ratings."""
    now, found = dict(ratings), list[RatedGame]()
    for game in games:
        before = {player: now.get(player, Rating()) for player, _ in game.ranks}
        after = rated(before, game.ranks)
        now |= after
        found.append(RatedGame(game.game_id, game.end, game.ranks, before, after))
    return found


class RatingSequence:
    """Rates games, and reads ratings. Players with `min_games` rated games are on the leaderboard."""

    def __init__(self, store: Maps, min_games: int) -> None:
        self._store, self.min_games = store, min_games

    async def rate(self, title: str, game: GameToRate) -> RatingChanges:
        """Rate a game unless it is rated already; return the changes that have to be told, if any."""
        for attempt in range(ATTEMPTS_TO_RATE):
            # Jittered and longer each time: of two processes the slower one would lose again and again.
            await asyncio.sleep(random.uniform(0, RATING_PAUSE * attempt))
            told = f"told:{game.game_id}"
            version, newest, untold = await self._store.map_fields(
                ratings_map(title), [VERSION, NEWEST, told]
            )
            if untold is not None:
                return decode_changes(untold)
            recent = decode_games(newest or b"[]")
            if any(each.game_id == game.game_id for each in recent):
                return RatingChanges(int(version or 0), [])
            late = len(recent) >= RECENT and game.order < recent[0].order
            again = await self._rated_again(title, game, recent)
            changes = RatingChanges(int(version or 0) + 1, again, late)
            if await self._write(title, version, recent, changes):
                return changes
        raise Unavailable("too many games of this title are being rated", retry_after=0.1)

    async def is_untold(self, title: str, game_id: str) -> bool:
        """Whether a game has been rated, and the changes have not been told completely."""
        [untold] = await self._store.map_fields(ratings_map(title), [f"told:{game_id}"])
        return untold is not None

    async def _rated_again(
        self, title: str, game: GameToRate, recent: Sequence[RatedGame]
    ) -> list[RatedGame]:
        """Return the game and all that ended after it, rated anew."""
        later = [each for each in recent if each.order > game.order]
        ratings: dict[str, Rating] = {}
        for each in later:
            for player, rating in each.before.items():
                ratings.setdefault(player, rating)
        missing = [player for player, _ in game.ranks if player not in ratings]
        for each in recent:  # a player who has deleted its data since has no other rating
            if each.order < game.order:
                ratings |= {player: each.after[player] for player in missing if player in each.after}
        ratings |= await self.ratings(title, missing)
        return rate_in_order(ratings, [game, *later])

    async def _write(
        self, title: str, version: bytes | None, recent: Sequence[RatedGame], changes: RatingChanges
    ) -> bool:
        game_id = changes.games[0].game_id
        again = {each.game_id for each in changes.games}
        kept = [each for each in recent if each.game_id not in again]
        newest = sorted([*kept, *changes.games], key=lambda each: each.order)[-RECENT:]
        ratings = {player: rating for each in changes.games for player, rating in each.after.items()}
        put = {player_field(player): encode_rating(rating) for player, rating in ratings.items()}
        put |= {
            VERSION: b"%d" % changes.version,
            NEWEST: encode_games(newest),
            f"told:{game_id}": encode_changes(changes),
        }
        change = MapChange({VERSION: version, f"told:{game_id}": None}, put, scores=self.scores(ratings))
        return await self._store.change_map(ratings_map(title), change)

    def scores(self, ratings: Mapping[str, Rating]) -> dict[str, int]:
        """Return the leaderboard scores of those players who have enough games."""
        return {
            player: rating.leaderboard_score
            for player, rating in ratings.items()
            if rating.games >= self.min_games
        }

    async def forget_told(self, title: str, game_id: str) -> None:
        """Remove the changes of a game, once the histories of its players have them."""
        await self._store.change_map(ratings_map(title), MapChange(remove=[f"told:{game_id}"]))

    async def ratings(self, title: str, players: Sequence[str]) -> dict[str, Rating]:
        """Return the ratings of players who have any."""
        values = await self._store.map_fields(ratings_map(title), [player_field(each) for each in players])
        return {
            player: decode_rating(value)
            for player, value in zip(players, values, strict=True)
            if value is not None
        }

    async def forget_player(self, title: str, player: str) -> None:
        """Remove a player who has deleted its data."""
        change = MapChange(remove=[player_field(player)], unrank=[player])
        await self._store.change_map(ratings_map(title), change)


def ratings_map(title: str) -> str:
    """Return the name of the map with the ratings of a title."""
    return f"ratings:{title}"


def player_field(player: str) -> str:
    """Return the field of a player's rating."""
    return f"{PLAYER_FIELD}{player}"


def is_bot_player(player: str) -> bool:
    """Whether a rated player is a hosted bot."""
    return player.startswith(BOT_PLAYER)


def encode_rating(rating: Rating) -> bytes:
    """Return a rating as JSON, whose numbers are exact."""
    return json.dumps([rating.mean, rating.deviation, rating.games]).encode()


def decode_rating(value: bytes) -> Rating:
    """Return the rating that `encode_rating` was given."""
    return Rating(*json.loads(value))


def encode_games(games: Sequence[RatedGame]) -> bytes:
    """Return rated games as JSON, in lists without names: they are written with every rated game."""
    rows = [[game.game_id, game.end, game.ranks, _values(game.before), _values(game.after)] for game in games]
    return json.dumps(rows, separators=(",", ":")).encode()


def _values(ratings: Mapping[str, Rating]) -> dict[str, list[float]]:
    return {player: [each.mean, each.deviation, each.games] for player, each in ratings.items()}


def decode_games(value: bytes) -> list[RatedGame]:
    """Return the games that `encode_games` was given."""
    return [
        RatedGame(
            game_id,
            end,
            tuple((player, rank) for player, rank in ranks),
            {player: Rating(*values) for player, values in before.items()},
            {player: Rating(*values) for player, values in after.items()},
        )
        for game_id, end, ranks, before, after in json.loads(value)
    ]


def encode_changes(changes: RatingChanges) -> bytes:
    """Return changes as bytes."""
    return b"%d %b" % (changes.version, encode_games(changes.games))


def decode_changes(value: bytes) -> RatingChanges:
    """Return the changes that `encode_changes` was given."""
    version, _, games = value.partition(b" ")
    return RatingChanges(int(version), decode_games(games))
