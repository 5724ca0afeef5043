"""Games in which a bot has to move, and where each of them waits for its turn."""

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
    """Whether bots play every seat of a game now, so that nobody waits for their answers."""
    return table.status is Status.PLAYING and all(chair.bot_level for chair in table.chairs)


class BotSchedule(Schedule):
    """An agenda whose games wait in lanes: by queue, people first, and by payer."""

    def __init__(
        self,
        store: ScheduleStore,
        clock: Callable[[], int],
        payers: Payers,
        roster: BotCatalog,
        price: ThinkingPrice,
    ) -> None:
        super().__init__(store, BOTS, clock)
        self._payers, self._roster, self.price = payers, roster, price

    async def lane(self, table: Table) -> BotQueueKey:
        """Where the game waits for the next answer of a bot; a game that is only looked at waits not long."""
        asked = table.bots_to_move
        level = table.chairs[asked[0].seat].bot_level if asked else ""
        queue = QUICK if not asked or self._quick(table.rules.title, level) else LONG
        return BotQueueKey(queue, only_bots_play(table), await self._payers.of(table.game_id), level)

    async def plan(self, table: Table, at: int) -> None:
        """Somebody has to let a bot move at that moment."""
        await self._store.schedule(self.name, table.game_id, at, await self.lane(table))
        self._foresee(at)

    async def take(self, *, room: Mapping[str, int], lease: int) -> TakenGames:
        self._soonest = None
        return await self._store.take(self.name, self._clock(), room=room, lease=lease, price=self.price)

    async def renew(self, due: DueGame, until: int) -> bool:
        return await self._store.renew(self.name, due, until)

    async def finish(self, due: DueGame, at: int | None, lane: BotQueueKey, spent: int) -> bool:
        """Settle what was taken; `spent` is how long was thought, in microseconds."""
        charge = self.price.still_owed(due.lane, spent)
        return await self._store.settle(self.name, due, at, lane, charge)

    def _quick(self, title: str, level: str) -> bool:
        return any(known.quick for known in self._roster.levels(title) if known.name == level)
