"""GameService: what is said on the wire, turned into play and back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import STATUS_OF, MessageRenderer
from gamehost.codec.mirror import Undecodable
from gamehost.codec.table_events import REVEAL_OF, SEAT_PLAN, SPECTATORS_OF, VISIBILITY_OF, clock_of
from gamehost.play import access
from gamehost.play.application import Application
from gamehost.play.errors import InvalidRequest, Stale, WrongTitle
from gamehost.play.ports.listings import Listing
from gamehost.play.table.events import SeatPlan, Spectators, Visibility
from gamehost.play.table.table import EventRecord, Table
from gamehost.play.use_cases.create_and_join import GameSpec
from gamehost.play.use_cases.lobby import GameFilter
from gamehost.play.use_cases.play_action import DecisionAnswer
from gamehost.play.viewing import Viewpoint
from gamehost.rules.kit import Seat
from shedu.v1 import error_reason_pb2, game_pb2
from shedu.v1 import game_service_pb2 as pb

from .idempotency import caller_scope, idempotency_key, seat_scope
from .paging import page_place, page_size, page_token, parsed_number
from .watch_messages import WatchMessages

MISSED = 100  # events that a stale caller is told at most
MISSED_BYTES = 4096  # as much as the trailers of a gRPC call hold safely


class GameHandlers:
    def __init__(self, codec: MessageRenderer, house: Application, tokens: SeatTokens) -> None:
        self._codec, self._tokens, self._showing = codec, tokens, WatchMessages(codec, house.metrics)
        self._tables, self._games, self._acting = house.tables, house.create_and_join, house.play_action
        self._lobby, self._watching, self._sights = house.lobby, house.watching, house.viewing

    async def create_game(self, request: pb.CreateGameRequest, call: Call) -> pb.CreateGameResponse:
        wish = GameSpec(
            request.title,
            self._options(request),
            request.seat_count,
            VISIBILITY_OF.get(request.visibility, Visibility.PUBLIC),
            request.manual_start,
            REVEAL_OF[request.reveal],
            Spectators(SPECTATORS_OF[request.spectators.policy], request.spectators.delay),
            _seat_plan(request, call.principal),
            clock_of(request.clock) if request.HasField("clock") else None,
        )
        table = await self._games.create(
            wish, idempotency_key(caller_scope("create", call), request), call.payer
        )
        call.note(game=table.game_id, version=table.version)
        return pb.CreateGameResponse(
            game=self._codec.game(table),
            invite_code=self._games.invite_code(table),
            spectator_token=self._tokens.of_spectators(table),
        )

    async def get_game(self, request: pb.GetGameRequest, call: Call) -> pb.GetGameResponse:
        table = await self._sights.game(request.game_id, call.principal)
        call.note(game=table.game_id, version=table.version)
        return pb.GetGameResponse(game=self._codec.game(table))

    async def list_games(self, request: pb.ListGamesRequest, call: Call) -> pb.ListGamesResponse:
        place = page_place(request, request.page_token, 2)
        tables, last = await self._lobby.page(
            _wanted(request),
            call.principal,
            before=Listing(place[1], parsed_number(place[0])) if place else None,
            limit=page_size(request.page_size, 50, 100),
        )
        more = page_token(request, last.score, last.game) if last else ""
        seen = await self._sights.games(tables, call.principal)
        return pb.ListGamesResponse(games=map(self._codec.game, seen), next_page_token=more)

    async def join_game(self, request: pb.JoinGameRequest, call: Call) -> pb.JoinGameResponse:
        change, seat = await self._games.join(
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
        token = self._tokens.of_seat(table, seat, since=change.records[0].at / 1e6)
        return pb.JoinGameResponse(game=self._codec.game(table), seat=seat, seat_token=token)

    async def leave_game(self, request: pb.LeaveGameRequest, call: Call) -> pb.LeaveGameResponse:
        change = await self._games.leave(
            request.game_id, call.principal, idempotency_key(seat_scope(call), request)
        )
        table = change.table
        call.note(game=table.game_id, seat=change.records[0].seat, version=table.version)
        return pb.LeaveGameResponse(game=self._codec.game(table))

    async def start_game(self, request: pb.StartGameRequest, call: Call) -> pb.StartGameResponse:
        change = await self._games.start(
            request.game_id, call.principal, idempotency_key(seat_scope(call), request)
        )
        table = change.table
        call.note(game=table.game_id, seat=change.records[0].seat, version=table.version)
        return pb.StartGameResponse(game=self._codec.game(table))

    async def get_view(self, request: pb.GetViewRequest, call: Call) -> pb.GetViewResponse:
        table, seat = await self._through(request, call)
        return pb.GetViewResponse(view=self._codec.view(table, seat))

    async def list_legal_actions(
        self, request: pb.ListLegalActionsRequest, call: Call
    ) -> pb.ListLegalActionsResponse:
        if not request.HasField("as_seat"):
            access.acting_seat(await self._tables.current(request.game_id), call.principal)
        table, seat = await self._through(request, call)
        start = self._legal_start(request, table)
        decision = None if seat is None else table.decision_of(seat)
        actions = list(table.rules.legal_actions(table.state, decision.seat)) if decision else []
        stop = start + page_size(request.page_size, 500, 1000)
        return pb.ListLegalActionsResponse(
            actions=[self._codec.legal_action(table.rules, action) for action in actions[start:stop]],
            decision=self._codec.decision(table, decision) if decision else None,
            version=table.version,
            next_page_token=page_token(request, table.version, stop) if stop < len(actions) else "",
        )

    async def play_action(self, request: pb.PlayActionRequest, call: Call) -> pb.PlayActionResponse:
        answer = DecisionAnswer(
            request.decision_id,
            await self._action(request, call.principal),
            request.expected_version if request.HasField("expected_version") else None,
        )
        call.note(game=request.game_id)
        try:
            if request.validate_only:
                change = await self._acting.validate(request.game_id, call.principal, answer)
            else:
                asked = idempotency_key(seat_scope(call), request)
                change = await self._acting.play(request.game_id, call.principal, answer, asked)
        except Stale as stale:
            raise await self._with_missed_events(stale, request.game_id, call.principal) from None
        table = change.table
        seat = change.records[0].seat if change.records else access.acting_seat(table, call.principal)
        call.note(seat=seat, version=table.version)
        return pb.PlayActionResponse(
            events=self._events(table, change.records, seat), view=self._codec.view(table, seat)
        )

    async def list_events(self, request: pb.ListEventsRequest, call: Call) -> pb.ListEventsResponse:
        sight = await self._look(request.game_id, call)
        table, seat = sight.table, access.seat_at_version(sight.table, sight.access)
        place = page_place(request, request.page_token, 1)
        after = parsed_number(place[0]) if place else request.after_version
        upto = after + page_size(request.page_size, 100, 1000)
        records = await self._sights.records(sight, after=after, upto=upto)
        return pb.ListEventsResponse(
            events=await self._many_events(table, records, seat),
            next_page_token=page_token(request, upto) if upto < table.version else "",
        )

    async def watch_game(
        self, request: pb.WatchGameRequest, call: Call
    ) -> AsyncIterator[pb.WatchGameResponse]:
        sight = await self._look(request.game_id, call)
        everything = access.is_revealed(sight.table, access.seat_at_version(sight.table, sight.access))
        after = request.after_version if request.HasField("after_version") else None
        async with aclosing(self._watching.watch(request.game_id, after, sight.delay)) as moments:
            async for moment in moments:
                yield self._showing.message(moment, sight.access, everything=everything)

    async def _look(self, game_id: str, call: Call) -> Viewpoint:
        sight = await self._sights.viewpoint(game_id, call.principal)
        call.note(game=game_id, seat=sight.access.seat if sight.access else None, version=sight.table.version)
        return sight

    async def _through(
        self, request: pb.GetViewRequest | pb.ListLegalActionsRequest, call: Call
    ) -> tuple[Table, Seat | None]:
        """The table at the version that is asked for, and the seat through whose eyes it is seen."""
        sight = await self._look(request.game_id, call)
        table, seat = sight.table, access.seat_at_version(sight.table, sight.access)
        wanted = access.seat_to_view_as(table, seat, request.as_seat) if request.HasField("as_seat") else None
        if request.HasField("version"):
            table = await self._sights.table_at(sight, request.version)
            seat = access.seat_at_version(table, sight.access)
        return table, seat if wanted is None else wanted

    def _options(self, request: pb.CreateGameRequest) -> Any:
        rules = self._games.rules(request.title)
        given = request.options.WhichOneof("title")
        if given is None:
            return rules.options()
        if given != request.title:
            raise WrongTitle("options", f"are those of {given}, but the title is {request.title}")
        try:
            return self._codec.titles[given].options.decode(getattr(request.options, given))
        except Undecodable as error:
            raise InvalidRequest("options", str(error)) from None

    async def _action(self, request: pb.PlayActionRequest, who: access.Principal) -> Any:
        title = (await self._tables.cached(request.game_id)).rules.title
        given = request.action.WhichOneof("title")
        if given != title:
            access.acting_seat(await self._tables.current(request.game_id), who)
            raise WrongTitle("action", f"is one of {given}, but the title is {title}")
        try:
            return self._codec.titles[title].action.decode(getattr(request.action, title))
        except Undecodable as error:
            raise InvalidRequest("action", str(error)) from None

    def _legal_start(self, request: pb.ListLegalActionsRequest, table: Table) -> int:
        place = page_place(request, request.page_token, 2)
        if place is None:
            return 0
        version, start = parsed_number(place[0]), parsed_number(place[1])
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
        """The same with others in between."""
        slices, everything = self._tables.pace.slices(), access.is_revealed(table, seat)
        events = []
        for record in records:
            await slices.turn()
            events.append(self._codec.event(table, record, seat, everything=everything))
        return events

    async def _with_missed_events(self, stale: Stale, game_id: str, who: access.Principal) -> Stale:
        table = await self._tables.current(game_id)
        seat = access.viewing_seat(table, who)
        after = max(stale.seen, stale.actual - MISSED)
        records = await self._tables.read(game_id, after=after, upto=stale.actual)
        missed = error_reason_pb2.MissedEvents(
            events=self._events(table, records, seat), version=stale.actual
        )
        while missed.ByteSize() > MISSED_BYTES:
            del missed.events[0]
        stale.details = [missed]
        return stale


def _wanted(request: pb.ListGamesRequest) -> GameFilter:
    since = request.created_after.ToMicroseconds() if request.HasField("created_after") else None
    return GameFilter(request.title, STATUS_OF.get(request.status), request.mine, request.joinable, since)


def _seat_plan(request: pb.CreateGameRequest, who: access.Principal) -> tuple[SeatPlan, ...]:
    """Where nobody has an identity, no seat can be kept for anybody."""
    plan: tuple[SeatPlan, ...] = tuple(map(SEAT_PLAN.decode, request.seats))
    kind = f"{who.id.partition(':')[0]}:" if isinstance(who, access.Caller) else ""
    for seat, (reserved_for, bot_level) in enumerate((each.reserved_for, each.bot_level) for each in plan):
        field = f"seats[{seat}].reserved_for"
        if reserved_for and not kind:
            raise InvalidRequest(field, "this service knows no callers by name, so it keeps no seats")
        if reserved_for and not (reserved_for.startswith(kind) and len(reserved_for) > len(kind)):
            raise InvalidRequest(field, f"must be the id of a caller, such as {kind}alice")
        if reserved_for and bot_level:
            raise InvalidRequest(field, "is a seat for a bot, too")
    return plan
