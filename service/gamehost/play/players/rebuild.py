"""Computes all ratings again from the logs of games, to check them or to restore them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

from gamehost.play.errors import Unavailable
from gamehost.play.ports.maps import MapChange, Maps
from gamehost.play.table.table import Status
from gamehost.play.tables.current import TableCache

from .finished_games import FinishedGame
from .histories import Histories
from .profiles import Profiles
from .rating_model import Rating
from .rating_sequence import (
    NEWEST,
    PLAYER_FIELD,
    RECENT,
    VERSION,
    GameToRate,
    RatedGame,
    RatingSequence,
    decode_games,
    decode_rating,
    encode_games,
    encode_rating,
    is_bot_player,
    player_field,
    rate_in_order,
    ratings_map,
)
from .recorder import GameRecorder


@dataclass(frozen=True, slots=True)
class StoredRatings:
    """The ratings of a title as they are stored, and the last game that has changed them."""

    version: bytes | None
    last: tuple[int, str]
    ratings: Mapping[str, Rating]


@dataclass(frozen=True, slots=True)
class Difference:
    """A player whose stored rating is not the one that the logs lead to; None stands for no rating."""

    title: str
    player: str
    stored: Rating | None
    computed: Rating | None


@dataclass(slots=True)
class RebuiltTitle:
    """What the logs say about a title: its rated games, and what differs from the store."""

    stored: StoredRatings
    games: Sequence[RatedGame] = ()
    differences: list[Difference] = field(default_factory=list)


class RatingRebuild:
    """Computes ratings from logs. It may run beside the service.

    Only games up to the last rated one are compared: later ones may still be under way.
    """

    def __init__(
        self,
        store: Maps,
        tables: TableCache,
        profiles: Profiles,
        histories: Histories,
        sequence: RatingSequence,
        recorder: GameRecorder,
    ) -> None:
        self._store, self._tables, self._profiles = store, tables, profiles
        self._histories, self._sequence, self._recorder = histories, sequence, recorder

    async def compute(
        self, titles: Sequence[str], games: AsyncIterator[str], *, lost: bool = False
    ) -> dict[str, RebuiltTitle]:
        """Return what the logs of these games lead to, by title; with `lost`, up to the newest game."""
        # The stored ratings are read first: every game that has changed them has ended by then.
        found = {title: RebuiltTitle(await self._stored(title)) for title in titles}
        finished: dict[str, dict[str, FinishedGame]] = {title: {} for title in titles}
        async for game_id in games:
            game = await self._rated_game(game_id)
            if game and (lost or game.order <= found[game.title].stored.last):
                finished[game.title][game.game_id] = game
        for title, rebuilt in found.items():
            order = sorted(finished[title].values(), key=lambda game: game.order)
            to_rate = [GameToRate(game.game_id, game.end, tuple(game.ranks)) for game in order]
            rebuilt.games = rate_in_order({}, to_rate)
            rebuilt.differences = await self._differences(title, rebuilt)
        return found

    async def restore(self, title: str, rebuilt: RebuiltTitle) -> None:
        """Replace the stored ratings of a title by the computed ones.

        Raises Unavailable if the service has rated a game since they were computed.
        """
        version = int(rebuilt.stored.version or 0) + 1
        ratings = {each.player: each.computed for each in rebuilt.differences if each.computed}
        wrong = [each.player for each in rebuilt.differences if each.computed is None]
        put = {player_field(player): encode_rating(rating) for player, rating in ratings.items()}
        put |= {VERSION: b"%d" % version, NEWEST: encode_games(rebuilt.games[-RECENT:])}
        change = MapChange(
            {VERSION: rebuilt.stored.version},
            put,
            remove=list(map(player_field, wrong)),
            scores=self._sequence.scores(ratings),
            unrank=wrong,
        )
        if not await self._store.change_map(ratings_map(title), change):
            raise Unavailable(f"a game of {title} was rated meanwhile; run the command again")
        for game in rebuilt.games:
            people = [player for player, _ in game.ranks if not is_bot_player(player)]
            handles = await self._profiles.handles(people)
            for player in filter(handles.get, people):
                await self._histories.set_rating(
                    player, game.game_id, version, game.before[player], game.after[player]
                )
        # Of players who have deleted their data since the handles were read.
        await self._recorder.forget_erased(title, {player for game in rebuilt.games for player in game.after})

    async def _stored(self, title: str) -> StoredRatings:
        fields = await self._store.whole_map(ratings_map(title))
        newest = decode_games(fields.get(NEWEST, b"[]"))
        ratings = {
            name.removeprefix(PLAYER_FIELD): decode_rating(value)
            for name, value in fields.items()
            if name.startswith(PLAYER_FIELD)
        }
        return StoredRatings(fields.get(VERSION), newest[-1].order if newest else (0, ""), ratings)

    async def _rated_game(self, game_id: str) -> FinishedGame | None:
        try:
            table = await self._tables.current(game_id)
            if table.status is not Status.FINISHED or not table.created.rated:
                return None
            if table.outcome is None or not table.outcome.ranks:
                return None
            game = await self._recorder.finished_game(table)
            return game if game.rated else None
        finally:
            self._tables.discard(game_id)  # each game is needed once, and all of them fill the memory

    async def _differences(self, title: str, rebuilt: RebuiltTitle) -> list[Difference]:
        computed: dict[str, Rating] = {}
        for game in rebuilt.games:
            computed |= game.after
        handles = await self._profiles.handles([each for each in computed if not is_bot_player(each)])
        # A player who has deleted its data has no rating.
        right = {player: computed[player] for player in computed if is_bot_player(player) or handles[player]}
        stored = rebuilt.stored.ratings
        return [
            Difference(title, player, stored.get(player), right.get(player))
            for player in sorted({*stored, *right})
            if stored.get(player) != right.get(player)
        ]
