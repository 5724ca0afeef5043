"""Opening a table, sitting down, getting up, and starting."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gamehost.play import access
from gamehost.play.errors import AlreadyJoined, InvalidRequest, NotFound, NotNow, TooMuch
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.events import (
    Clock,
    GameCreated,
    GameStarted,
    Instant,
    Reveal,
    SeatLeft,
    SeatPlan,
    SeatTaken,
    Spectators,
    Visibility,
)
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache
from gamehost.play.writer import Change, GameWriter, Plan
from gamehost.rules.chance import SeededChance, commitment, luck_key
from gamehost.rules.kit import AnyRules, Seat, put, span

from .bot_levels import BotLevels, bot_seat_taken
from .open_game_limit import BotOnlyGames, OpenGameLimit
from .payers import Payers
from .seat_limits import check_leaving

SEED_BYTES = 32  # bytes


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What a new game is to be."""

    title: str
    options: Any
    seat_count: int
    visibility: Visibility
    manual_start: bool
    reveal: Reveal = Reveal.FULL
    spectators: Spectators = field(default_factory=Spectators)
    seats: tuple[SeatPlan, ...] = ()
    clock: Clock | None = None
    rematch_of: str = ""


class CreateAndJoin:
    """The life of a table. `entropy` gives random bytes; `secret` is shared by all processes of a service.

    `expiry` gives the moment at which a game that is opened now and has not started is given up.
    """

    def __init__(
        self,
        catalog: Mapping[str, AnyRules],
        tables: TableCache,
        ledger: GameWriter,
        entropy: Callable[[int], bytes],
        secret: bytes,
        open_games: OpenGameLimit,
        bot_only: BotOnlyGames,
        payers: Payers,
        levels: BotLevels,
        expiry: Callable[[], Instant | None],
    ) -> None:
        self._bot_only, self._payers = bot_only, payers
        self._catalog, self._tables, self._writer, self._open_game_limit = catalog, tables, ledger, open_games
        self._entropy, self._secret = entropy, secret
        self._bot_levels, self._expiry = levels, expiry

    async def create(
        self, wish: GameSpec, request: RequestKey | None, payer: str = "", game_id: str = ""
    ) -> Table:
        """`payer` is whose unfinished games it counts among; `game_id` is for one that must have that id."""
        rules = self.rules(wish.title)
        count = wish.seat_count or len(wish.seats) or rules.seats.start
        if wish.seats and len(wish.seats) != count:
            raise InvalidRequest("seats", f"must have one entry for each of {count} chairs")
        if count not in rules.seats:
            raise InvalidRequest("seat_count", f"{wish.title} seats {span(rules.seats[0], rules.seats[-1])}")
        game_id, seed = game_id or self.new_id(request), self._entropy(SEED_BYTES)
        created = GameCreated(
            wish.title,
            rules.version,
            count,
            wish.options,
            wish.visibility,
            wish.manual_start,
            commitment(game_id, seed),
            wish.reveal,
            wish.spectators,
            clock=self._bot_levels.with_bot_level(wish.title, wish.clock),
            rematch_of=wish.rematch_of,
            seats=wish.seats,
            expire_time=self._expiry(),
        )
        bots = self._bots(created, seed)
        try:
            await self._claim(payer, game_id, created)
        except TooMuch:
            if request and (known := await self._writer.created_by(game_id, request)):
                return known
            raise
        return await self._writer.create(game_id, rules, created, seed, request, bots, payer)

    async def _claim(self, payer: str, game_id: str, created: GameCreated) -> None:
        """Raise TooMuch for a caller who has too many games, or too many in which bots play alone."""
        if not payer:
            return
        await self._open_game_limit.claim(payer, game_id)
        planned = [bool(plan.bot_level) for plan in created.seats]
        if planned and all(planned):
            await self._bot_only.claim(self._payers.digest(payer), game_id)
        elif any(planned):
            await self._bot_only.check(self._payers.digest(payer))

    def _bots(self, created: GameCreated, seed: bytes) -> Sequence[Any]:
        """The bots that were asked for sit down with the first event; where they are alone they begin."""
        bots = self._bot_levels.planned_bots(created.title, created.seats)
        if len(bots) < created.seat_count:
            return bots
        if created.manual_start:
            raise InvalidRequest(
                "manual_start", "only bots are to sit here: nobody is left to start the game"
            )
        return [*bots, *self._start_events(created, SeededChance(seed, 0))]

    def rules(self, title: str) -> AnyRules:
        if title not in self._catalog:
            hosted = ", ".join(sorted(self._catalog))
            raise InvalidRequest("title", f"{title} is not hosted here; there are {hosted}")
        return self._catalog[title]

    def invite_code(self, table: Table) -> str:
        """What opens a private game. Made from the secret, so it is stored nowhere."""
        return self.derive("invite", table.game_id, 10) if table.private else ""

    async def join(
        self,
        game_id: str,
        who: access.Principal,
        *,
        seat: int | None,
        display_name: str,
        invite_code: str,
        client_seed: bytes,
        request: RequestKey | None,
    ) -> tuple[Change, Seat]:
        async def sit(table: Table) -> Plan:
            self._check_may_join(table, who, seat, invite_code)
            _not_over(table)
            chair = _open_chair(table, seat, who)
            name = who.id if isinstance(who, access.Caller) else ""
            return await self.seating_plan(table, [SeatTaken(chair, display_name, client_seed, name)], chair)

        change = await self._writer.change(game_id, sit, request, who)
        return change, change.records[0].event.seat

    async def add_bot(
        self, game_id: str, who: access.Principal, level: str, wanted: int | None, request: RequestKey | None
    ) -> tuple[Change, Seat]:
        """Any seat may ask."""

        async def sit(table: Table) -> Plan:
            seat = access.acting_seat(table, who)
            _still_gathering(table)
            await self._bot_only.check(await self._payers.of(game_id))
            chosen = self._bot_levels.resolve(table.rules.title, level, "bot_level")
            return await self.seating_plan(
                table, [bot_seat_taken(_open_chair(table, wanted, None), chosen)], seat
            )

        change = await self._writer.change(game_id, sit, request, who)
        return change, change.records[0].event.seat

    async def seating_plan(self, table: Table, taken: Sequence[SeatTaken], cause: Seat) -> Plan:
        """They sit down, and the game begins if they are the last."""
        if table.created.manual_start or len(table.reservations) > len(taken):
            return Plan(taken, cause)
        client_seeds = table.client_seeds
        for each in taken:
            client_seeds = put(client_seeds, each.seat, each.client_seed)
        return Plan([*taken, *await self._start_events_of(table, client_seeds)], cause)

    async def leave(self, game_id: str, who: access.Principal, request: RequestKey | None) -> Change:
        async def get_up(table: Table) -> Plan:
            seat = access.acting_seat(table, who)
            _still_gathering(table)
            check_leaving(table, seat)
            return Plan([SeatLeft(seat)], seat)

        return await self._writer.change(game_id, get_up, request, who)

    async def start(self, game_id: str, who: access.Principal, request: RequestKey | None) -> Change:
        async def begin(table: Table) -> Plan:
            seat = access.acting_seat(table, who)
            _still_gathering(table)
            if not table.full:
                open_seats = sum(not chair.taken for chair in table.chairs)
                raise NotNow(f"{open_seats} seats are still open", reason="GAME_NOT_FULL")
            return Plan(await self._start_events_of(table, table.client_seeds), seat)

        return await self._writer.change(game_id, begin, request, who)

    def _check_may_join(
        self, table: Table, who: access.Principal, wanted: int | None, invite_code: str
    ) -> None:
        """Whoever has an identity may take several seats, but not by a double click."""
        mine = access.owns_seat(table, who)
        if mine and (wanted is None or isinstance(who, access.SeatKey)):
            raise AlreadyJoined("a seat of this game is yours already")
        invited = hmac.compare_digest(self.invite_code(table).encode(), invite_code.encode())
        if table.private and not (invited or mine or access.has_reservation(table, who)):
            raise NotFound(f"there is no game {table.game_id}")

    async def _start_events_of(self, table: Table, client_seeds: Sequence[bytes]) -> Sequence[Any]:
        key = luck_key(await self._tables.seed(table.game_id), client_seeds)
        return self._start_events(table.created, SeededChance(key, table.position))

    def _start_events(self, created: GameCreated, chance: SeededChance) -> Sequence[Any]:
        rules = self._catalog[created.title]
        return [GameStarted(), *rules.setup(created.options, created.seat_count, chance)]

    def new_id(self, request: RequestKey | None) -> str:
        """The same for the same request."""
        name = request.id if request else self._entropy(16).hex()
        return self.derive("game", name, 20)

    def derive(self, purpose: str, name: str, length: int) -> str:
        """Letters and digits that only this service can tell."""
        digest = hmac.digest(self._secret, f"shedu:{purpose}:{name}".encode(), hashlib.sha256)
        return base64.b32encode(digest).decode().lower()[:length]


def _open_chair(table: Table, wanted: int | None, who: access.Principal) -> Seat:
    if wanted is not None and wanted >= len(table.chairs):
        last = len(table.chairs) - 1
        raise NotFound(f"there is no seat {wanted}: the seats are 0 to {last}", reason="SEAT_NOT_FOUND")
    if table.full:
        raise NotNow("every seat is taken", reason="GAME_FULL")
    if wanted is not None and table.chairs[wanted].taken:
        raise NotNow(f"seat {wanted} is taken", reason="SEAT_TAKEN")
    name = who.id if isinstance(who, access.Caller) else ""
    mine = [seat for seat, kept_for in table.reservations.items() if kept_for and kept_for == name]
    anyones = [seat for seat, kept_for in table.reservations.items() if not kept_for]
    for seat in (*mine, *anyones):
        if wanted in (None, seat):
            return seat
    kept = "every open seat" if wanted is None else f"seat {wanted}"
    raise NotNow(f"{kept} is kept for somebody else", reason="SEAT_RESERVED")


def _not_over(table: Table) -> None:
    """A game that was given up before it started has open seats for ever."""
    if table.status is Status.FINISHED:
        raise NotNow("the game is over", reason="GAME_FINISHED")


def _still_gathering(table: Table) -> None:
    if table.status is not Status.GATHERING:
        raise NotNow("the game has started", reason="GAME_STARTED")
