"""The one way anything is written: plan on a table, append, and plan again if somebody was faster."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from gamehost.rules.copying import replace
from gamehost.rules.copying import replace as changed
from gamehost.rules.kit import Seat

from .access import Principal, check_replay
from .background.bot_schedule import BotSchedule, only_bots_play
from .background.schedule import Schedule
from .errors import PlayError, ReusedRequestId, Unavailable, VersionInFuture
from .inbox.index import InboxIndex
from .inbox.items import callers_at
from .ports.codec import Codec
from .ports.event_log import (
    Appended,
    RequestKey,
    RequestReused,
    StaleVersion,
    StoreUnavailable,
)
from .ports.event_store import InboxStore
from .ports.listings import Listing
from .ports.metrics import PlayMetrics
from .table.clocks import ClockUpdate, clocks_after, initial_clocks, next_deadline
from .table.events import Visibility
from .table.table import EventRecord, Status, Table, open_table
from .tables.current import TableCache, snapshot_due
from .use_cases.open_game_limit import BotOnlyGames
from .use_cases.payers import Payers

ATTEMPTS = 32
BOT_FALLBACK_DELAY = 2_000_000  # microseconds after which a bot's move is made although its process is gone


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to happen, whose call causes it, and the title's state it leads to, where that is known.

    `moves` when it answers a decision. `undone` counts the answers of each seat that somebody takes back past
    the moves of others without asking them; None for anything else.
    """

    events: Sequence[Any]
    seat: Seat | None = None
    state: Any = None
    moves: bool = False
    undone: Mapping[Seat, int] | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What happened, and the table it led to."""

    records: Sequence[EventRecord]
    table: Table


Planner = Callable[[Table], Awaitable[Plan]]


@dataclass(frozen=True, slots=True)
class Schedules:
    """What has to happen later: time is up, a bot moves, `think` microseconds after the question, or a game
    that is over is put away."""

    clocks: Schedule
    bots: BotSchedule
    archive: Schedule
    think: int


class GameWriter:
    """Writes to logs. `clock` gives microseconds since 1970."""

    def __init__(
        self,
        store: InboxStore,
        codec: Codec,
        tables: TableCache,
        clock: Callable[[], int],
        agendas: Schedules,
        payers: Payers,
        bot_only: BotOnlyGames,
        meter: PlayMetrics,
    ) -> None:
        self._store, self._codec, self._tables, self._clock = store, codec, tables, clock
        self._schedules, self._payers, self._bot_only, self._metrics = agendas, payers, bot_only, meter
        self._inbox_index = InboxIndex(store)
        self._background_writes: set[asyncio.Task[None]] = set()

    async def create(
        self,
        game_id: str,
        rules: Any,
        created: Any,
        seed: bytes,
        request: RequestKey | None,
        then: Sequence[Any] = (),
        payer: str = "",
    ) -> Table:
        """Write the first event of a game, and what else happens with it. `payer` is whose game it is."""
        at = self._clock()
        self._payers.remember(game_id, payer)
        first = EventRecord(1, at, None, bool(then), created, initial_clocks(created))
        table = open_table(game_id, rules, first)
        records, after = await self._records_of(table, Plan(then), at) if then else ([], table)
        await asyncio.gather(
            self._payers.save(game_id),
            self._add_to_public_lists(after, new=True),
            self._schedule_before_append(None, after, at),
            self._inbox_index.add_to_lists(after, [first, *records]),
        )
        try:
            appended = await self._append(0, [first, *records], after, request, seed)
        except StaleVersion as stale:
            raise Unavailable("the game's id is taken; try again") from stale
        if appended.repeated:
            return (await self._repeated_answer(game_id, appended)).table
        self._schedule_after_append(None, after)
        self._notify_inboxes(None, after)
        return after

    async def created_by(self, game_id: str, request: RequestKey) -> Table | None:
        """The game that this request opened, if it did."""
        done = await self._recorded_answer(game_id, request)
        return (await self._repeated_answer(game_id, done)).table if done else None

    async def change(
        self, game_id: str, planner: Planner, request: RequestKey | None = None, who: Principal = None
    ) -> Change:
        """Do what the planner says about the newest table, exactly once.

        A repeated request is answered as the first time, unless the seat key of `who` has ended since.
        """
        table = await self._tables.cached(game_id)
        for _ in range(ATTEMPTS):
            try:
                plan = await planner(table)
            except PlayError:
                if request and (done := await self._recorded_answer(game_id, request)):
                    return await self._repeated_answer(game_id, done, who)
                newer = await self._tables.current(game_id)
                if newer.version == table.version:
                    raise
                table = newer
                continue
            try:
                return await self._commit(table, plan, request, who)
            except StaleVersion:
                table = await self._tables.current(game_id)
        raise Unavailable("too many others are writing to this game", retry_after=0.1)

    async def _commit(self, table: Table, plan: Plan, request: RequestKey | None, who: Principal) -> Change:
        at = self._clock()
        records, after = await self._records_of(table, plan, at)
        if after.status is not table.status:
            await self._add_to_public_lists(after)
        if after.status is Status.FINISHED:
            await self._schedules.archive.schedule(after.game_id, at)
        pressing = needs_background_work(after)
        if pressing:
            await self._schedule_before_append(table, after, at)
        await self._inbox_index.add_to_lists(after, records)
        appended = await self._append(table.version, records, after, request)
        if appended.repeated:
            return await self._repeated_answer(table.game_id, appended, who)
        if plan.moves:
            self._metrics.count_move(after.rules.title)
        if pressing:
            self._schedule_after_append(table, after)
        if after.status is not table.status:
            self._in_background(self._store.remove_from_list(public_list(table.status), table.game_id))
        if after.status is Status.FINISHED:
            self._in_background(self._payers.remove(after.game_id))
        elif only_bots_play(after) and not only_bots_play(table):
            self._in_background(self._bot_only.add(await self._payers.of(after.game_id), after.game_id))
        self._notify_inboxes(table, after)
        if snapshot_due(table.version, after.version):
            self._in_background(self._tables.store_snapshot(after))
        return Change(records, after)

    async def _records_of(self, table: Table, plan: Plan, at: int) -> tuple[list[EventRecord], Table]:
        """What is to be appended, each record with the clocks after all of it, and the table it leads to."""
        version, last = table.version + 1, len(plan.events) - 1
        records = [
            EventRecord(version + i, at, plan.seat, i < last, event) for i, event in enumerate(plan.events)
        ]
        after = await self._tables.apply(table, records, plan.state)
        if not table.clocks:
            return records, after
        clocks = clocks_after(ClockUpdate(table, after, plan.events, plan.seat, at, plan.undone))
        return [replace(record, clocks=clocks) for record in records], changed(after, clocks=clocks)

    async def _schedule_before_append(self, before: Table | None, after: Table, at: int) -> None:
        """Write down first what has to happen later: a look in vain does no harm, one too few would."""
        if (until := deadline_to_schedule(before, after)) is not None:
            await self._schedules.clocks.schedule(after.game_id, until)
        if asks_bots_anew(before, after):
            await self._schedules.bots.plan(after, at + self._schedules.think + BOT_FALLBACK_DELAY)

    def _schedule_after_append(self, before: Table | None, after: Table) -> None:
        """What was foreseen may have come up before it was written, and was then looked at in vain."""
        until = deadline_to_schedule(before, after)
        if until is not None and until <= self._clock():
            self._in_background(self._schedules.clocks.schedule(after.game_id, until))
        if asks_bots_anew(before, after):
            self._in_background(self._schedules.bots.plan(after, self._clock() + self._schedules.think))

    async def _append(
        self,
        expected: int,
        records: Sequence[EventRecord],
        after: Table,
        request: RequestKey | None,
        seed: bytes | None = None,
    ) -> Appended:
        payloads = [self._codec.encode_record(after.rules.title, record) for record in records]
        kept = {"summary": self._codec.encode_table(after, with_state=False), "seed": seed}
        tail = self._tables.last_payload(after.game_id, expected)
        began = perf_counter()
        try:
            appended = await self._store.append(
                after.game_id, payloads, expected=expected, after=tail, request=request, **kept
            )
        except RequestReused as error:
            raise _reused() from error
        except StoreUnavailable:
            self._metrics.count_failed_append()
            raise
        self._metrics.observe_append(perf_counter() - began)
        if not appended.repeated:
            self._tables.put(after, payloads[-1])
        return appended

    async def _recorded_answer(self, game_id: str, request: RequestKey) -> Appended | None:
        try:
            return await self._store.find_request(game_id, request)
        except RequestReused as error:
            raise _reused() from error

    async def _repeated_answer(self, game_id: str, appended: Appended, who: Principal = None) -> Change:
        """The answer that this request got the first time."""
        try:
            table = await self._tables.at_version(game_id, appended.last)
        except VersionInFuture as behind:  # in a failover, the server that is read is still another one
            raise Unavailable("the store is changing servers; try again", retry_after=0.1) from behind
        records = await self._tables.read(game_id, after=appended.first - 1, upto=appended.last)
        # The planner may have looked at a table of this process that is older than the end of the key.
        check_replay(await self._tables.current(game_id), who, [record.event for record in records])
        return Change(records, table)

    async def _add_to_public_lists(self, table: Table, *, new: bool = False) -> None:
        """List first, write then: a game may be listed in vain, and is passed over, but never missed."""
        if table.created.visibility is not Visibility.PUBLIC:
            return
        listing = Listing(table.game_id, table.created_at)
        await self._store.add_to_list(public_list(table.status), listing)
        if new:
            await self._store.add_to_list(public_list(None), listing)

    def _notify_inboxes(self, before: Table | None, after: Table) -> None:
        if callers_at(after):
            self._in_background(self._inbox_index.post_marks(before, after))

    async def wait_for_background_writes(self) -> None:
        """Wait until all background writes (boards, snapshots, lists) have ended."""
        while self._background_writes:
            await asyncio.gather(*self._background_writes, return_exceptions=True)

    def _in_background(self, chore: Awaitable[None]) -> None:
        task = asyncio.ensure_future(_unhurried(chore))
        self._background_writes.add(task)
        task.add_done_callback(self._background_writes.discard)


def deadline_to_schedule(before: Table | None, after: Table) -> int | None:
    """When the table's time is up, if nobody has been told of so early a moment."""
    until = next_deadline(after)
    known = next_deadline(before) if before else None
    return None if until is None or (known is not None and known <= until) else until


def asks_bots_anew(before: Table | None, after: Table) -> bool:
    asked = {decision.id for decision in before.bots_to_move} if before else set()
    return any(decision.id not in asked for decision in after.bots_to_move)


def needs_background_work(table: Table) -> bool:
    """Most tables wait for people alone, and cost nothing more."""
    return bool(table.clocks) or any(chair.bot_level for chair in table.chairs)


def public_list(status: Status | None) -> str:
    """The list of public games with that status, or of all."""
    return status.value if status else "all"


def _reused() -> ReusedRequestId:
    return ReusedRequestId("request_id", "was used before for another request")


async def _unhurried(chore: Awaitable[None]) -> None:
    """Snapshots and tidying may fail: they are done again another time."""
    try:
        await chore
    except StoreUnavailable:
        return
