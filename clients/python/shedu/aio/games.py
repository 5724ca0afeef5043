"""One game: from outside, and from one of its seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf.field_mask_pb2 import FieldMask

from ..arguments import Legal, action_of, new_request_id
from ..async_io import Stream, closing
from ..errors import NotNow, Stale
from ..exporting import lines
from ..resuming import GameResume, InboxResume, Moment, OnCursor, Questions
from ..title_types import Action
from ..v1 import game_pb2
from ..v1 import game_service_pb2 as pb
from .wire import Wire

PAGE = 1000


class Game:
    """One game through the eyes of whoever has the token: of a seat, of a spectator, or of a caller.

    The invite code is needed to join a private game, the spectator token to watch where one is asked for;
    both are empty unless you created it.
    """

    def __init__(
        self,
        wire: Wire,
        game_id: str,
        token: str = "",
        *,
        seat: int | None = None,
        invite_code: str = "",
        spectator_token: str = "",
    ) -> None:
        self._wire, self._token, self._seat = wire, token or spectator_token, seat
        self.id, self.invite_code, self.spectator_token = game_id, invite_code, spectator_token

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"

    @property
    def wire(self) -> Wire:
        """The connection, which all games of a server share."""
        return self._wire

    async def look(self) -> game_pb2.Game:
        """Returns the game: its seats, status and version."""
        request = pb.GetGameRequest(game_id=self.id)
        return (await self._wire.call(self._wire.games.GetGame, request, self._token)).game

    async def outcome(self) -> game_pb2.Outcome | None:
        """Returns the outcome, or None while the game goes on."""
        game = await self.look()
        return game.outcome if game.HasField("outcome") else None

    async def view(self, version: int | None = None, as_seat: int | None = None) -> game_pb2.View:
        """Returns your view, now or at an earlier version; `as_seat` works after the end."""
        request = pb.GetViewRequest(game_id=self.id, version=version, as_seat=as_seat, seat=self._seat)
        return (await self._wire.call(self._wire.games.GetView, request, self._token)).view

    async def events(self, after: int = 0) -> Stream[game_pb2.Event]:
        """Yields the events until now, page by page."""
        token = ""
        while True:
            request = pb.ListEventsRequest(
                game_id=self.id, after_version=after, page_size=PAGE, page_token=token, seat=self._seat
            )
            page = await self._wire.call(self._wire.games.ListEvents, request, self._token)
            for event in page.events:
                yield event
            token = page.next_page_token
            if not token:
                return

    def watch(self, after: int | None = None, *, legal_actions: int = 0) -> Stream[Moment]:
        """Every version once, in order, until the game is over; `after` is the last version already seen.

        Left out, the first moment is what you know now. 0 begins with the first event.
        """
        resume = GameResume(self.id, after, self._seat, legal_actions)
        return self._wire.follow(self._wire.games.WatchGame, resume, self._token)

    async def fairness(self) -> game_pb2.Fairness:
        """Returns the commitment to the luck of the game and, after the end, the seed."""
        request = pb.GetFairnessRequest(game_id=self.id)
        return (await self._wire.call(self._wire.games.GetFairness, request, self._token)).fairness

    async def export(self) -> str:
        """A finished game as one file of JSON lines, from which `shedu replay` and `shedu verify` read it.

        Raises NotNow while it goes on.
        """
        game = await self.look()
        if not game.HasField("outcome"):
            raise NotNow(f"game {self.id} is not over", "GAME_NOT_OVER")
        events: list[game_pb2.Event] = []
        async for event in self.events():
            events.append(event)
        return "".join(f"{line}\n" for line in lines(game, events))

    async def join(
        self,
        name: str = "",
        *,
        seat: int | None = None,
        invite_code: str = "",
        client_seed: bytes = b"",
        request_id: str = "",
    ) -> Player:
        """Takes a seat, the first open one unless it is named. `client_seed` becomes part of the luck."""
        request = pb.JoinGameRequest(
            game_id=self.id,
            seat=seat,
            display_name=name,
            invite_code=invite_code or self.invite_code,
            client_seed=client_seed,
            request_id=request_id or new_request_id(),
        )
        joined = await self._wire.call(self._wire.games.JoinGame, request, self._token)
        return Player(self._wire, self.id, joined.seat, joined.seat_token)

    async def fork(
        self, version: int | None = None, *, bots: Sequence[str] = (), request_id: str = ""
    ) -> list[Player]:
        """A sandbox with the position of now or an earlier version; its seats are yours.

        `bots` names a level for each seat that a bot plays instead, and is empty for the others.
        """
        request = pb.ForkGameRequest(
            game_id=self.id,
            version=version,
            seats=[game_pb2.SeatPlan(bot_level=level) for level in bots],
            request_id=request_id or new_request_id(),
            seat=self._seat,
        )
        made = await self._wire.call(self._wire.games.ForkGame, request, self._token)
        tokens = enumerate(made.seat_tokens)
        return [Player(self._wire, made.game.game_id, seat, token) for seat, token in tokens]


class Player(Game):
    """One seat of one game. `token` is the right to play it: keep it secret."""

    def __init__(self, wire: Wire, game_id: str, seat: int, token: str) -> None:
        super().__init__(wire, game_id, token, seat=seat)
        self.seat = seat
        self._behind = False  # whether the last action came too late

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of seat {self.seat} in {self.id}>"

    @property
    def token(self) -> str:
        return self._token

    async def legal_actions(self) -> Legal:
        """The question to this seat, if there is one, and everything that answers it."""
        while True:
            try:
                return await self._all_pages()
            except Stale:  # the game moved on between two pages
                continue

    async def _all_pages(self) -> Legal:
        actions: list[pb.LegalAction] = []
        token = ""
        while True:
            request = pb.ListLegalActionsRequest(
                game_id=self.id, page_size=PAGE, page_token=token, seat=self.seat
            )
            page = await self._wire.call(self._wire.games.ListLegalActions, request, self._token)
            actions += page.actions
            token = page.next_page_token
            if not token:
                decision = page.decision if page.HasField("decision") else None
                return Legal(decision, actions, page.version)

    async def play(
        self,
        action: Action,
        decision: game_pb2.Decision | str,
        *,
        expected_version: int | None = None,
        validate_only: bool = False,
        legal_actions: int = 0,
        read_mask: Sequence[str] = (),
        request_id: str = "",
    ) -> pb.PlayActionResponse:
        """Answers a question: what happened then, and what you know now.

        Raises Refused when the rules say no, and Stale when the question is no longer open.
        """
        request = pb.PlayActionRequest(
            game_id=self.id,
            decision_id=decision if isinstance(decision, str) else decision.decision_id,
            action=action_of(action),
            expected_version=expected_version,
            validate_only=validate_only,
            legal_actions_limit=legal_actions,
            read_mask=FieldMask(paths=read_mask) if read_mask else None,
            request_id=request_id or new_request_id(),
            seat=self.seat,
        )
        try:
            return await self._wire.play(request, self._token)
        except (Stale, NotNow):
            self._behind = True
            raise

    async def turn(self) -> Turn | None:
        """Returns the open decision of this seat, with view and legal actions; None if it has none."""
        request = pb.GetViewRequest(game_id=self.id, seat=self.seat, legal_actions_limit=PAGE)
        answer = await self._wire.call(self._wire.games.GetView, request, self._token)
        legal = await self._legal_at(
            Moment(
                answer.view, legal_actions=answer.legal_actions if answer.HasField("legal_actions") else None
            )
        )
        return Turn(self, answer.view, legal.decision, legal.actions) if legal.decision else None

    async def turns(self, *, events: bool = False) -> Stream[Turn]:
        """Every question to this seat once, with what may answer it, until the game is over.

        With `events` a turn has everything that the seat has witnessed, from the first event on.
        """
        questions = Questions(self.seat)
        witnessed: list[game_pb2.Event] | None = None
        async with closing(self.watch(legal_actions=PAGE)) as moments:
            async for moment in moments:
                if events:
                    witnessed = await self._witnessed(moment, witnessed)
                asked = questions.new(moment)
                legal = await self._legal_at(moment) if asked else None
                # What others answered meanwhile is not asked any more.
                if legal and legal.decision and legal.decision.decision_id in asked:
                    self._behind = False
                    questions.hand_on(legal.decision.decision_id)
                    yield Turn(self, moment.view, legal.decision, legal.actions, tuple(witnessed or ()))

    async def _witnessed(self, moment: Moment, before: list[game_pb2.Event] | None) -> list[game_pb2.Event]:
        """Returns all events until this moment; those before the first moment are read from the log."""
        if before is not None:
            before += moment.events
            return before
        found: list[game_pb2.Event] = []
        async for event in self.events():
            if event.version <= moment.version:
                found.append(event)
        return found

    async def _legal_at(self, moment: Moment) -> Legal:
        """Returns the legal actions that came with a moment, or asks for them if they did not, or not all.

        After an answer that came too late it asks, too: the moments that follow may be over as well, and a
        bot would think about each of them in vain.
        """
        found = moment.legal_actions
        if found is None or found.next_page_token or self._behind:
            return await self.legal_actions()
        return Legal(found.decision, list(found.actions), found.version)

    def inbox(self, cursor: str = "", *, on_cursor: OnCursor | None = None) -> Stream[pb.InboxItem]:
        """Streams everything that needs the attention of this seat, like `Server.inbox`."""
        resume = InboxResume(cursor, on_cursor)
        return self._wire.follow(self._wire.games.WatchInbox, resume, self._token)

    async def leave(self, *, request_id: str = "") -> game_pb2.Game:
        """Gives the seat back before the start."""
        request = pb.LeaveGameRequest(
            game_id=self.id, request_id=request_id or new_request_id(), seat=self.seat
        )
        return (await self._wire.call(self._wire.games.LeaveGame, request, self._token)).game

    async def start(self, *, request_id: str = "") -> game_pb2.Game:
        """Starts a full game that was created with `manual_start`."""
        request = pb.StartGameRequest(
            game_id=self.id, request_id=request_id or new_request_id(), seat=self.seat
        )
        return (await self._wire.call(self._wire.games.StartGame, request, self._token)).game

    async def add_bot(self, level: str = "", *, seat: int | None = None, request_id: str = "") -> int:
        """Seats a hosted bot before the start, and tells where; left out, the title's own choice."""
        request = pb.AddBotRequest(
            game_id=self.id,
            bot_level=level,
            bot_seat=seat,
            request_id=request_id or new_request_id(),
            seat=self.seat,
        )
        return (await self._wire.call(self._wire.games.AddBot, request, self._token)).bot_seat

    async def resign(self, *, request_id: str = "") -> game_pb2.Game:
        """Gives up."""
        request = pb.ResignRequest(game_id=self.id, request_id=request_id or new_request_id(), seat=self.seat)
        return (await self._wire.call(self._wire.games.Resign, request, self._token)).game

    async def reclaim(self, *, request_id: str = "") -> game_pb2.Game:
        """Takes the seat back from the bot that took it over when time was up."""
        request = pb.ReclaimSeatRequest(
            game_id=self.id, request_id=request_id or new_request_id(), seat=self.seat
        )
        return (await self._wire.call(self._wire.games.ReclaimSeat, request, self._token)).game

    async def undo(self, to_version: int | None = None, *, request_id: str = "") -> pb.ProposeUndoResponse:
        """Takes back the seat's last action: at once where nothing was learnt since, else if all agree."""
        request = pb.ProposeUndoRequest(
            game_id=self.id,
            to_version=to_version,
            request_id=request_id or new_request_id(),
            seat=self.seat,
        )
        return await self._wire.call(self._wire.games.ProposeUndo, request, self._token)

    async def propose_abandon(self, *, request_id: str = "") -> pb.ProposeAbandonResponse:
        """Ends the game without a winner if all agree."""
        request = pb.ProposeAbandonRequest(
            game_id=self.id, request_id=request_id or new_request_id(), seat=self.seat
        )
        return await self._wire.call(self._wire.games.ProposeAbandon, request, self._token)

    async def answer(
        self, proposal: game_pb2.Proposal | str, accept: bool, *, request_id: str = ""
    ) -> pb.AnswerProposalResponse:
        """Agrees to a proposal, or not."""
        request = pb.AnswerProposalRequest(
            game_id=self.id,
            proposal_id=proposal if isinstance(proposal, str) else proposal.proposal_id,
            accept=accept,
            request_id=request_id or new_request_id(),
            seat=self.seat,
        )
        return await self._wire.call(self._wire.games.AnswerProposal, request, self._token)

    async def rematch(self, *, request_id: str = "") -> Player:
        """The same seat of a new game of the same kind."""
        request = pb.RematchRequest(
            game_id=self.id, request_id=request_id or new_request_id(), seat=self.seat
        )
        again = await self._wire.call(self._wire.games.Rematch, request, self._token)
        return Player(self._wire, again.game.game_id, again.seat, again.seat_token)

    async def refresh_token(self) -> str:
        """A token that is good for longer; this player uses it from now on."""
        request = pb.RefreshSeatTokenRequest(game_id=self.id, seat=self.seat)
        answer = await self._wire.call(self._wire.games.RefreshSeatToken, request, self._token)
        self._token = answer.seat_token
        return self._token

    async def revoke_tokens(self, *, request_id: str = "") -> str:
        """Makes all earlier tokens of the seat worthless; this player uses the new one from now on."""
        request = pb.RevokeSeatTokensRequest(
            game_id=self.id, request_id=request_id or new_request_id(), seat=self.seat
        )
        answer = await self._wire.call(self._wire.games.RevokeSeatTokens, request, self._token)
        self._token = answer.seat_token
        return self._token


@dataclass(frozen=True, slots=True)
class Turn:
    """A question to a seat, what it knows, and everything that it may answer.

    `events` are all that the seat has witnessed, if `turns` was asked for them.
    """

    player: Player
    view: game_pb2.View
    decision: game_pb2.Decision
    actions: Sequence[pb.LegalAction]
    events: Sequence[game_pb2.Event] = ()

    async def play(
        self, action: Action, *, read_mask: Sequence[str] = (), request_id: str = ""
    ) -> pb.PlayActionResponse:
        return await self.player.play(action, self.decision, read_mask=read_mask, request_id=request_id)
