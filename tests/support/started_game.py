"""A game of any title in the in-process service, played by a coin."""

from __future__ import annotations

import random
from typing import Any

from gamehost.play.access import SeatKey
from gamehost.play.table.table import Table
from gamehost.play.use_cases.play_action import DecisionAnswer
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from support.service import NAMES, Service


class Parlour:
    """A started game and the tokens of its seats."""

    def __init__(self, service: Service, game_id: str, tokens: list[str], seed: object = 0) -> None:
        self.service, self.game_id, self.tokens = service, game_id, tokens
        self.coin = random.Random(str(seed))

    @classmethod
    async def open(
        cls, title: str, seed: object = 0, service: Service | None = None, **fields: Any
    ) -> Parlour:
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
        return await self.service.house.tables.current(self.game_id)

    async def asked(self) -> list[game_pb2.Decision]:
        return list((await self.view(0)).decisions)

    async def answer(self) -> tuple[int, dict[str, Any]]:
        """A seat that is asked, and something it could say."""
        decision = self.coin.choice(await self.asked())
        legal = await self.call("ListLegalActions", decision.seat, page_size=1000)
        action = self.coin.choice(legal.actions).action
        return decision.seat, {"decision_id": decision.decision_id, "action": action}

    async def play(self, times: int = 1) -> pb.PlayActionResponse:
        """The last answer."""
        for _ in range(times):
            seat, answer = await self.answer()
            played: pb.PlayActionResponse = await self.call("PlayAction", seat, **answer)
        return played

    async def finish(self) -> game_pb2.View:
        """Play to the end, and show it. Actions come from the rules: to list them by calls takes longer."""
        acting, table = self.service.house.play_action, await self.table()
        while table.decisions:
            asked = self.coin.choice(table.decisions)
            action = self.coin.choice(list(table.rules.legal_actions(table.state, asked.seat)))
            key = SeatKey(self.game_id, asked.seat, table.chairs[asked.seat].generation)
            table = (await acting.play(self.game_id, key, DecisionAnswer(asked.id, action), None)).table
        return await self.view(0)

    async def play_until_free(self) -> tuple[game_pb2.View, pb.PlayActionResponse]:
        """What a seat knew before an action that it may take back alone, and what it led to."""
        for _ in range(500):
            seat, answer = await self.answer()
            before = await self.view(seat)
            played = await self.call("PlayAction", seat, **answer)
            if played.view.HasField("undo_to_version"):
                return before, played
        raise AssertionError("nothing could be taken back")

    async def agree(self, name: str, seat: int, **fields: Any) -> Any:
        """Propose something, and let all others accept."""
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
    """The title's own part of a view."""
    return getattr(view, str(view.WhichOneof("title")))
