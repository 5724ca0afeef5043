"""Handlers of the GameService rpcs to create, join, play and watch games.

A handler turns its request message into a call of a use case, and the result into the response message.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.pipeline.call import Call
from gamehost.codec.encoded import EncodedMessage
from gamehost.codec.messages import STATUS_OF, EncodedEvent, MessageRenderer
from gamehost.codec.mirror import Undecodable
from gamehost.codec.table_events import (
    FORKS_OF,
    REVEAL_OF,
    SEAT_PLAN,
    SPECTATORS_OF,
    TALK_OF,
    VISIBILITY_OF,
    clock_of,
)
from gamehost.play import access
from gamehost.play.application import Application
from gamehost.play.errors import InvalidRequest, Stale, WrongTitle
from gamehost.play.ports.listings import Listing
from gamehost.play.table.events import SeatPlan, Spectators, Talk, Visibility
from gamehost.play.table.table import EventRecord, Table
from gamehost.play.use_cases.create_and_join import GameSpec
from gamehost.play.use_cases.lobby import GameFilter
from gamehost.play.use_cases.play_action import DecisionAnswer
from gamehost.play.use_cases.rated_seats import rated_not_available
from gamehost.play.viewing import Viewpoint
from gamehost.rules.kit import Seat
from shedu.v1 import error_reason_pb2, game_pb2
from shedu.v1 import game_service_pb2 as pb

from .idempotency import caller_scope, idempotency_key, seat_scope
from .paging import page_position, page_size, page_token, parsed_number
from .reading import (
    WATCH_ALWAYS,
    LegalActionLists,
    Selection,
    requested_options,
    rest_of_list,
    selection,
)
from .watch_messages import WatchMessages, WatchSelection

MOST_MISSED_EVENTS = 100  # in the error of a stale call
MISSED_EVENTS_BYTES = 4096  # error details travel in gRPC trailers, which clients limit to 8 KiB or so


class GameHandlers:
    """Answers the rpcs that every game needs. The contract describes each of them."""

    def __init__(self, codec: MessageRenderer, application: Application, tokens: SeatTokens) -> None:
        self._codec, self._tokens = codec, tokens
        self._tables, self._lobby = application.tables, application.lobby
        self._create_and_join, self._play_action = application.create_and_join, application.play_action
        self._watching, self._viewing = application.watching, application.viewing
        self._talk, self._legal_actions = application.talk, LegalActionLists(codec)
        self._watch_messages = WatchMessages(codec, self._legal_actions, application.metrics)

    async def create_game(self, request: pb.CreateGameRequest, call: Call) -> pb.CreateGameResponse:
        spec = GameSpec(
            request.title,
            self._options(request),
            request.seat_count,
            VISIBILITY_OF.get(request.visibility, Visibility.PUBLIC),
            request.manual_start,
            REVEAL_OF[request.reveal],
            Spectators(SPECTATORS_OF[request.spectators.policy], request.spectators.delay),
            _seat_plan(request, call.principal),
            clock_of(request.clock) if request.HasField("clock") else None,
            forks=FORKS_OF[request.forks],
            rated=request.rated,
            talk=Talk(TALK_OF[request.talk.policy], request.talk.spectators),
        )
        self._talk.check_policy(spec.talk.policy)
        if spec.rated and not isinstance(call.principal, access.Caller):
            raise rated_not_available()
        table = await self._create_and_join.create(
            spec, idempotency_key(caller_scope("create", call), request), call.payer
        )
        call.note(game=table.game_id, version=table.version)
        return pb.CreateGameResponse(
            game=self._codec.game(table),
            invite_code=self._create_and_join.invite_code(table),
            spectator_token=self._tokens.of_spectators(table),
        )

    async def get_game(self, request: pb.GetGameRequest, call: Call) -> pb.GetGameResponse:
        table = await self._viewing.game(request.game_id, call.principal)
        call.note(game=table.game_id, version=table.version)
        return pb.GetGameResponse(game=self._codec.game(table))

    async def list_games(self, request: pb.ListGamesRequest, call: Call) -> pb.ListGamesResponse:
        position = page_position(request, request.page_token, 2)
        tables, last = await self._lobby.page(
            _filter(request),
            call.principal,
            before=Listing(position[1], parsed_number(position[0])) if position else None,
            limit=page_size(request.page_size, 50, 100),
        )
        # The token is the last entry and not a count: games enter and leave the list between two pages.
        more = page_token(request, last.score, last.game) if last else ""
        visible = await self._viewing.games(tables, call.principal)
        return pb.ListGamesResponse(games=map(self._codec.game, visible), next_page_token=more)

    async def join_game(self, request: pb.JoinGameRequest, call: Call) -> pb.JoinGameResponse:
        change, seat = await self._create_and_join.join(
            request.game_id,
            call.principal,
            seat=request.seat if request.HasField("seat") else None,
            display_name=request.display_name,
            invite_code=request.invite_code,
            client_seed=request.client_seed,
            request=idempotency_key(caller_scope("join", call), request),
        )
        table = change.table
        call.note(game=table.game_id, seat=seat, version=table.version)
        # From the time of the event, not from now: a repeated request must get the same token.
        token = self._tokens.of_seat(table, seat, since=change.records[0].at / 1e6)
        return pb.JoinGameResponse(game=self._codec.game(table), seat=seat, seat_token=token)

    async def leave_game(self, request: pb.LeaveGameRequest, call: Call) -> pb.LeaveGameResponse:
        change = await self._create_and_join.leave(
            request.game_id, call.principal, idempotency_key(seat_scope(call), request)
        )
        table = change.table
        call.note(game=table.game_id, seat=change.records[0].seat, version=table.version)
        return pb.LeaveGameResponse(game=self._codec.game(table))

    async def start_game(self, request: pb.StartGameRequest, call: Call) -> pb.StartGameResponse:
        change = await self._create_and_join.start(
            request.game_id, call.principal, idempotency_key(seat_scope(call), request)
        )
        table = change.table
        call.note(game=table.game_id, seat=change.records[0].seat, version=table.version)
        return pb.StartGameResponse(game=self._codec.game(table))

    async def get_view(self, request: pb.GetViewRequest, call: Call) -> EncodedMessage:
        wanted = selection(request, pb.GetViewResponse)
        table, seat = await self._requested_table(request, call)
        return self._codec.response(
            pb.GetViewResponse,
            view=self._wanted_view(wanted, table, seat),
            legal_actions=self._legal_actions.selected(wanted, table, seat, rest_of_list(request)),
        )

    async def list_legal_actions(self, request: pb.ListLegalActionsRequest, call: Call) -> EncodedMessage:
        # Spectators may see views, but legal actions are for those who act.
        table, seat = await self._requested_table(request, call, acting=not request.HasField("as_seat"))
        # Actions are numbered within one version, so a page token of another version is refused.
        return self._legal_actions.page(request, table, seat, self._legal_start(request, table))

    async def play_action(self, request: pb.PlayActionRequest, call: Call) -> EncodedMessage:
        wanted = selection(request, pb.PlayActionResponse)  # before anything is written: it may be invalid
        answer = DecisionAnswer(
            request.decision_id,
            await self._action(request, call.principal),
            request.expected_version if request.HasField("expected_version") else None,
        )
        call.note(game=request.game_id)
        try:
            if request.validate_only:
                change = await self._play_action.validate(request.game_id, call.principal, answer)
            else:
                request_key = idempotency_key(seat_scope(call), request)
                change = await self._play_action.play(request.game_id, call.principal, answer, request_key)
        except Stale as stale:
            raise await self._with_missed_events(stale, request.game_id, call.principal) from None
        table = change.table
        # `validate_only` writes no records. A repeated call has those of the first one, and their seat.
        seat = change.records[0].seat if change.records else access.acting_seat(table, call.principal)
        call.note(seat=seat, version=table.version)
        return self._codec.response(
            pb.PlayActionResponse,
            self._encoded_events(table, change.records, seat) if wanted.mask.wants("events") else (),
            self._wanted_view(wanted, table, seat),
            self._legal_actions.selected(wanted, table, seat, rest_of_list(request)),
        )

    def _wanted_view(self, wanted: Selection, table: Table, seat: Seat | None) -> EncodedMessage | None:
        if not wanted.mask.wants("view"):
            return None
        return self._codec.encoded_view(table, seat, wanted.mask.part("view"))

    def _encoded_events(
        self, table: Table, records: Sequence[EventRecord], seat: Seat | None
    ) -> list[EncodedEvent]:
        everything = access.is_revealed(table, seat)
        return [self._codec.encoded_event(table, record, seat, everything=everything) for record in records]

    async def list_events(self, request: pb.ListEventsRequest, call: Call) -> pb.ListEventsResponse:
        viewpoint = await self._viewpoint(request.game_id, call)
        table, seat = viewpoint.table, access.seat_at_version(viewpoint.table, viewpoint.access)
        position = page_position(request, request.page_token, 1)
        after = parsed_number(position[0]) if position else request.after_version
        upto = after + page_size(request.page_size, 100, 1000)
        records = await self._viewing.records(viewpoint, after=after, upto=upto)
        return pb.ListEventsResponse(
            events=await self._many_events(table, records, seat),
            next_page_token=page_token(request, upto) if upto < table.version else "",
        )

    async def watch_game(
        self, request: pb.WatchGameRequest, call: Call
    ) -> AsyncIterator[pb.WatchGameResponse]:
        wanted = selection(request, pb.WatchGameResponse, WATCH_ALWAYS)
        viewpoint = await self._viewpoint(request.game_id, call)
        # Decided on the newest table: the replay of a finished game is unredacted from its first event on.
        everything = access.is_revealed(
            viewpoint.table, access.seat_at_version(viewpoint.table, viewpoint.access)
        )
        selected = WatchSelection(wanted, viewpoint.table.version, rest_of_list(request))
        after = request.after_version if request.HasField("after_version") else None
        watch = self._watching.watch(request.game_id, after, viewpoint.delay, viewpoint.table)
        async with aclosing(watch) as items:
            async for item in items:
                yield self._watch_messages.message(
                    item, viewpoint.access, everything=everything, selected=selected
                )

    async def _viewpoint(self, game_id: str, call: Call, *, acting: bool = False) -> Viewpoint:
        """Returns the viewpoint of the caller, and notes the game for the log line."""
        viewpoint = await self._viewing.viewpoint(game_id, call.principal, acting=acting)
        seat = viewpoint.access.seat if viewpoint.access else None
        call.note(game=game_id, seat=seat, version=viewpoint.table.version)
        return viewpoint

    async def _requested_table(
        self,
        request: pb.GetViewRequest | pb.ListLegalActionsRequest,
        call: Call,
        *,
        acting: bool = False,
    ) -> tuple[Table, Seat | None]:
        """The table at the requested version, and the seat to view it as; None for a spectator."""
        viewpoint = await self._viewpoint(request.game_id, call, acting=acting)
        table, seat = viewpoint.table, access.seat_at_version(viewpoint.table, viewpoint.access)
        # `as_seat` is checked at the newest table: whether the game is over does not depend on the version.
        as_seat = None
        if request.HasField("as_seat"):
            as_seat = access.seat_to_view_as(table, seat, request.as_seat)
        if request.HasField("version"):
            table = await self._viewing.table_at(viewpoint, request.version)
            seat = access.seat_at_version(table, viewpoint.access)
        return table, seat if as_seat is None else as_seat

    def _options(self, request: pb.CreateGameRequest) -> Any:
        """The options of the request, or the defaults of the title. Raises WrongTitle or InvalidRequest."""
        rules = self._create_and_join.rules(request.title)
        return requested_options(self._codec, rules, request.options)

    async def _action(self, request: pb.PlayActionRequest, principal: access.Principal) -> Any:
        """The action of the request. Raises WrongTitle or InvalidRequest."""
        # The title of a game never changes, so any cached table will do. That saves a read of the store.
        title = (await self._tables.cached(request.game_id)).rules.title
        action_title = request.action.WhichOneof("title")
        if action_title != title:
            # The seat is checked first, because the error names the title: that of a private game is secret.
            access.acting_seat(await self._tables.current(request.game_id), principal)
            raise WrongTitle("action", f"is for {action_title}, but the title is {title}")
        try:
            return self._codec.titles[title].action.decode(getattr(request.action, title))
        except Undecodable as error:
            raise InvalidRequest("action", str(error)) from None

    def _legal_start(self, request: pb.ListLegalActionsRequest, table: Table) -> int:
        """The index of the first action of the page. Raises Stale if the page token is of another version."""
        position = page_position(request, request.page_token, 2)
        if position is None:
            return 0
        version, start = parsed_number(position[0]), parsed_number(position[1])
        if version != table.version:
            message = f"the game has moved on from version {version} to {table.version}"
            raise Stale(message, reason="STALE_VERSION", seen=version, actual=table.version)
        return start

    def _events(
        self, table: Table, records: Sequence[EventRecord], seat: Seat | None
    ) -> list[game_pb2.Event]:
        everything = access.is_revealed(table, seat)
        return [self._codec.event(table, record, seat, everything=everything) for record in records]

    async def _many_events(
        self, table: Table, records: Sequence[EventRecord], seat: Seat | None
    ) -> list[game_pb2.Event]:
        """Like `_events` for a long list, yielding to other calls every few milliseconds."""
        slices, everything = self._tables.throttle.slices(), access.is_revealed(table, seat)
        events = []
        for record in records:
            await slices.turn()
            events.append(self._codec.event(table, record, seat, everything=everything))
        return events

    async def _with_missed_events(self, stale: Stale, game_id: str, principal: access.Principal) -> Stale:
        """Adds the newest events that the caller has missed, so that it need not ask for them."""
        table = await self._tables.current(game_id)
        seat = access.viewing_seat(table, principal)
        after = max(stale.seen, stale.actual - MOST_MISSED_EVENTS)
        records = await self._tables.read(game_id, after=after, upto=stale.actual)
        missed = error_reason_pb2.MissedEvents(
            events=self._events(table, records, seat), version=stale.actual
        )
        while missed.ByteSize() > MISSED_EVENTS_BYTES:
            del missed.events[0]  # the newest ones matter most, and are contiguous with `version`
        stale.details = [missed]
        return stale


def _filter(request: pb.ListGamesRequest) -> GameFilter:
    since = request.created_after.ToMicroseconds() if request.HasField("created_after") else None
    return GameFilter(request.title, STATUS_OF.get(request.status), request.mine, request.joinable, since)


def _seat_plan(request: pb.CreateGameRequest, principal: access.Principal) -> tuple[SeatPlan, ...]:
    """The seat plan of the request. Raises InvalidRequest for a reservation that no caller could ever take.

    Seats are reserved for identities, so a service without identities has no reservations. Ids begin with the
    kind of the identity, and a service has only one kind.
    """
    plan: tuple[SeatPlan, ...] = tuple(map(SEAT_PLAN.decode, request.seats))
    prefix = f"{principal.id.partition(':')[0]}:" if isinstance(principal, access.Caller) else ""
    for seat, (reserved_for, bot_level) in enumerate((each.reserved_for, each.bot_level) for each in plan):
        field = f"seats[{seat}].reserved_for"
        if reserved_for and not prefix:
            raise InvalidRequest(field, "this service has no identities, so seats cannot be reserved")
        if reserved_for and not (reserved_for.startswith(prefix) and len(reserved_for) > len(prefix)):
            raise InvalidRequest(field, f"must be the id of a caller, such as {prefix}alice")
        if reserved_for and bot_level:
            raise InvalidRequest(field, "is set for a seat that is to be played by a bot")
    return plan
