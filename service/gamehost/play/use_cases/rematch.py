"""The same people, the same seats, once more."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from gamehost.play import access
from gamehost.play.errors import AlreadyJoined, NotFound, NotNow
from gamehost.play.inbox.items import OLD_SEAT_PREFIX
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.events import SeatPlan, SeatTaken
from gamehost.play.table.table import Chair, Status, Table
from gamehost.play.tables.current import TableCache
from gamehost.play.writer import GameWriter, Plan
from gamehost.rules.kit import Seat

from .create_and_join import CreateAndJoin, GameSpec


@dataclass(frozen=True, slots=True)
class RematchSeat:
    """A table as it is, and as it was when the seat was taken, with the time of that."""

    table: Table
    seat: Seat
    then: Table
    at: int


class Rematch:
    """The id of the new game follows from that of the old one, so that whoever asks comes to the same."""

    def __init__(self, tables: TableCache, ledger: GameWriter, games: CreateAndJoin) -> None:
        self._tables, self._writer, self._create_and_join = tables, ledger, games

    async def rematch(
        self, game_id: str, who: access.Principal, request: RequestKey | None, payer: str
    ) -> RematchSeat:
        """Sit down on one's old seat; who sits there already is answered the same."""
        old = await self._tables.current(game_id)
        seat = access.acting_seat(old, who)
        if old.status is not Status.FINISHED:
            raise NotNow("a rematch can be had once the game is over", reason="GAME_NOT_OVER")
        new = await self._next_game(old, payer)

        async def sit(table: Table) -> Plan:
            if table.chairs[seat].taken:
                raise AlreadyJoined("a seat of this game is yours already")
            return await self._create_and_join.seating_plan(table, [_same(old, seat)], seat)

        try:
            table = (await self._writer.change(new.game_id, sit, request)).table
        except AlreadyJoined:
            table = await self._tables.current(new.game_id)
        return await self._seated(table, seat)

    async def _next_game(self, old: Table, payer: str) -> Table:
        """The new game; another one if nobody but the first came to it and it was given up."""
        for attempt in itertools.count():
            game_id = self._create_and_join.derive("rematch", f"{old.game_id}:{attempt}", 20)
            try:
                table = await self._tables.current(game_id)
            except NotFound:
                request = RequestKey(f"rematch:{attempt}", b"")
                return await self._create_and_join.create(_wish(old), request, payer, game_id)
            if table.status is not Status.FINISHED or table.position:
                return table
        raise AssertionError("there is no last number")

    async def _seated(self, table: Table, seat: Seat) -> RematchSeat:
        since = table.chairs[seat].since
        [record] = await self._tables.read(table.game_id, after=since - 1, upto=since)
        return RematchSeat(table, seat, await self._tables.at_version(table.game_id, since), record.at)


def _wish(old: Table) -> GameSpec:
    created = old.created
    return GameSpec(
        created.title,
        created.options,
        created.seat_count,
        created.visibility,
        manual_start=False,
        reveal=created.reveal,
        spectators=created.spectators,
        clock=created.clock,
        seats=tuple(_plan(Seat(seat), chair) for seat, chair in enumerate(old.chairs)),
        rematch_of=old.game_id,
    )


def _plan(seat: Seat, chair: Chair) -> SeatPlan:
    """A bot sits there again; a person's seat is kept, for its identity or else for its old token."""
    if not chair.taken:
        return SeatPlan()
    if _is_bot(chair):
        return SeatPlan(bot_level=chair.bot_level)
    return SeatPlan(reserved_for=chair.caller_id or f"{OLD_SEAT_PREFIX}{seat}")


def _is_bot(chair: Chair) -> bool:
    return bool(chair.bot_level) and not chair.taken_over and not chair.resigned


def _same(old: Table, seat: Seat) -> SeatTaken:
    chair = old.chairs[seat]
    return SeatTaken(seat, chair.display_name, caller_id=chair.caller_id)
