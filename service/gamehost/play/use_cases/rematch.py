"""Rematches: a new game with the same players on the same seats."""

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
    """A seat in a rematch. `then` and `at` are the table and the time at which the seat was taken."""

    table: Table
    seat: Seat
    then: Table
    at: int


class Rematch:
    """Creates and joins rematches.

    The id of the rematch is derived from that of the finished game: all players come to the same game,
    without having to agree on who creates it.
    """

    def __init__(self, tables: TableCache, writer: GameWriter, create_and_join: CreateAndJoin) -> None:
        self._tables, self._writer, self._create_and_join = tables, writer, create_and_join

    async def rematch(
        self, game_id: str, principal: access.Principal, request: RequestKey | None, payer: str
    ) -> RematchSeat:
        """Take the caller's old seat in the rematch, and create the game if it does not exist.

        A caller who has taken the seat already gets the same answer again.
        """
        old = await self._tables.current(game_id)
        seat = access.acting_seat(old, principal)
        if old.status is not Status.FINISHED:
            raise NotNow("a rematch is possible once the game is over", reason="GAME_NOT_OVER")
        new = await self._next_game(old, payer)

        async def plan(table: Table) -> Plan:
            if table.chairs[seat].taken:
                raise AlreadyJoined("you already have a seat in this game")
            return await self._create_and_join.seating_plan(table, [_seat_taken(old, seat)], seat)

        try:
            table = (await self._writer.change(new.game_id, plan, request)).table
        except AlreadyJoined:  # by an earlier call of the same player: only its owner may take this seat
            table = await self._tables.current(new.game_id)
        return await self._seated(table, seat)

    async def _next_game(self, old: Table, payer: str) -> Table:
        """Return the rematch, creating it if needed.

        A rematch that expired before it started is over for good, so the next attempt gets another id.
        """
        for attempt in itertools.count():
            game_id = self._create_and_join.derive("rematch", f"{old.game_id}:{attempt}", 20)
            try:
                table = await self._tables.current(game_id)
            except NotFound:
                # A fixed request key: if two players create the game at once, the second gets the first's.
                request = RequestKey(f"rematch:{attempt}", b"")
                return await self._create_and_join.create(_rematch_spec(old), request, payer, game_id)
            if table.status is not Status.FINISHED or table.position:
                return table
        raise AssertionError("unreachable: count() does not end")

    async def _seated(self, table: Table, seat: Seat) -> RematchSeat:
        """Return the seat with the table at the time it was taken: a repeated call gets the same answer."""
        since = table.chairs[seat].since
        [record] = await self._tables.read(table.game_id, after=since - 1, upto=since)
        return RematchSeat(table, seat, await self._tables.at_version(table.game_id, since), record.at)


def _rematch_spec(old: Table) -> GameSpec:
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
        forks=created.forks,
        rated=old.created.rated,
        talk=created.talk,
    )


def _plan(seat: Seat, chair: Chair) -> SeatPlan:
    """Seat a bot again; reserve a person's seat for its identity or, without one, for its old seat token."""
    if not chair.taken:
        return SeatPlan()
    if _is_bot(chair):
        return SeatPlan(bot_level=chair.bot_level)
    return SeatPlan(reserved_for=chair.caller_id or f"{OLD_SEAT_PREFIX}{seat}")


def _is_bot(chair: Chair) -> bool:
    return bool(chair.bot_level) and not chair.taken_over and not chair.resigned


def _seat_taken(old: Table, seat: Seat) -> SeatTaken:
    chair = old.chairs[seat]
    return SeatTaken(seat, chair.display_name, caller_id=chair.caller_id)
