"""The only writer of game logs: plan events on a table, append them, plan again if the table was stale.

An append is one atomic step of the store. Everything else that has to be written for a change is not part
of it, so the order decides what a crash can lose:

* Before the append: entries in schedules and lists. If the append then fails, they are superfluous, and
  readers skip or remove them. If they came after it, a crash in between would leave a clock that is
  not enforced, a bot that never moves, or a game that no list contains.
* After the append, in the background: what a reader can do without or repair, namely inbox marks,
  snapshots, and the removal of entries that no longer apply.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from gamehost.rules.copying import replace
from gamehost.rules.kit import Seat

from .access import Principal, check_replay
from .background.bot_schedule import only_bots_play
from .background.schedules import Schedules
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

APPEND_ATTEMPTS = 32
# The bot entry that is written before the append is so many microseconds later than the one written after
# it. It is only needed if the process dies in between, and should not come due while the append is running.
BOT_FALLBACK_DELAY = 2_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """The events to append for one call.

    `seat` is the seat whose call it is. `state` is the title's state after the events if the planner has
    computed it already. `moves` is true if the events answer a decision. `undone` is set by an undo that a
    seat makes alone past the moves of bots: the number of answers of each seat that it takes back.
    """

    events: Sequence[Any]
    seat: Seat | None = None
    state: Any = None
    moves: bool = False
    undone: Mapping[Seat, int] | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """The records that were appended, and the table after them."""

    records: Sequence[EventRecord]
    table: Table


Planner = Callable[[Table], Awaitable[Plan]]


class GameWriter:
    """Creates games and changes them, exactly once per request.

    `clock` returns microseconds since 1970.
    """

    def __init__(
        self,
        store: InboxStore,
        codec: Codec,
        tables: TableCache,
        clock: Callable[[], int],
        schedules: Schedules,
        payers: Payers,
        bot_only: BotOnlyGames,
        metrics: PlayMetrics,
    ) -> None:
        self._store, self._codec, self._tables, self._clock = store, codec, tables, clock
        self._schedules, self._payers, self._bot_only, self._metrics = schedules, payers, bot_only, metrics
        self._inbox_index = InboxIndex(store, schedules.webhooks.schedule_now)
        self._background_writes: set[asyncio.Task[None]] = set()
        self._on_change: Callable[[Sequence[EventRecord], Table], None] = lambda _records, _table: None

    def on_each_change(self, on_change: Callable[[Sequence[EventRecord], Table], None]) -> None:
        """Call this function with the records and the table of each change of a game, once it is appended."""
        self._on_change = on_change

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
        """Append the first event of a game and the events `then`; return the table after them.

        `payer` is the caller that the game counts for. A repeated request returns the game as it was after
        the first one. Raises Unavailable if the id is taken.
        """
        at = self._clock()
        self._payers.remember(game_id, payer)
        first = EventRecord(1, at, None, bool(then), created, initial_clocks(created))
        table = open_table(game_id, rules, first)
        records, after = await self._records_of(table, Plan(then), at) if then else ([], table)
        # All of this has to be in the store before the log is; see the top of the module.
        await asyncio.gather(
            self._payers.save(game_id),
            self._add_to_public_lists(after, new=True),
            self._schedule_before_append(None, after, at),
            self._inbox_index.add_to_lists(after, [first, *records]),
        )
        try:
            appended = await self._append(0, [first, *records], after, request, seed)
        except StaleVersion as stale:
            raise Unavailable("the generated game id is already in use; try again") from stale
        if appended.repeated:
            return (await self._repeated_answer(game_id, appended)).table
        self._schedule_after_append(None, after)
        self._notify_inboxes(None, after)
        return after

    async def created_by(self, game_id: str, request: RequestKey) -> Table | None:
        """Return the table that this request created, or None if it was not seen before."""
        recorded = await self._recorded_answer(game_id, request)
        return (await self._repeated_answer(game_id, recorded)).table if recorded else None

    async def change(
        self, game_id: str, planner: Planner, request: RequestKey | None = None, principal: Principal = None
    ) -> Change:
        """Append what `planner` returns for the newest table, and return the change.

        The planner runs again with a newer table if another writer was faster. A repeated request gets the
        same answer as the first one, unless the seat key of `principal` has ended since. Raises what the
        planner raises, and Unavailable after too many attempts.
        """
        # The cached table saves a round trip. It may be behind the store; the append finds that out, because
        # it is refused unless the log is at exactly the version that was planned on.
        table = await self._tables.cached(game_id)
        for _ in range(APPEND_ATTEMPTS):
            try:
                plan = await planner(table)
            except PlayError:
                # A refusal has two innocent causes, which are ruled out first. The request may be a retry:
                # its move was made, so the planner finds the decision gone. Or the cached table was behind.
                if request and (recorded := await self._recorded_answer(game_id, request)):
                    return await self._repeated_answer(game_id, recorded, principal)
                newer = await self._tables.current(game_id)
                if newer.version == table.version:
                    raise  # planned on the newest table, so the refusal is right
                table = newer
                continue
            try:
                return await self._commit(table, plan, request, principal)
            except StaleVersion:
                table = await self._tables.current(game_id)
        raise Unavailable("too many concurrent writes to this game", retry_after=0.1)

    async def _commit(
        self, table: Table, plan: Plan, request: RequestKey | None, principal: Principal
    ) -> Change:
        at = self._clock()
        records, after = await self._records_of(table, plan, at)
        await self._write_before_append(table, after, records, at)
        appended = await self._append(table.version, records, after, request)
        if appended.repeated:
            return await self._repeated_answer(table.game_id, appended, principal)
        if plan.moves:
            self._metrics.count_move(after.rules.title)
        self._on_change(records, after)
        self._write_after_append(table, after)
        return Change(records, after)

    async def _write_before_append(
        self, table: Table, after: Table, records: Sequence[EventRecord], at: int
    ) -> None:
        """Write what must not be missing once the events are in the log; awaited, and safe to repeat."""
        if after.status is not table.status:
            await self._add_to_public_lists(after)
        if after.status is Status.FINISHED:
            await self._schedules.schedule_end(after, at)
        if needs_background_work(after):
            await self._schedule_before_append(table, after, at)
        await self._inbox_index.add_to_lists(after, records)

    def _write_after_append(self, table: Table, after: Table) -> None:
        """Start the writes that may be lost; the caller does not wait for them."""
        if needs_background_work(after):
            self._schedule_after_append(table, after)
        if after.status is not table.status:
            # If this is lost, the lobby removes the entry when it next reads the list.
            self._in_background(self._store.remove_from_list(public_list(table.status), table.game_id))
        if after.status is Status.FINISHED:
            # If this is lost, one small value of a finished game stays in the registry.
            self._in_background(self._payers.remove(after.game_id))
        elif only_bots_play(after) and not only_bots_play(table):
            # If this is lost, the payer's limit of bot-only games counts one game too few.
            self._in_background(self._count_bot_only(after.game_id))
        self._notify_inboxes(table, after)
        if snapshot_due(table.version, after.version):
            self._in_background(self._tables.store_snapshot(after))

    async def _count_bot_only(self, game_id: str) -> None:
        """Count a game that was left to bots against its payer's limit."""
        await self._bot_only.add(await self._payers.of(game_id), game_id)

    async def _records_of(self, table: Table, plan: Plan, at: int) -> tuple[list[EventRecord], Table]:
        """Return the records to append and the table after them.

        Every record carries the clocks as they are after the last one.
        """
        version, last = table.version + 1, len(plan.events) - 1
        records = [
            EventRecord(version + i, at, plan.seat, i < last, event) for i, event in enumerate(plan.events)
        ]
        after = await self._tables.apply(table, records, plan.state)
        if not table.clocks:
            return records, after
        clocks = clocks_after(ClockUpdate(table, after, plan.events, plan.seat, at, plan.undone))
        return [replace(record, clocks=clocks) for record in records], replace(after, clocks=clocks)

    async def _schedule_before_append(self, before: Table | None, after: Table, at: int) -> None:
        """Schedule the checks that the change will need, in case the process dies right after the append.

        A check that finds nothing to do is harmless; a check that is missing would stop the game.
        """
        if (deadline := deadline_to_schedule(before, after)) is not None:
            await self._schedules.clocks.schedule(after.game_id, deadline)
        if asks_bots_anew(before, after):
            await self._schedules.bots.plan(after, at + self._schedules.think + BOT_FALLBACK_DELAY)

    def _schedule_after_append(self, before: Table | None, after: Table) -> None:
        """Schedule again what a worker may have checked too early, and the bot moves at their proper time.

        The entry made before the append can come due before the append is done. A worker then looks at the
        old table, finds nothing to do and removes the entry. A deadline can only be affected if it has passed
        by now. A schedule keeps the earliest time of a game, so the bot entry replaces the fallback entry.
        """
        deadline = deadline_to_schedule(before, after)
        if deadline is not None and deadline <= self._clock():
            self._in_background(self._schedules.clocks.schedule(after.game_id, deadline))
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
        """Append the records with the summary of the table, and put the table in the cache."""
        payloads = [self._codec.encode_record(after.rules.title, record) for record in records]
        summary = self._codec.encode_table(after, with_state=False)
        # A failover may lose the last events and others may have been appended since with the same versions.
        # The version alone would then match a log that this table was not folded from.
        last_payload = self._tables.last_payload(after.game_id, expected)
        began = perf_counter()
        try:
            appended = await self._store.append(
                after.game_id,
                payloads,
                expected=expected,
                after=last_payload,
                request=request,
                summary=summary,
                seed=seed,
            )
        except RequestReused as error:
            raise _request_id_reused() from error
        except StoreUnavailable:
            # The events may have been appended. The cache keeps the old table; the next append or read finds
            # out, and a retry with the same request id gets the recorded answer.
            self._metrics.count_failed_append()
            raise
        self._metrics.observe_append(perf_counter() - began)
        # For a repeated request, `after` was never written: the log has the events of the first one.
        if not appended.repeated:
            self._tables.put(after, payloads[-1])
        return appended

    async def _recorded_answer(self, game_id: str, request: RequestKey) -> Appended | None:
        """Return which events this request led to, or None if it was not seen before."""
        try:
            return await self._store.find_request(game_id, request)
        except RequestReused as error:
            raise _request_id_reused() from error

    async def _repeated_answer(self, game_id: str, appended: Appended, principal: Principal = None) -> Change:
        """Return the answer that this request got the first time."""
        try:
            table = await self._tables.at_version(game_id, appended.last)
        except VersionInFuture as behind:
            # During a failover a read can still reach a server that lacks the events just found.
            raise Unavailable("the store is failing over; try again", retry_after=0.1) from behind
        records = await self._tables.read(game_id, after=appended.first - 1, upto=appended.last)
        # The planner may have accepted the key on a cached table from before the key ended.
        check_replay(await self._tables.current(game_id), principal, [record.event for record in records])
        return Change(records, table)

    async def _add_to_public_lists(self, table: Table, *, new: bool = False) -> None:
        """Add a public game to the list of its status, and to the list of all games if it is new."""
        if table.created.visibility is not Visibility.PUBLIC:
            return
        listing = Listing(table.game_id, table.created_at)
        await self._store.add_to_list(public_list(table.status), listing)
        if new:
            await self._store.add_to_list(public_list(None), listing)

    def _notify_inboxes(self, before: Table | None, after: Table) -> None:
        """Mark the news on the boards of the callers at the table.

        If this is lost, the next inbox stream finds the missing marks from the summary beside the log.
        """
        if callers_at(after):
            self._in_background(self._inbox_index.post_marks(before, after))

    async def wait_for_background_writes(self) -> None:
        """Wait until all background writes (inbox marks, snapshots, lists) have ended."""
        while self._background_writes:
            await asyncio.gather(*self._background_writes, return_exceptions=True)

    def _in_background(self, write: Awaitable[None]) -> None:
        # The event loop keeps only weak references to tasks, so without the set a write could vanish.
        task = asyncio.ensure_future(_ignoring_outage(write))
        self._background_writes.add(task)
        task.add_done_callback(self._background_writes.discard)


def deadline_to_schedule(before: Table | None, after: Table) -> int | None:
    """Return the deadline to schedule, or None if an equal or earlier one is already scheduled."""
    # A worker that finds a deadline moved back reschedules the game, so only earlier ones are written. This
    # saves a write for most moves.
    deadline = next_deadline(after)
    scheduled = next_deadline(before) if before else None
    return None if deadline is None or (scheduled is not None and scheduled <= deadline) else deadline


def asks_bots_anew(before: Table | None, after: Table) -> bool:
    """Whether a bot has a decision in `after` that it did not have in `before`."""
    asked = {decision.id for decision in before.bots_to_move} if before else set()
    return any(decision.id not in asked for decision in after.bots_to_move)


def needs_background_work(table: Table) -> bool:
    """Whether a table has clocks or bots. Most have neither and need no writes to schedules."""
    return bool(table.clocks) or any(chair.bot_level for chair in table.chairs)


def public_list(status: Status | None) -> str:
    """Return the name of the list of public games with that status, or of all of them."""
    return status.value if status else "all"


def _request_id_reused() -> ReusedRequestId:
    return ReusedRequestId("request_id", "was already used for a different request")


async def _ignoring_outage(write: Awaitable[None]) -> None:
    """Await a write that may be lost: if the store is unavailable, a reader repairs it later."""
    try:
        await write
    except StoreUnavailable:
        return
