"""The schedule of games in which a bot has to move, and the queues in which they wait for computing time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gamehost.play.ports.bots import BotCatalog
from gamehost.play.ports.schedule import (
    LONG,
    QUICK,
    BotQueueKey,
    DueGame,
    ScheduleStore,
    TakenGames,
    ThinkingPrice,
)
from gamehost.play.table.table import Status, Table
from gamehost.play.use_cases.payers import Payers

from .schedule import BOTS, Schedule


def only_bots_play(table: Table) -> bool:
    """Whether bots play every seat of a game now, so that no person waits for their moves."""
    return table.status is Status.PLAYING and all(chair.bot_level for chair in table.chairs)


class BotSchedule(Schedule):
    """A schedule whose due games wait in bot queues, one per speed, priority and payer.

    Computing time is shared by payer, not by game: a caller with a hundred games gets the same share as a
    caller with one. Games with people come before games that only bots play, and levels that answer at once
    have a queue of their own, so that they do not wait for those that think for seconds.
    """

    def __init__(
        self,
        store: ScheduleStore,
        clock: Callable[[], int],
        payers: Payers,
        catalog: BotCatalog,
        price: ThinkingPrice,
    ) -> None:
        super().__init__(store, BOTS, clock)
        self._payers, self._catalog, self.price = payers, catalog, price

    async def queue_key(self, table: Table) -> BotQueueKey:
        """Return the queue key for the next bot move. A game without one is checked quickly, hence QUICK."""
        decisions = table.bots_to_move
        level = table.chairs[decisions[0].seat].bot_level if decisions else ""
        queue = QUICK if not decisions or self._is_quick(table.rules.title, level) else LONG
        return BotQueueKey(queue, only_bots_play(table), await self._payers.of(table.game_id), level)

    async def plan(self, table: Table, at: int) -> None:
        """Have a bot move in a game at a time, in microseconds since 1970."""
        await self._store.schedule(self.name, table.game_id, at, await self.queue_key(table))
        self._expect(at)

    async def take(self, *, room: Mapping[str, int], lease: int) -> TakenGames:
        """Lease due games, at most `room` per queue. The store picks them by the payers' used time."""
        self._soonest = None  # before the call, as in `due`
        return await self._store.take(self.name, self._clock(), room=room, lease=lease, price=self.price)

    async def renew(self, due: DueGame, until: int) -> bool:
        """Extend a lease; False if another process holds it or it has ended."""
        return await self._store.renew(self.name, due, until)

    async def finish(self, due: DueGame, at: int | None, queue_key: BotQueueKey, spent: int) -> bool:
        """End a lease, set the next check and charge the payer.

        An estimate was charged when the game was taken, so that a payer cannot occupy all slots before its
        first bill. Now the difference to `spent` microseconds follows, which can be negative.
        """
        # Charged to the queue that the game was taken from: the estimate was charged there, too.
        charge = self.price.still_owed(due.queue_key, spent)
        return await self._store.settle(self.name, due, at, queue_key, charge)

    def _is_quick(self, title: str, level: str) -> bool:
        return any(known.quick for known in self._catalog.levels(title) if known.name == level)
