"""The one way anything is written: plan on a table, append, and plan again if somebody was faster."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gamehost.rules.kit import Seat

from .errands import callers
from .errors import PlayError, ReusedRequestId, Unavailable
from .happenings import Visibility
from .notices import Notices
from .ports import (
    Appended,
    Codec,
    EventStore,
    Listing,
    Request,
    RequestReused,
    StaleVersion,
    StoreUnavailable,
)
from .table import Record, Status, Table, fold, open_table
from .tables import Tables, snapshot_due

ATTEMPTS = 32


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to happen, whose call causes it, and the title's state it leads to, where that is known."""

    events: Sequence[Any]
    seat: Seat | None = None
    state: Any = None


@dataclass(frozen=True, slots=True)
class Change:
    """What happened, and the table it led to."""

    records: Sequence[Record]
    table: Table


Planner = Callable[[Table], Awaitable[Plan]]


class Ledger:
    """Writes to logs. `clock` gives microseconds since 1970."""

    def __init__(self, store: EventStore, codec: Codec, tables: Tables, clock: Callable[[], int]) -> None:
        self._store, self._codec, self._tables, self._clock = store, codec, tables, clock
        self._notices = Notices(store)
        self._chores: set[asyncio.Task[None]] = set()

    async def open(
        self,
        game_id: str,
        rules: Any,
        created: Any,
        seed: bytes,
        request: Request | None,
        then: Sequence[Any] = (),
    ) -> Table:
        """Write the first event of a game, and what else happens with it."""
        records = self._records(0, Plan([created, *then]))
        table = fold(open_table(game_id, rules, records[0]), records[1:])
        await self._enlist(table)
        await self._notices.expect(table, records)
        try:
            appended = await self._append(0, records, table, request, seed)
        except StaleVersion as stale:
            raise Unavailable("the game's id is taken; try again") from stale
        if appended.repeated:
            return (await self._again(game_id, appended)).table
        self._announce(None, table)
        return self._tables.keep(table)

    async def opened(self, game_id: str, request: Request) -> Table | None:
        """The game that this request opened, if it did."""
        done = await self._requested(game_id, request)
        return (await self._again(game_id, done)).table if done else None

    async def change(self, game_id: str, planner: Planner, request: Request | None = None) -> Change:
        """Do what the planner says about the newest table, exactly once."""
        table = await self._tables.known(game_id)
        for _ in range(ATTEMPTS):
            try:
                plan = await planner(table)
            except PlayError:
                newer = await self._tables.fresh(game_id)
                if newer.version != table.version:
                    table = newer
                    continue
                if request and (done := await self._requested(game_id, request)):
                    return await self._again(game_id, done)
                raise
            try:
                return await self._commit(table, plan, request)
            except StaleVersion:
                table = await self._tables.fresh(game_id)
        raise Unavailable("too many others are writing to this game", retry_after=0.1)

    async def _commit(self, table: Table, plan: Plan, request: Request | None) -> Change:
        records = self._records(table.version, plan)
        after = await self._tables.onward(table, records, plan.state)
        if after.status is not table.status:
            await self._enlist(after)
        await self._notices.expect(after, records)
        appended = await self._append(table.version, records, after, request)
        if appended.repeated:
            return await self._again(table.game_id, appended)
        if after.status is not table.status:
            self._later(self._store.delist(shelf(table.status), table.game_id))
        self._announce(table, after)
        if snapshot_due(table.version, after.version):
            self._later(self._tables.remember(after))
        return Change(records, self._tables.keep(after))

    def _records(self, version: int, plan: Plan) -> list[Record]:
        at, last = self._clock(), len(plan.events) - 1
        return [
            Record(version + 1 + i, at, plan.seat, i < last, event) for i, event in enumerate(plan.events)
        ]

    async def _append(
        self,
        expected: int,
        records: Sequence[Record],
        after: Table,
        request: Request | None,
        seed: bytes | None = None,
    ) -> Appended:
        payloads = [self._codec.encode_record(after.rules.title, record) for record in records]
        summary = self._codec.encode_table(after, with_state=False)
        try:
            return await self._store.append(
                after.game_id, payloads, expected=expected, request=request, summary=summary, seed=seed
            )
        except RequestReused as error:
            raise _reused() from error

    async def _requested(self, game_id: str, request: Request) -> Appended | None:
        try:
            return await self._store.requested(game_id, request)
        except RequestReused as error:
            raise _reused() from error

    async def _again(self, game_id: str, appended: Appended) -> Change:
        """The answer that this request got the first time."""
        table = await self._tables.at(game_id, appended.last)
        records = await self._tables.records(game_id, after=appended.first - 1, upto=appended.last)
        return Change(records, table)

    async def _enlist(self, table: Table) -> None:
        """List first, write then: a game may be listed in vain, and is passed over, but never missed."""
        if table.created.visibility is not Visibility.PUBLIC:
            return
        listing = Listing(table.game_id, table.created_at)
        await self._store.enlist(shelf(table.status), listing)
        if table.status is Status.GATHERING:
            await self._store.enlist(shelf(None), listing)

    def _announce(self, before: Table | None, after: Table) -> None:
        if callers(after):
            self._later(self._notices.post(before, after))

    def _later(self, chore: Awaitable[None]) -> None:
        task = asyncio.ensure_future(_unhurried(chore))
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)


def shelf(status: Status | None) -> str:
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
