"""A server of games."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Self

from .. import arguments
from ..addresses import Certificates, address_of, token_of
from ..async_io import Stream, sleep
from ..connection_monitor import Tell
from ..errors import SheduError
from ..resuming import InboxResume, OnCursor
from ..title_types import Options
from ..v1 import catalog_service_pb2, game_pb2
from ..v1 import game_service_pb2 as pb
from ..v1 import match_service_pb2 as match_pb
from ..v1 import player_service_pb2 as player_pb
from .games import Game, Player
from .wire import Wire

PAGE = 100
PATIENCE = 30.0
TICKET_POLL = 0.5  # seconds between two looks at a ticket


class Server:
    """Games are created, found and entered here. Close it, or use it in `async with`."""

    def __init__(self, wire: Wire, token: str) -> None:
        self._wire, self._token = wire, token

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._wire.address.target}>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._wire.close()

    async def titles(self) -> list[catalog_service_pb2.Title]:
        """Returns the titles that can be played here."""
        found: list[catalog_service_pb2.Title] = []
        token = ""
        while True:
            request = catalog_service_pb2.ListTitlesRequest(page_size=PAGE, page_token=token)
            page = await self._wire.call(self._wire.catalog.ListTitles, request, self._token)
            found += page.titles
            token = page.next_page_token
            if not token:
                return found

    async def title(self, title: str) -> catalog_service_pb2.Title:
        """One title: its seats, options, rules and hosted bots."""
        request = catalog_service_pb2.GetTitleRequest(title=title)
        return (await self._wire.call(self._wire.catalog.GetTitle, request, self._token)).title

    async def create(
        self,
        title: str,
        *,
        seats: int | Sequence[game_pb2.SeatPlan] = 0,
        bots: Sequence[str] = (),
        options: Options | None = None,
        clock: game_pb2.Clock | None = None,
        spectators: game_pb2.Spectators | None = None,
        visibility: arguments.Visibility = "public",
        reveal: arguments.Reveal = "full",
        forks: arguments.Forks = "any_time",
        manual_start: bool = False,
        request_id: str = "",
    ) -> Game:
        """Opens a table: with so many seats, or as few as the title allows; the bots sit on the last ones."""
        if bots and seats == 0:
            seats = arguments.seat_count(await self.title(title), len(bots))
        plans = arguments.seat_plans(seats, bots)
        request = pb.CreateGameRequest(
            title=title,
            options=arguments.options_of(options),
            seat_count=seats if isinstance(seats, int) else 0,
            seats=plans,
            clock=clock,
            spectators=spectators,
            visibility=arguments.visibility(visibility),
            reveal=arguments.reveal(reveal),
            forks=arguments.forks(forks),
            manual_start=manual_start,
            request_id=request_id or arguments.new_request_id(),
        )
        made = await self._wire.call(self._wire.games.CreateGame, request, self._token)
        return Game(
            self._wire,
            made.game.game_id,
            self._token,
            invite_code=made.invite_code,
            spectator_token=made.spectator_token,
        )

    def game(self, game_id: str, *, token: str = "", invite_code: str = "") -> Game:
        """A game that is there already; `token` is a spectator's, where the game asks for one."""
        return Game(self._wire, game_id, token or self._token, invite_code=invite_code)

    def player(self, game_id: str, seat: int, token: str = "") -> Player:
        """A seat that was taken before: with its token, or as the caller who took it."""
        return Player(self._wire, game_id, seat, token or self._token)

    async def games(
        self,
        title: str = "",
        *,
        status: arguments.Status | None = None,
        mine: bool = False,
        joinable: bool = False,
        created_after: datetime | None = None,
    ) -> Stream[game_pb2.Game]:
        """Public games, newest first."""
        token = ""
        while True:
            request = pb.ListGamesRequest(
                title=title,
                status=arguments.status(status),
                mine=mine,
                joinable=joinable,
                created_after=arguments.moment(created_after),
                page_size=PAGE,
                page_token=token,
            )
            page = await self._wire.call(self._wire.games.ListGames, request, self._token)
            for game in page.games:
                yield game
            token = page.next_page_token
            if not token:
                return

    async def match(
        self,
        title: str,
        *,
        name: str = "",
        rated: bool = False,
        seats: int = 0,
        bots_after: float | None = None,
    ) -> Player:
        """Plays with strangers: waits until the server has found a game, and returns your seat in it.

        With `bots_after`, bots may take open seats after so many seconds. A ticket that expires is replaced.
        """
        while True:
            made = await self._ticket(title, name, rated, seats, bots_after)
            matched = await self._matched(made.ticket, made.ticket_token)
            if matched is not None:
                game_id, seat = matched.ticket.game_id, matched.ticket.seat
                return self.player(game_id, seat, "" if self._token else matched.seat_token)

    async def _ticket(
        self, title: str, name: str, rated: bool, seats: int, bots_after: float | None
    ) -> match_pb.CreateTicketResponse:
        request = match_pb.CreateTicketRequest(
            title=title, display_name=name, rated=rated, min_seats=seats, request_id=uuid.uuid4().hex
        )
        if bots_after is not None:
            request.bots_after.FromMilliseconds(int(bots_after * 1000))
        return await self._wire.call(self._wire.matches.CreateTicket, request, self._token)

    async def _matched(self, ticket: match_pb.Ticket, token: str) -> match_pb.GetTicketResponse | None:
        """Waits for the game of a ticket; None if it expires. Cancels it if the wait is interrupted."""
        ticket_id = ticket.ticket_id
        try:
            while ticket.status == match_pb.TICKET_STATUS_WAITING:
                await sleep(TICKET_POLL)
                request = match_pb.GetTicketRequest(ticket_id=ticket_id, ticket_token=token)
                found = await self._wire.call(self._wire.matches.GetTicket, request, self._token)
                ticket = found.ticket
                if ticket.status == match_pb.TICKET_STATUS_MATCHED:
                    return found
        except BaseException:
            with suppress(SheduError):
                cancel = match_pb.CancelTicketRequest(ticket_id=ticket_id, ticket_token=token)
                await self._wire.call(self._wire.matches.CancelTicket, cancel, self._token)
            raise
        return None

    async def profile(self) -> player_pb.Player:
        """Returns how others see you: your handle and your ratings. Needs an identity."""
        request = player_pb.GetProfileRequest()
        return (await self._wire.call(self._wire.players.GetProfile, request, self._token)).player

    def inbox(self, cursor: str = "", *, on_cursor: OnCursor | None = None) -> Stream[pb.InboxItem]:
        """Streams everything that needs your attention in all games: all that is pending, then news.

        After a break it begins again with what is still pending. `on_cursor` gets the position after what you
        have handled; with it as `cursor`, a later program also gets what started or ended meanwhile.
        """
        resume = InboxResume(cursor, on_cursor)
        return self._wire.follow(self._wire.games.WatchInbox, resume, self._token)


def connect(
    server: str = "",
    *,
    token: str | None = None,
    patience: float = PATIENCE,
    roots: bytes | None = None,
    client_cert: bytes | None = None,
    client_key: bytes | None = None,
    tell: Tell | None = None,
) -> Server:
    """A server at `host:port`, `grpc://…` or, with TLS, `grpcs://…`.

    `token` is an API key or a JWT where the server asks for one. Left out, SHEDU_SERVER and SHEDU_TOKEN say
    both. With TLS, `roots` are the authorities to trust and `client_cert` with `client_key` what to present,
    all PEM; left out, they are read from the files that SHEDU_SERVER_CA, SHEDU_CLIENT_CERT and
    SHEDU_CLIENT_KEY name.

    For `patience` seconds a call is tried again while nobody answers; `tell` gets a line for people when that
    takes half a second, and when somebody answers again.
    """
    certificates = Certificates(roots, client_cert, client_key)
    return Server(Wire(address_of(server, certificates), patience, tell), token_of(token))
