"""The use cases of matchmaking: create, get, cancel and watch a ticket."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from gamehost.play import access
from gamehost.play.background.schedule import Schedule
from gamehost.play.background.schedule_worker import ScheduleWorker
from gamehost.play.errors import InvalidRequest, NotFound, NotNow, PlayError, TooMuch, Unavailable
from gamehost.play.players.players import Players
from gamehost.play.players.profiles import caller_digest
from gamehost.play.players.rating_model import NEW_PLAYER
from gamehost.play.ports.caller_news import CallerNews
from gamehost.play.ports.codec import Codec
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.ports.listings import Listing, Listings
from gamehost.play.ports.maps import Maps
from gamehost.play.ports.metrics import BackgroundMetrics, PlayMetrics
from gamehost.play.table.events import Clock, GameCreated, Visibility
from gamehost.play.table.table import EventRecord
from gamehost.play.use_cases.create_and_join import CreateAndJoin
from gamehost.play.use_cases.matched_games import MatchedGames
from gamehost.play.use_cases.rated_seats import rated_not_available
from gamehost.rules.kit import AnyRules, span

from .matcher import Matcher
from .pairing import MatchRules
from .pools import Pools
from .tickets import SECOND_MICROS, Ticket, Tickets, TicketStatus, ended

TICKETS_SECONDS = 86400
POOLS_AT_ONCE, POOL_LEASE = 8, 10.0
WATCH_POLL = 0.5  # seconds between two looks of a stream at its ticket
CANCEL_ATTEMPTS, CANCEL_PAUSE = 20, 0.1


class MatchStore(Maps, Listings, Protocol):
    """The ports that matchmaking needs: maps for pools and tickets, and a list of each caller's tickets."""


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """The settings of matchmaking.

    `expiry` is in seconds; `most_tickets` of a caller wait at the same time, 0 for no limit.
    """

    rules: MatchRules = MatchRules()  # noqa: RUF009  immutable, so sharing is safe
    expiry: float = 1800.0
    most_tickets: int = 0


@dataclass(frozen=True, slots=True)
class TicketSpec:
    """The parameters of a new ticket. `options` is None for any; `bots_after` is in microseconds."""

    title: str
    options: Any
    min_seats: int
    max_seats: int
    clock: Clock | None
    rated: bool
    bots_after: int | None
    bot_level: str
    display_name: str


@dataclass(frozen=True, slots=True)
class KnownOwner:
    """What matchmaking knows of the owner of a ticket: see `Ticket`."""

    player: str = ""
    rating: int = NEW_PLAYER
    avoided: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()


class Matchmaking:
    """Creates and changes tickets. `clock` returns microseconds since 1970."""

    def __init__(
        self,
        store: MatchStore,
        codec: Codec,
        catalog: Mapping[str, AnyRules],
        create_and_join: CreateAndJoin,
        games: MatchedGames,
        players: Players | None,
        schedule: Schedule,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        settings: MatchSettings,
        heartbeat: float,
        play_metrics: PlayMetrics,
    ) -> None:
        self._metrics = play_metrics
        self._store, self._codec, self._catalog, self._games = store, codec, catalog, games
        self._create_and_join, self._players, self._schedule = create_and_join, players, schedule
        self._clock, self._entropy, self._settings = clock, entropy, settings
        self._heartbeat = heartbeat
        self._tickets, self._pools = Tickets(store), Pools(store)
        self._draining = asyncio.Event()

    def matcher(self, metrics: BackgroundMetrics, news: CallerNews) -> ScheduleWorker:
        """Return the loop that makes games of waiting tickets."""
        matcher = Matcher(
            self._store,
            self._codec,
            self._games,
            self._clock,
            self._entropy,
            self._settings.rules,
            metrics,
            news,
            self._players.profiles if self._players else None,
        )
        return ScheduleWorker(
            self._schedule, matcher.check, self._clock, metrics, capacity=POOLS_AT_ONCE, lease=POOL_LEASE
        )

    def drain(self) -> None:
        """End all streams of this process."""
        self._draining.set()

    async def create(
        self, spec: TicketSpec, principal: access.Principal, payer: str, request: RequestKey | None
    ) -> Ticket:
        """Create a ticket and let it wait; a repeated request gets the ticket of the first one."""
        name = request.id if request else self._entropy(16).hex()
        ticket_id = self._create_and_join.derive("ticket", name, 20)
        fingerprint = request.fingerprint.hex() if request else ""
        known = await self._tickets.read(ticket_id)
        if known is not None:
            return await self._as_it_is(self._repeated(known, fingerprint))
        ticket = await self._new(ticket_id, spec, principal, payer, fingerprint)
        await self._claim(payer, ticket)
        # Scheduled before it enters the pool: of a process that dies in between, an empty pool is looked at.
        # The pool before the ticket: a process that dies in between leaves a ticket that waits, and a
        # repeated request finds it there. In the opposite order it could enter it again after its match.
        await self._schedule.schedule(ticket.pool, self._clock())
        try:
            await self._pools.add(ticket)
        except PlayError:
            await self._store.remove_from_list(tickets_list(payer), ticket.id)
            raise
        stored = await self._tickets.change(ticket, lambda now: now)
        await self._schedule.schedule(ticket.pool, self._clock())
        return self._repeated(stored, fingerprint)

    def _repeated(self, ticket: Ticket, fingerprint: str) -> Ticket:
        if ticket.fingerprint != fingerprint:
            raise InvalidRequest(
                "request_id", "was already used for a different request", reason="REQUEST_ID_REUSED"
            )
        return ticket

    async def _new(
        self, ticket_id: str, spec: TicketSpec, principal: access.Principal, payer: str, fingerprint: str
    ) -> Ticket:
        asked = self._wish(spec)
        fewest, most = self._seats(spec)
        charged, games_list = await self._games.check_limits(payer, bots=spec.bots_after is not None)
        owner = principal.id if isinstance(principal, access.Caller) else ""
        known = await self._known(owner, spec.title)
        if spec.rated and not known.player:
            raise rated_not_available()
        now = self._clock()
        return Ticket(
            ticket_id,
            self._pool(asked),
            spec.title,
            owner,
            caller_digest(owner) if owner else ticket_id,
            known.player,
            known.rating,
            spec.rated,
            self._encoded(asked),
            spec.options is None,
            fewest,
            most,
            now,
            now + int(self._settings.expiry * SECOND_MICROS),
            spec.display_name,
            spec.bots_after,
            spec.bot_level,
            known.avoided,
            known.recent,
            charged,
            games_list,
            fingerprint,
        )

    async def _known(self, owner: str, title: str) -> KnownOwner:
        """Return what matters of the owner of a ticket; that of a new player for one without an identity."""
        if not owner or self._players is None:
            return KnownOwner()
        profile = await self._players.profiles.of_caller(owner)
        ratings = await self._players.sequence.ratings(title, [profile.key])
        rating = ratings[profile.key].points if ratings else NEW_PLAYER
        recent = await self._players.recent.of(profile.key)
        return KnownOwner(profile.key, rating, profile.blocked_callers, recent)

    def _wish(self, spec: TicketSpec) -> GameCreated:
        """Return the event that stands for what a ticket asks for; raises InvalidRequest."""
        rules = self._create_and_join.rules(spec.title)
        options = rules.options() if spec.options is None else spec.options
        clock = self._create_and_join.clock_with_level(spec.title, spec.clock)
        return wish(spec.title, options, clock, rated=spec.rated)

    def _encoded(self, asked: GameCreated) -> bytes:
        return self._codec.encode_record(asked.title, EventRecord(1, 0, None, False, asked))

    def _pool(self, asked: GameCreated) -> str:
        """Return the name of the pool: what all of its tickets have in common."""
        rules = self._catalog[asked.title]
        common = wish(asked.title, rules.options(), asked.clock, rated=asked.rated)
        return self._create_and_join.derive("pool", self._encoded(common).hex(), 20)

    def _seats(self, spec: TicketSpec) -> tuple[int, int]:
        """Return the smallest and the greatest number of seats; raises InvalidRequest."""
        rules = self._create_and_join.rules(spec.title)
        allowed = [seats for seats in rules.seats if seats > 1]
        fewest = spec.min_seats or allowed[0]
        most = spec.max_seats or (spec.min_seats or allowed[-1])
        for field, seats in (("min_seats", fewest), ("max_seats", most)):
            if seats not in allowed:
                raise InvalidRequest(field, f"{spec.title} seats {span(allowed[0], allowed[-1])} here")
        if fewest > most:
            raise InvalidRequest("max_seats", "must not be less than min_seats")
        if spec.bots_after is not None:
            self._games.check_level(spec.title, spec.bot_level)
            if fewest - 1 > self._games.most_bots(spec.title, rated=spec.rated):
                raise InvalidRequest("bots_after", "must be left out: the title has too few levels of bots")
        return fewest, most

    async def _claim(self, payer: str, ticket: Ticket) -> None:
        """Count a ticket against the limit of its caller; raises TooMuch."""
        most = self._settings.most_tickets
        if not (payer and most):
            return
        name = tickets_list(payer)
        await self._store.add_to_list(name, Listing(ticket.id, ticket.created), seconds=TICKETS_SECONDS)
        if await self._store.list_size(name) <= most:
            return
        for listing in await self._store.list_page(name, before=None, limit=4 * most):
            known = await self._tickets.read(listing.game)
            fresh = listing.score > self._clock() - 60 * SECOND_MICROS
            if known.status is not TicketStatus.WAITING if known else not fresh:
                await self._store.remove_from_list(name, listing.game)
        if await self._store.list_size(name) > most:
            await self._store.remove_from_list(name, ticket.id)
            raise TooMuch(f"you have {most} waiting tickets, which is the limit", 10.0)

    async def get(self, ticket_id: str, principal: access.Principal, token: str) -> Ticket:
        """Return a ticket of the caller; raises NotFound."""
        return await self._as_it_is(await self._stored(ticket_id, principal, token))

    async def _as_it_is(self, ticket: Ticket) -> Ticket:
        """Return what has become of a ticket, also if a process died before it had written that down."""
        if ticket.status is not TicketStatus.WAITING:
            return ticket
        expired = ticket.expires <= self._clock()
        if (expired and await self._pools.remove(ticket)) or not await self._pools.holds(ticket):
            # It has left the pool. If it did so for a game, the newest version of it says so, and stays.
            status = TicketStatus.EXPIRED if expired else TicketStatus.CANCELLED
            return await self._tickets.change(ticket, ended(status))
        await self._schedule.schedule(ticket.pool, self._clock())
        return ticket

    async def _stored(self, ticket_id: str, principal: access.Principal, token: str) -> Ticket:
        ticket = await self._tickets.read(ticket_id)
        if ticket is None or not self._is_owner(ticket, principal, token):
            raise NotFound("you have no such ticket", reason="TICKET_NOT_FOUND")
        return ticket

    def _is_owner(self, ticket: Ticket, principal: access.Principal, token: str) -> bool:
        if ticket.owner:
            return isinstance(principal, access.Caller) and principal.id == ticket.owner
        # In constant time, so that guesses learn nothing from the duration.
        return hmac.compare_digest(self.token(ticket).encode(), token.encode())

    def token(self, ticket: Ticket) -> str:
        """Return what names a ticket in calls of a caller without an identity; "" for others."""
        if ticket.owner:
            return ""
        return f"shedu_ticket_{self._create_and_join.derive('ticket token', ticket.id, 32)}"

    async def cancel(self, ticket_id: str, principal: access.Principal, token: str) -> Ticket:
        """Cancel a ticket that waits; raises NotNow if it has led to a game."""
        for _ in range(CANCEL_ATTEMPTS):
            ticket = await self.get(ticket_id, principal, token)
            if ticket.status is TicketStatus.MATCHED:
                raise NotNow("the ticket has led to a game", reason="TICKET_MATCHED", game_id=ticket.game_id)
            if ticket.status is not TicketStatus.WAITING:
                return ticket
            removed = await self._pools.remove(ticket)
            if removed or not await self._pools.holds(ticket):
                cancelled = await self._tickets.change(ticket, ended(TicketStatus.CANCELLED))
                if removed:
                    self._count_cancelled(cancelled)
                if cancelled.status is not TicketStatus.MATCHED:
                    return cancelled
                continue  # it has led to a game between two of these steps
            await asyncio.sleep(CANCEL_PAUSE)  # it is in a match whose game is being made
        raise Unavailable("a game is being made for this ticket; try again", retry_after=1.0)

    def _count_cancelled(self, ticket: Ticket) -> None:
        waited = max(0, self._clock() - ticket.created) / SECOND_MICROS
        self._metrics.count_ticket(ticket.title, TicketStatus.CANCELLED.value, waited)

    async def watch(
        self, ticket_id: str, principal: access.Principal, token: str
    ) -> AsyncGenerator[Ticket | None]:
        """Yield a ticket whenever it has changed, None as a heartbeat; ends when it waits no longer.

        Ends early if this process is draining, see `draining`.
        """
        ticket = await self.get(ticket_id, principal, token)
        yield ticket
        quiet = 0.0
        while ticket.status is TicketStatus.WAITING and not self.draining:
            await self._pause(min(WATCH_POLL, self._heartbeat))
            now, quiet = await self._stored(ticket_id, principal, token), quiet + WATCH_POLL
            if quiet >= self._heartbeat or now.expires <= self._clock():
                now = await self._as_it_is(now)
            if now != ticket or quiet >= self._heartbeat:
                yield now if now != ticket else None
                ticket, quiet = now, 0.0

    @property
    def draining(self) -> bool:
        """Whether this process ends its streams."""
        return self._draining.is_set()

    async def _pause(self, seconds: float) -> None:
        waiting: Awaitable[Any] = self._draining.wait()
        try:
            async with asyncio.timeout(seconds):
                await waiting
        except TimeoutError:
            return


def tickets_list(payer: str) -> str:
    """Return the name of the list of a caller's tickets."""
    return f"tickets:{caller_digest(payer)}"


def wish(title: str, options: Any, clock: Clock | None, *, rated: bool) -> GameCreated:
    """Return an event that stands for what a ticket asks for; its other fields say nothing."""
    return GameCreated(title, 0, 0, options, Visibility.PUBLIC, False, b"", clock=clock, rated=rated)
