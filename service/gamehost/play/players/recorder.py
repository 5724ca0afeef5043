"""Records games that have ended: in the histories of their players, and in their ratings.

A writer schedules a game before it appends the event that ends it, so no end is missed. A worker checks it
some seconds later. Every step can be repeated: a process that dies at any point leaves the game scheduled,
and the next one that checks it does what is missing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from gamehost.play.errors import NotFound, PlayError, Unavailable
from gamehost.play.inbox.items import is_caller
from gamehost.play.ports.caller_news import CallerNews
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.table.clocks import SECOND
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache

from .end_order import EndOrder, PendingGame
from .finished_games import FinishedGame, can_be_rated, finished_game, undid_revealed
from .histories import Histories
from .profiles import Profiles, caller_digest
from .rating_sequence import GameToRate, RatedGame, RatingSequence, is_bot_player

# After the end of a game, until it is recorded: games that end at almost the same time are then rated in the
# order of their ends at once, and not rated again. In microseconds.
SETTLE = 2 * SECOND
# A game that was scheduled and has not ended: the append that ends it has failed, or is still under way.
RECHECK_AFTER, FORGET_AFTER = 15 * SECOND, 300 * SECOND
RECORD_AGAIN_AFTER = SECOND
WAIT_FOR_EARLIER = SECOND // 5  # until a game is checked again that ended after one that is not rated


class GameRecorder:
    """Records finished games. `clock` is that of the schedule, in microseconds."""

    def __init__(
        self,
        tables: TableCache,
        profiles: Profiles,
        histories: Histories,
        sequence: RatingSequence,
        ends: EndOrder,
        metrics: BackgroundMetrics,
        clock: Callable[[], int],
        news: CallerNews,
    ) -> None:
        self._tables, self._profiles, self._histories = tables, profiles, histories
        self._sequence, self._metrics, self._clock = sequence, metrics, clock
        self._ends, self._news = ends, news
        # One at a time, in the order in which they are due: so games are rated in the order of their ends.
        self._lock = asyncio.Lock()
        self._unfinished: dict[str, int] = {}

    async def check(self, game_id: str) -> int | None:
        """Record a game if it is over. Returns when to check it again, None for never."""
        async with self._lock:
            try:
                table = await self._tables.current(game_id)
            except NotFound:
                return self._later(game_id)
            if table.status is not Status.FINISHED:
                return self._later(game_id)
            self._unfinished.pop(game_id, None)
            return await self._recorded(table)

    async def _recorded(self, table: Table) -> int | None:
        """Record a game that is over. Returns when to try again, None if it is done."""
        try:
            if table.created.rated and not await self._record_earlier(table):
                return self._clock() + WAIT_FOR_EARLIER
            await self._record_and_remove(table)
        except StoreUnavailable:
            raise
        except Unavailable:  # too many processes change the same thing
            return self._clock() + RECORD_AGAIN_AFTER
        return None

    async def _record_earlier(self, table: Table) -> bool:
        """Record the games that ended before this one, whoever has leased them; False if one is not over."""
        game = PendingGame(table.game_id, await self._tables.last_change_at(table))
        while first := await self._ends.awaited(table.rules.title, game):
            if not await self._record_first(table.rules.title, first):
                return False
        return True

    async def _record_first(self, title: str, first: PendingGame) -> bool:
        """Record a game for which others wait; False if it is not over, or cannot be read."""
        try:
            table = await self._tables.current(first.game_id)
        except NotFound:
            table = None
        except StoreUnavailable:
            raise
        except PlayError:
            return False
        if table is not None and table.status is Status.FINISHED:
            await self._record_and_remove(table)
            return True
        if self._ends.has_failed(first):
            await self._ends.remove(title, first.game_id)
            return True
        return False

    async def _record_and_remove(self, table: Table) -> None:
        if table.outcome is not None and table.outcome.ranks:
            await self._record(table)
        if table.created.rated:
            await self._ends.remove(table.rules.title, table.game_id)

    def _later(self, game_id: str) -> int | None:
        since = self._unfinished.setdefault(game_id, self._clock())
        if self._clock() - since < FORGET_AFTER:
            return self._clock() + RECHECK_AFTER
        del self._unfinished[game_id]
        return None

    async def _record(self, table: Table) -> None:
        game = await self.finished_game(table)
        players = sorted({seat.player for seat in game.seats} - {""})
        handles = await self._profiles.handles(players)
        for player in players:
            if handles[player]:  # else the player has deleted its data since
                await self._histories.add(game, player)
        if game.rated:
            await self._rate(game, table)
        await self.forget_erased(game.title, players)

    async def forget_erased(self, title: str, players: Collection[str]) -> None:
        """Remove what was just written of players who have deleted their data, before or meanwhile.

        Whoever deletes its data removes what was written before that, so nothing stays.
        """
        people = [player for player in players if not is_bot_player(player)]
        for player, handle in (await self._profiles.handles(people)).items():
            if not handle:
                await self._sequence.forget_player(title, player)
                await self._histories.erase(player)

    async def finished_game(self, table: Table) -> FinishedGame:
        """Return the record of a game that is over."""
        end = await self._tables.last_change_at(table)
        rated = can_be_rated(table) and not await self._undid_revealed(table)
        return finished_game(table, end, await self._players(table, end), rated=rated)

    async def _players(self, table: Table, end: int) -> list[str]:
        """Return the player key of each seat; whoever is new becomes a player."""
        return [await self._player(chair.caller_id, end) for chair in table.chairs]

    async def _player(self, caller_id: str, end: int) -> str:
        if not is_caller(caller_id):
            return ""
        profile = await self._profiles.read(caller_digest(caller_id))
        if not profile.handle and profile.key_at(end) == profile.key:
            profile = await self._profiles.of_caller(caller_id)
        return profile.key_at(end)

    async def _undid_revealed(self, table: Table) -> bool:
        if not table.undo_window.undos:  # as in most games, which need not be read again then
            return False
        records = await self._tables.read(table.game_id, after=0, upto=table.version)
        return undid_revealed(records, table.rules.final)

    async def _rate(self, game: FinishedGame, table: Table) -> None:
        # The newest rated games of a title are in its sequence; of older ones, the histories know.
        untold = await self._sequence.is_untold(game.title, game.game_id)
        if not untold and await self._is_told(game):
            return
        changes = await self._sequence.rate(game.title, GameToRate(game.game_id, game.end, tuple(game.ranks)))
        if changes.games:
            await self._tell_callers(table, changes.games[0])
        for changed in changes.games:
            await self._add_to_histories(changed, changes.version)
        if changes.games:
            self._metrics.count_rated_game(game.title, again=len(changes.games) - 1)
        if changes.late:
            self._metrics.count_late_game(game.title)
        await self.forget_erased(game.title, {player for each in changes.games for player, _ in each.ranks})
        await self._sequence.forget_told(game.title, game.game_id)

    async def _is_told(self, game: FinishedGame) -> bool:
        """Whether a history has the rating change; that of a player who has deleted its data has nothing."""
        people = [seat.player for seat in game.seats if seat.player]
        return any([await self._histories.is_rated(player, game.game_id) for player in people])

    async def _tell_callers(self, table: Table, game: RatedGame) -> None:
        """Tell the players of a game about their ratings; not again if it is rated again later."""
        for seat, (player, _) in enumerate(game.ranks):
            if not is_bot_player(player):
                await self._news.rating_changed(
                    table.chairs[seat].caller_id,
                    game_id=game.game_id,
                    title=table.rules.title,
                    seat=seat,
                    before=game.before[player].points,
                    after=game.after[player].points,
                )

    async def _add_to_histories(self, game: RatedGame, version: int) -> None:
        for player in [player for player, _ in game.ranks if not is_bot_player(player)]:
            await self._histories.set_rating(
                player, game.game_id, version, game.before[player], game.after[player]
            )
