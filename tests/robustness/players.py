"""Games and their players, which record every request and its answer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from typing import Any

from google.protobuf.duration_pb2 import Duration

import shedu
from gamehost.rules.catalog import CATALOG
from shedu import aio
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb

from .history import GameHistory, History, Move, now
from .raw_clients import GaveUp, GrpcClient, Refusal, RetryingClient
from .traffic_mix import TrafficMix

TROUBLE = (Refusal, GaveUp, shedu.SheduError)
CHOICES = 16  # legal actions that a player lists: long lists cost more than the move
TWICE = 0.04  # how often a player sends a move to two processes at once
AGAIN = 0.03  # how often it repeats a move that was acknowledged before
ELSEWHERE = 0.5  # how often a player switches to another process to read a view
SEATS = {title: rules.seats[0] for title, rules in CATALOG.items()}
AMPLE = Duration(seconds=600)  # longer than any player takes, and shorter than most clock jumps
CLOCKS = [
    game_pb2.Clock(on_timeout=policy, **kind)
    for policy in (game_pb2.TIMEOUT_POLICY_TAKE_OVER, game_pb2.TIMEOUT_POLICY_FORFEIT)
    for kind in ({"per_decision": AMPLE}, {"bank": game_pb2.TimeBank(initial=AMPLE, increment=AMPLE)})
]


class Table:
    """One game from its creation on; `play` ends when it is over or when the traffic stops."""

    def __init__(self, title: str, history: History, coin: random.Random, mix: TrafficMix) -> None:
        self.title, self.history, self.coin, self.mix = title, history, coin, mix
        self.clock = coin.choice(CLOCKS) if coin.random() < mix.clocked else None
        self.game: GameHistory | None = None
        self.tokens: list[str] = []
        self.stopping = False
        self.busy = 0  # moves in flight

    def request_id(self) -> str:
        return f"{self.coin.getrandbits(128):032x}"

    @contextmanager
    def moving(self) -> Iterator[None]:
        self.busy += 1
        try:
            yield
        finally:
            self.busy -= 1

    async def open(self) -> None:
        raise NotImplementedError

    async def play(self) -> None:
        raise NotImplementedError

    def enter(self, game_id: str, opened: float) -> None:
        self.game = self.history.game(game_id, self.title, opened, clocked=self.clock is not None)

    def acknowledge(self, move: Move, began: float, answer: Any) -> None:
        assert self.game is not None
        if not move.acks:
            self.history.moves += 1
        self.game.acknowledged(move, began, answer)


class RawTable(Table):
    """A game of which one client plays all seats."""

    def __init__(
        self, client: RetryingClient, title: str, history: History, coin: random.Random, mix: TrafficMix
    ) -> None:
        super().__init__(title, history, coin, mix)
        self._client = client
        self._done: list[tuple[Move, pb.PlayActionRequest]] = []

    async def open(self) -> None:
        wish = pb.CreateGameRequest(
            title=self.title, seat_count=SEATS[self.title], clock=self.clock, request_id=self.request_id()
        )
        opened = now()
        created = (await self._client.call("CreateGame", wish)).game
        for _ in created.seats:
            request = pb.JoinGameRequest(game_id=created.game_id, request_id=self.request_id())
            self.tokens.append((await self._client.call("JoinGame", request)).seat_token)
        self.enter(created.game_id, opened)

    async def play(self) -> None:
        view = await self._look(None)
        while view.decisions and not self.stopping:
            view = await self._move(view.decisions[0].seat)
            if self.coin.random() < self.mix.looks:
                view = await self._look(self.coin.choice([None, *range(len(self.tokens))]))
            if self.coin.random() < AGAIN:
                await self._repeat()

    async def _look(self, viewer: int | None) -> game_pb2.View:
        assert self.game is not None
        if self.coin.random() < ELSEWHERE:
            self._client.move_on()
        began = now()
        request = pb.GetViewRequest(game_id=self.game.game_id)
        token = "" if viewer is None else self.tokens[viewer]
        view: game_pb2.View = (await self._client.call("GetView", request, token)).view
        self.game.looked(viewer, began, view)
        return view

    async def _move(self, seat: int) -> game_pb2.View:
        assert self.game is not None
        wish = pb.ListLegalActionsRequest(game_id=self.game.game_id, page_size=CHOICES)
        legal = await self._client.call("ListLegalActions", wish, self.tokens[seat])
        request = pb.PlayActionRequest(
            game_id=self.game.game_id,
            decision_id=legal.decision.decision_id,
            action=self.coin.choice(legal.actions).action,
            request_id=self.request_id(),
        )
        move = self.game.ask(seat, request.request_id)
        with self.moving():
            answer = await self._send(move, request)
        self._done = [*self._done[-9:], (move, request)]
        view: game_pb2.View = answer.view
        return view

    async def _send(self, move: Move, request: pb.PlayActionRequest) -> Any:
        began, answers = now(), []
        if isinstance(self._client, GrpcClient) and self.coin.random() < TWICE:
            answers = await self._client.twice("PlayAction", request, self.tokens[move.seat])
        answers = answers or [await self._client.call("PlayAction", request, self.tokens[move.seat])]
        for answer in answers:
            self.acknowledge(move, began, answer)
        return answers[0]

    async def _repeat(self) -> None:
        """Repeats an acknowledged request, which must get the same answer."""
        move, request = self.coin.choice(self._done)
        began = now()
        answer = await self._client.call("PlayAction", request, self.tokens[move.seat])
        self.acknowledge(move, began, answer)


class SdkTable(Table):
    """A game in which every seat has its own SDK client; the last seats may be hosted bots."""

    def __init__(
        self,
        server: aio.Server,
        title: str,
        history: History,
        coin: random.Random,
        mix: TrafficMix,
        bots: int = 0,
    ) -> None:
        super().__init__(title, history, coin, mix)
        self._server, self._bots = server, bots
        self.players: list[aio.Player] = []

    async def open(self) -> None:
        opened = now()
        made = await self._server.create(
            self.title,
            seats=SEATS[self.title],
            bots=["random"] * self._bots,
            clock=self.clock,
            request_id=self.request_id(),
        )
        for _ in range(SEATS[self.title] - self._bots):
            self.players.append(await made.join(request_id=self.request_id()))
        self.tokens = [player.token for player in self.players]
        self.history.calls["SDK"] += 1 + len(self.players)
        self.enter(made.id, opened)

    async def play(self) -> None:
        async with asyncio.TaskGroup() as group:
            for player in self.players:
                group.create_task(self._seat(player))

    async def _seat(self, player: aio.Player) -> None:
        async with aclosing(player.turns()) as turns:
            async for turn in turns:
                self.history.calls["SDK"] += 1
                if self.stopping:
                    return
                await self._answer(turn)
                if self.coin.random() < self.mix.looks:
                    await self._look(player)

    async def _answer(self, turn: aio.Turn) -> None:
        assert self.game is not None
        move = self.game.ask(turn.player.seat, self.request_id())
        with self.moving():
            answer = await turn.play(self.coin.choice(turn.actions), request_id=move.request_id)
        self.history.calls["SDK"] += 1
        self.acknowledge(move, move.began, answer)

    async def _look(self, player: aio.Player) -> None:
        assert self.game is not None
        began = now()
        view = await player.view()
        self.history.calls["SDK"] += 1
        self.game.looked(player.seat, began, view)
