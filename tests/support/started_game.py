"""A started game of any title in the in-process service, played at random."""

from __future__ import annotations

import random
from typing import Any

from gamehost.play.access import SeatKey
from gamehost.play.table.table import Table
from gamehost.play.use_cases.play_action import DecisionAnswer
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from support.service import NAMES, Service


class StartedGame:
    """A started game, the tokens of its seats, and a random source for its moves."""

    def __init__(self, service: Service, game_id: str, tokens: list[str], seed: object = 0) -> None:
        self.service, self.game_id, self.tokens = service, game_id, tokens
        self.coin = random.Random(str(seed))

    @classmethod
    async def open(
        cls, title: str, seed: object = 0, service: Service | None = None, **fields: Any
    ) -> StartedGame:
        service = service or Service(luck=f"{title} {seed}")
        game = (await service.call("CreateGame", title=title, **fields)).game
        tokens = [await service.join(game.game_id, display_name=name) for name in NAMES[: len(game.seats)]]
        return cls(service, game.game_id, tokens, seed)

    async def call(self, name: str, seat: int | None = None, /, **fields: Any) -> Any:
        token = None if seat is None else self.tokens[seat]
        return await self.service.call(name, token, game_id=self.game_id, **fields)

    async def refusal(self, name: str, seat: int | None = None, /, **fields: Any) -> tuple[str, str]:
        token = None if seat is None else self.tokens[seat]
        return await self.service.refusal(name, token, game_id=self.game_id, **fields)

    async def view(self, seat: int | None = None, **fields: Any) -> game_pb2.View:
        view: game_pb2.View = (await self.call("GetView", seat, **fields)).view
        return view

    async def table(self) -> Table:
        return await self.service.application.tables.current(self.game_id)

    async def asked(self) -> list[game_pb2.Decision]:
        return list((await self.view(0)).decisions)

    async def answer(self) -> tuple[int, dict[str, Any]]:
        """Returns a seat that has a decision, and the fields of a random legal answer."""
        decision = self.coin.choice(await self.asked())
        legal = await self.call("ListLegalActions", decision.seat, page_size=1000)
        action = self.coin.choice(legal.actions).action
        return decision.seat, {"decision_id": decision.decision_id, "action": action}

    async def play(self, times: int = 1) -> pb.PlayActionResponse:
        """Plays random legal actions; returns the last response."""
        for _ in range(times):
            seat, answer = await self.answer()
            played: pb.PlayActionResponse = await self.call("PlayAction", seat, **answer)
        return played

    async def finish(self) -> game_pb2.View:
        """Plays to the end, and returns the view of seat 0. Actions come from the rules, which is faster."""
        acting, table = self.service.application.play_action, await self.table()
        while table.decisions:
            asked = self.coin.choice(table.decisions)
            action = self.coin.choice(list(table.rules.legal_actions(table.state, asked.seat)))
            key = SeatKey(self.game_id, asked.seat, table.chairs[asked.seat].generation)
            table = (await acting.play(self.game_id, key, DecisionAnswer(asked.id, action), None)).table
        return await self.view(0)

    async def play_until_free(self) -> tuple[game_pb2.View, pb.PlayActionResponse]:
        """Plays until a seat may take back its action alone; returns its view before, and the response."""
        for _ in range(500):
            seat, answer = await self.answer()
            before = await self.view(seat)
            played = await self.call("PlayAction", seat, **answer)
            if played.view.HasField("undo_to_version"):
                return before, played
        raise AssertionError("nothing could be taken back")

    async def agree(self, name: str, seat: int, **fields: Any) -> Any:
        """Makes a proposal, and lets all other seats accept it."""
        answer = await self.call(name, seat, **fields)
        while answer.view.HasField("proposal"):
            proposal = answer.view.proposal
            accept = {"proposal_id": proposal.proposal_id, "accept": True}
            answer = await self.call("AnswerProposal", proposal.waiting_for[0], **accept)
        return answer

    async def events(self, seat: int | None = None, after: int = 0) -> list[game_pb2.Event]:
        version = (await self.call("GetGame", seat)).game.version
        found: list[game_pb2.Event] = []
        while after + len(found) < version:
            page = await self.call("ListEvents", seat, after_version=after + len(found), page_size=1000)
            found.extend(page.events)
        return found


def kinds(events: Any) -> list[str]:
    return [event.WhichOneof("kind") for event in events]


def board(view: game_pb2.View) -> Any:
    """Returns the part of a view that belongs to the title."""
    return getattr(view, str(view.WhichOneof("title")))
