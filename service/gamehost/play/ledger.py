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

from .access import Who, check_replay
from .agenda import Agenda
from .bot_agenda import BotAgenda, bots_alone
from .clocks import Turn, advanced, deadline, wound
from .errands import callers
from .errors import PlayError, ReusedRequestId, Unavailable, VersionInFuture
from .happenings import Visibility
from .meter import Meter
from .notices import Notices
from .open_games import BotOnlyGames
from .payers import Payers
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
from .table import Record, Status, Table, open_table
from .tables import Tables, snapshot_due

ATTEMPTS = 32
NET = 2_000_000  # microseconds after which a bot's move is made although its process is gone


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

    records: Sequence[Record]
    table: Table


Planner = Callable[[Table], Awaitable[Plan]]


@dataclass(frozen=True, slots=True)
class Agendas:
    """What has to happen later: time is up, a bot moves, `think` microseconds after the question, or a game
    that is over is put away."""

    clocks: Agenda
    bots: BotAgenda
    archive: Agenda
    think: int


class Ledger:
    """Writes to logs. `clock` gives microseconds since 1970."""

    def __init__(
        self,
        store: EventStore,
        codec: Codec,
        tables: Tables,
        clock: Callable[[], int],
        agendas: Agendas,
        payers: Payers,
        bot_only: BotOnlyGames,
        meter: Meter,
    ) -> None:
        self._store, self._codec, self._tables, self._clock = store, codec, tables, clock
        self._agendas, self._payers, self._bot_only, self._meter = agendas, payers, bot_only, meter
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
        payer: str = "",
    ) -> Table:
        """Write the first event of a game, and what else happens with it. `payer` is whose game it is."""
        at = self._clock()
        self._payers.expect(game_id, payer)
        first = Record(1, at, None, bool(then), created, wound(created))
        table = open_table(game_id, rules, first)
        records, after = await self._written(table, Plan(then), at) if then else ([], table)
        await asyncio.gather(
            self._payers.enter(game_id),
            self._enlist(after, new=True),
            self._foresee(None, after, at),
            self._notices.expect(after, [first, *records]),
        )
        try:
            appended = await self._append(0, [first, *records], after, request, seed)
        except StaleVersion as stale:
            raise Unavailable("the game's id is taken; try again") from stale
        if appended.repeated:
            return (await self._again(game_id, appended)).table
        self._hurry(None, after)
        self._announce(None, after)
        return after

    async def opened(self, game_id: str, request: Request) -> Table | None:
        """The game that this request opened, if it did."""
        done = await self._requested(game_id, request)
        return (await self._again(game_id, done)).table if done else None

    async def change(
        self, game_id: str, planner: Planner, request: Request | None = None, who: Who = None
    ) -> Change:
        """Do what the planner says about the newest table, exactly once.

        A repeated request is answered as the first time, unless the seat key of `who` has ended since.
        """
        table = await self._tables.known(game_id)
        for _ in range(ATTEMPTS):
            try:
                plan = await planner(table)
            except PlayError:
                if request and (done := await self._requested(game_id, request)):
                    return await self._again(game_id, done, who)
                newer = await self._tables.fresh(game_id)
                if newer.version == table.version:
                    raise
                table = newer
                continue
            try:
                return await self._commit(table, plan, request, who)
            except StaleVersion:
                table = await self._tables.fresh(game_id)
        raise Unavailable("too many others are writing to this game", retry_after=0.1)

    async def _commit(self, table: Table, plan: Plan, request: Request | None, who: Who) -> Change:
        at = self._clock()
        records, after = await self._written(table, plan, at)
        if after.status is not table.status:
            await self._enlist(after)
        if after.status is Status.FINISHED:
            await self._agendas.archive.schedule(after.game_id, at)
        pressing = goes_on_by_itself(after)
        if pressing:
            await self._foresee(table, after, at)
        await self._notices.expect(after, records)
        appended = await self._append(table.version, records, after, request)
        if appended.repeated:
            return await self._again(table.game_id, appended, who)
        if plan.moves:
            self._meter.moved(after.rules.title)
        if pressing:
            self._hurry(table, after)
        if after.status is not table.status:
            self._later(self._store.delist(shelf(table.status), table.game_id))
        if after.status is Status.FINISHED:
            self._later(self._payers.strike(after.game_id))
        elif bots_alone(after) and not bots_alone(table):
            self._later(self._bot_only.note(await self._payers.of(after.game_id), after.game_id))
        self._announce(table, after)
        if snapshot_due(table.version, after.version):
            self._later(self._tables.remember(after))
        return Change(records, after)

    async def _written(self, table: Table, plan: Plan, at: int) -> tuple[list[Record], Table]:
        """What is to be appended, each record with the clocks after all of it, and the table it leads to."""
        version, last = table.version + 1, len(plan.events) - 1
        records = [Record(version + i, at, plan.seat, i < last, event) for i, event in enumerate(plan.events)]
        after = await self._tables.onward(table, records, plan.state)
        if not table.clocks:
            return records, after
        clocks = advanced(Turn(table, after, plan.events, plan.seat, at, plan.undone))
        return [replace(record, clocks=clocks) for record in records], changed(after, clocks=clocks)

    async def _foresee(self, before: Table | None, after: Table, at: int) -> None:
        """Write down first what has to happen later: a look in vain does no harm, one too few would."""
        if (until := next_deadline(before, after)) is not None:
            await self._agendas.clocks.schedule(after.game_id, until)
        if new_bot_questions(before, after):
            await self._agendas.bots.plan(after, at + self._agendas.think + NET)

    def _hurry(self, before: Table | None, after: Table) -> None:
        """What was foreseen may have come up before it was written, and was then looked at in vain."""
        until = next_deadline(before, after)
        if until is not None and until <= self._clock():
            self._later(self._agendas.clocks.schedule(after.game_id, until))
        if new_bot_questions(before, after):
            self._later(self._agendas.bots.plan(after, self._clock() + self._agendas.think))

    async def _append(
        self,
        expected: int,
        records: Sequence[Record],
        after: Table,
        request: Request | None,
        seed: bytes | None = None,
    ) -> Appended:
        payloads = [self._codec.encode_record(after.rules.title, record) for record in records]
        kept = {"summary": self._codec.encode_table(after, with_state=False), "seed": seed}
        tail = self._tables.tail(after.game_id, expected)
        began = perf_counter()
        try:
            appended = await self._store.append(
                after.game_id, payloads, expected=expected, after=tail, request=request, **kept
            )
        except RequestReused as error:
            raise _reused() from error
        except StoreUnavailable:
            self._meter.append_failed()
            raise
        self._meter.appended(perf_counter() - began)
        if not appended.repeated:
            self._tables.keep(after, payloads[-1])
        return appended

    async def _requested(self, game_id: str, request: Request) -> Appended | None:
        try:
            return await self._store.requested(game_id, request)
        except RequestReused as error:
            raise _reused() from error

    async def _again(self, game_id: str, appended: Appended, who: Who = None) -> Change:
        """The answer that this request got the first time."""
        try:
            table = await self._tables.at(game_id, appended.last)
        except VersionInFuture as behind:  # in a failover, the server that is read is still another one
            raise Unavailable("the store is changing servers; try again", retry_after=0.1) from behind
        records = await self._tables.read(game_id, after=appended.first - 1, upto=appended.last)
        # The planner may have looked at a table of this process that is older than the end of the key.
        check_replay(await self._tables.fresh(game_id), who, [record.event for record in records])
        return Change(records, table)

    async def _enlist(self, table: Table, *, new: bool = False) -> None:
        """List first, write then: a game may be listed in vain, and is passed over, but never missed."""
        if table.created.visibility is not Visibility.PUBLIC:
            return
        listing = Listing(table.game_id, table.created_at)
        await self._store.enlist(shelf(table.status), listing)
        if new:
            await self._store.enlist(shelf(None), listing)

    def _announce(self, before: Table | None, after: Table) -> None:
        if callers(after):
            self._later(self._notices.post(before, after))

    async def settled(self) -> None:
        """Wait until all background writes (boards, snapshots, lists) have ended."""
        while self._chores:
            await asyncio.gather(*self._chores, return_exceptions=True)

    def _later(self, chore: Awaitable[None]) -> None:
        task = asyncio.ensure_future(_unhurried(chore))
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)


def next_deadline(before: Table | None, after: Table) -> int | None:
    """When the table's time is up, if nobody has been told of so early a moment."""
    until = deadline(after)
    known = deadline(before) if before else None
    return None if until is None or (known is not None and known <= until) else until


def new_bot_questions(before: Table | None, after: Table) -> bool:
    asked = {decision.id for decision in before.bots_to_move} if before else set()
    return any(decision.id not in asked for decision in after.bots_to_move)


def goes_on_by_itself(table: Table) -> bool:
    """Most tables wait for people alone, and cost nothing more."""
    return bool(table.clocks) or any(chair.bot_level for chair in table.chairs)


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
