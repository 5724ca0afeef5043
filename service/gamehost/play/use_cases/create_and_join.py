"""Creating, joining, leaving and starting games."""

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
    ForkPolicy,
    GameCreated,
    GameStarted,
    Instant,
    Reveal,
    SeatLeft,
    SeatPlan,
    SeatTaken,
    Spectators,
    Talk,
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
from .rated_seats import check_bot_in_rated, check_joins_rated, check_rated
from .seat_limits import check_leaving

SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class GameSpec:
    """The parameters of a new game."""

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
    forks: ForkPolicy = ForkPolicy.ANY_TIME
    rated: bool = False
    talk: Talk = Talk()  # noqa: RUF009  frozen, so sharing is safe


class CreateAndJoin:
    """The use cases from the creation of a game to its start.

    `entropy` returns random bytes; `secret` is shared by all processes of a service. `expiry` returns the
    time at which a game that is created now is abandoned unless it has started.
    """

    def __init__(
        self,
        catalog: Mapping[str, AnyRules],
        tables: TableCache,
        writer: GameWriter,
        entropy: Callable[[int], bytes],
        secret: bytes,
        open_game_limit: OpenGameLimit,
        bot_only: BotOnlyGames,
        payers: Payers,
        bot_levels: BotLevels,
        expiry: Callable[[], Instant | None],
        *,
        rates_games: bool = False,
    ) -> None:
        self._bot_only, self._payers, self._rates_games = bot_only, payers, rates_games
        self._catalog, self._tables, self._writer, self._open_game_limit = (
            catalog,
            tables,
            writer,
            open_game_limit,
        )
        self._entropy, self._secret = entropy, secret
        self._bot_levels, self._expiry = bot_levels, expiry

    async def create(
        self, spec: GameSpec, request: RequestKey | None, payer: str = "", game_id: str = ""
    ) -> Table:
        """Create a game and seat its bots; a game of bots alone starts at once.

        The game counts against the limits of `payer`. `game_id` is set where the id must be a certain one.
        Raises InvalidRequest for invalid parameters and TooMuch if the payer is over a limit.
        """
        rules = self.rules(spec.title)
        count = _seat_count(spec, rules)
        if spec.rated:
            check_rated(spec, count, available=self._rates_games)
        game_id, seed = game_id or self.new_id(request), self._entropy(SEED_BYTES)
        created = GameCreated(
            spec.title,
            rules.version,
            count,
            spec.options,
            spec.visibility,
            spec.manual_start,
            commitment(game_id, seed),
            spec.reveal,
            spec.spectators,
            clock=self.clock_with_level(spec.title, spec.clock),
            rematch_of=spec.rematch_of,
            seats=spec.seats,
            expire_time=self._expiry(),
            forks=ForkPolicy.AFTER_END if spec.rated else spec.forks,  # a fork can ask a bot for a hint
            rated=spec.rated,
            talk=spec.talk,
        )
        bots = self._bot_events(created, seed)
        try:
            await self._claim(payer, game_id, created)
        except TooMuch:
            # A retry of a call that created the last permitted game must get that game, not a refusal.
            if request and (known := await self._writer.created_by(game_id, request)):
                return known
            raise
        return await self._writer.create(game_id, rules, created, seed, request, bots, payer)

    async def _claim(self, payer: str, game_id: str, created: GameCreated) -> None:
        """Count the game against the limits of the payer, or raise TooMuch.

        A payer with too many bot-only games may not create a game with some bots either: the people could
        leave it to the bots.
        """
        if not payer:
            return
        planned = [bool(plan.bot_level) for plan in created.seats]
        # Before the claim of an open game: if this is refused, that claim would hold its place for a minute.
        if planned and all(planned):
            await self._bot_only.claim(self._payers.digest(payer), game_id)
        elif any(planned):
            await self._bot_only.check(self._payers.digest(payer))
        await self._open_game_limit.claim(payer, game_id)

    def _bot_events(self, created: GameCreated, seed: bytes) -> Sequence[Any]:
        """Return the events that seat the requested bots, and start the game if they take every seat."""
        bots = self._bot_levels.planned_bots(created.title, created.seats)
        if len(bots) < created.seat_count:
            return bots
        if created.manual_start:
            raise InvalidRequest(
                "manual_start", "must be false when every seat is a bot's: no player could start"
            )
        return [*bots, *self._start_events(created, SeededChance(seed, 0))]

    def clock_with_level(self, title: str, clock: Clock | None) -> Clock | None:
        """Return the clock with the level of the bot that takes over; raises InvalidRequest."""
        return self._bot_levels.with_bot_level(title, clock)

    def rules(self, title: str) -> AnyRules:
        """Return the rules of a title; raises InvalidRequest if it is not hosted."""
        if title not in self._catalog:
            hosted = ", ".join(sorted(self._catalog))
            raise InvalidRequest("title", f"{title} is not hosted here; the titles are {hosted}")
        return self._catalog[title]

    def invite_code(self, table: Table) -> str:
        """Return the invite code of a private game, "" for others; derived from the secret, not stored."""
        return self.derive("invite", table.game_id, 10) if table.private else ""

    async def join(
        self,
        game_id: str,
        principal: access.Principal,
        *,
        seat: int | None,
        display_name: str,
        invite_code: str,
        client_seed: bytes,
        request: RequestKey | None,
    ) -> tuple[Change, Seat]:
        """Take a seat, and start the game with the last one.

        `seat` is the requested seat, None for any. Returns the change and the seat that was taken.
        """

        async def plan(table: Table) -> Plan:
            self._check_may_join(table, principal, seat, invite_code)
            check_joins_rated(table, principal)
            _check_not_over(table)
            chair = _open_chair(table, seat, principal)
            caller_id = principal.id if isinstance(principal, access.Caller) else ""
            taken = SeatTaken(chair, display_name, client_seed, caller_id)
            return await self.seating_plan(table, [taken], chair)

        change = await self._writer.change(game_id, plan, request, principal)
        return change, change.records[0].event.seat

    async def add_bot(
        self,
        game_id: str,
        principal: access.Principal,
        level: str,
        wanted: int | None,
        request: RequestKey | None,
    ) -> tuple[Change, Seat]:
        """Seat a bot; every player of the game may do so. Returns the change and the bot's seat."""

        async def plan(table: Table) -> Plan:
            seat = access.acting_seat(table, principal)
            _check_not_started(table)
            await self._bot_only.check(await self._payers.of(game_id))
            chosen = self._bot_levels.resolve(table.rules.title, level, "bot_level")
            check_bot_in_rated(table, chosen)
            bot = bot_seat_taken(_open_chair(table, wanted, None), chosen)
            return await self.seating_plan(table, [bot], seat)

        change = await self._writer.change(game_id, plan, request, principal)
        return change, change.records[0].event.seat

    async def seating_plan(self, table: Table, taken: Sequence[SeatTaken], cause: Seat) -> Plan:
        """Plan to take seats and, if no open seat remains, to start the game.

        Both happen in one append, so no process has to notice later that a full game has not started.
        """
        if table.created.manual_start or len(table.reservations) > len(taken):
            return Plan(taken, cause)
        client_seeds = table.client_seeds
        for event in taken:
            client_seeds = put(client_seeds, event.seat, event.client_seed)
        return Plan([*taken, *await self._start_events_of(table, client_seeds)], cause)

    async def leave(self, game_id: str, principal: access.Principal, request: RequestKey | None) -> Change:
        """Give up a seat before the start."""

        async def plan(table: Table) -> Plan:
            seat = access.acting_seat(table, principal)
            _check_not_started(table)
            check_leaving(table, seat)
            return Plan([SeatLeft(seat)], seat)

        return await self._writer.change(game_id, plan, request, principal)

    async def start(self, game_id: str, principal: access.Principal, request: RequestKey | None) -> Change:
        """Start a game whose seats are all taken."""

        async def plan(table: Table) -> Plan:
            seat = access.acting_seat(table, principal)
            _check_not_started(table)
            if not table.full:
                open_seats = sum(not chair.taken for chair in table.chairs)
                raise NotNow(f"{open_seats} seats are still open", reason="GAME_NOT_FULL")
            return Plan(await self._start_events_of(table, table.client_seeds), seat)

        return await self._writer.change(game_id, plan, request, principal)

    def _check_may_join(
        self, table: Table, principal: access.Principal, wanted: int | None, invite_code: str
    ) -> None:
        """Raise unless the caller may take a seat.

        A caller with an identity may take several seats, but must name each further one: a join that is sent
        twice by accident must not take two seats.
        """
        mine = access.owns_seat(table, principal)
        if mine and (wanted is None or isinstance(principal, access.SeatKey)):
            raise AlreadyJoined("you already have a seat in this game")
        # Constant time, so that guesses learn nothing from the duration. A wrong code is answered like an
        # unknown id: nobody without the code may learn that the private game exists.
        invited = hmac.compare_digest(self.invite_code(table).encode(), invite_code.encode())
        if table.private and not (invited or mine or access.has_reservation(table, principal)):
            raise NotFound(f"there is no game {table.game_id}")

    async def _start_events_of(self, table: Table, client_seeds: Sequence[bytes]) -> Sequence[Any]:
        key = luck_key(await self._tables.seed(table.game_id), client_seeds)
        return self._start_events(table.created, SeededChance(key, table.position))

    def _start_events(self, created: GameCreated, chance: SeededChance) -> Sequence[Any]:
        rules = self._catalog[created.title]
        return [GameStarted(), *rules.setup(created.options, created.seat_count, chance)]

    def new_id(self, request: RequestKey | None) -> str:
        """Return the id of a new game; a repeated request gets the same id, and so finds its first answer."""
        name = request.id if request else self._entropy(16).hex()
        return self.derive("game", name, 20)

    def derive(self, purpose: str, name: str, length: int) -> str:
        """Return a string of letters and digits that can be computed only with the secret."""
        digest = hmac.digest(self._secret, f"shedu:{purpose}:{name}".encode(), hashlib.sha256)
        return base64.b32encode(digest).decode().lower()[:length]


def _seat_count(spec: GameSpec, rules: AnyRules) -> int:
    """Return the number of seats of a new game; raises InvalidRequest if the title does not allow it."""
    count = spec.seat_count or len(spec.seats) or rules.seats.start
    if spec.seats and len(spec.seats) != count:
        raise InvalidRequest("seats", f"must have one entry for each of {count} chairs")
    if count not in rules.seats:
        raise InvalidRequest("seat_count", f"{spec.title} seats {span(rules.seats[0], rules.seats[-1])}")
    return count


def _open_chair(table: Table, wanted: int | None, principal: access.Principal) -> Seat:
    """Return the seat to take: the wanted one, else one reserved for the caller, else any unreserved one.

    Raises NotFound or NotNow if there is none.
    """
    if wanted is not None and wanted >= len(table.chairs):
        last = len(table.chairs) - 1
        raise NotFound(f"there is no seat {wanted}: the seats are 0 to {last}", reason="SEAT_NOT_FOUND")
    if table.full:
        raise NotNow("every seat is taken", reason="GAME_FULL")
    if wanted is not None and table.chairs[wanted].taken:
        raise NotNow(f"seat {wanted} is taken", reason="SEAT_TAKEN")
    caller_id = principal.id if isinstance(principal, access.Caller) else ""
    mine = [seat for seat, owner in table.reservations.items() if owner and owner == caller_id]
    unreserved = [seat for seat, owner in table.reservations.items() if not owner]
    for seat in (*mine, *unreserved):
        if wanted in (None, seat):
            return seat
    reserved = "every open seat" if wanted is None else f"seat {wanted}"
    raise NotNow(f"{reserved} is reserved for someone else", reason="SEAT_RESERVED")


def _check_not_over(table: Table) -> None:
    """A game that was abandoned before it started is over, but still has open seats."""
    if table.status is Status.FINISHED:
        raise NotNow("the game is over", reason="GAME_FINISHED")


def _check_not_started(table: Table) -> None:
    if table.status is not Status.GATHERING:
        raise NotNow("the game has started", reason="GAME_STARTED")
