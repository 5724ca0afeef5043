"""Tests random calls in random order: no INTERNAL error, nothing applied twice, the same fold everywhere."""

from __future__ import annotations

import asyncio
import random
from contextlib import aclosing
from typing import Any

import pytest

from gamehost.api.pipeline.status import RpcError, code_name
from gamehost.play.ports import schedule
from gamehost.play.ports.bots import BotQuestion, ThinkingReport, ignore_thinking
from gamehost.play.proof import prove
from gamehost.play.table.clocks import seats_out_of_time
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache
from gamehost.rules.catalog import CATALOG
from gamehost.rules.copying import replace
from shedu.v1 import game_pb2
from support.budget import budget
from support.keyed_service import KeyedService
from support.service import Service, tables_from_logs

STEPS = budget(60, 200)
RECALLED = 100  # moves up to which a bot gets the events that it saw
LONG = 2 * 86_400  # seconds, longer than any clock
CLOCKS: list[dict[str, Any]] = [
    {"per_decision": {"seconds": 60}, "bot_level": "random"},
    {
        "bank": {"initial": {"seconds": 60}, "increment": {"seconds": 5}},
        "on_timeout": "TIMEOUT_POLICY_FORFEIT",
    },
    {"bank": {"initial": {"seconds": 30}, "increment": {"seconds": 0}}, "bot_level": "random"},
    {"days": 1},
]
PLAYING = ["PlayAction"] * 30 + ["time", "bots"] * 6
SEATED = [
    "Resign",
    "ReclaimSeat",
    "ReclaimSeat",
    *["ProposeUndo"] * 4,
    "ProposeAbandon",
    *["AnswerProposal"] * 4,
]
LOOKING = [
    "GetGame",
    "GetView",
    "ListLegalActions",
    "ListEvents",
    "GetFairness",
    "ListGames",
    "watch",
    "inbox",
]
OPENING = ["CreateGame", "JoinGame", "AddBot", "LeaveGame", "StartGame", "ForkGame", "Rematch"]
ANYTHING = [*PLAYING, *SEATED, *LOOKING, *OPENING, "RefreshSeatToken", "RevokeSeatTokens"]


class Quick:
    """Fast bots. They get the events that they saw only in the first moves, since a long list is slow."""

    capacity, timeout = {schedule.QUICK: 8, schedule.LONG: 8}, 1.0

    def __init__(self) -> None:
        self._recalled = 0

    def remembers(self, level: str) -> bool:
        self._recalled += 1
        return self._recalled <= RECALLED

    async def answer(self, question: BotQuestion, thought: ThinkingReport = ignore_thinking) -> Any:
        return random.Random(question.luck).choice(question.actions)


class Walk:
    """Several callers with their tokens, and all games that they know."""

    def __init__(self, title: str, seed: int, service: Service) -> None:
        self.title, self.service, self.coin = title, service, random.Random(f"{title} {seed}")
        self.callers: list[str | None] = [None]
        self.games: dict[str, dict[int, str]] = {}  # tokens by seat
        self.codes: dict[str, str] = {}
        self.refusals: set[str] = set()

    def maybe(self, chance: float = 0.5) -> bool:
        return self.coin.random() < chance

    async def step(self) -> None:
        game_id = self.coin.choice([*self.games][-3:]) if self.games else ""
        what = self.coin.choice(ANYTHING) if game_id else "CreateGame"
        if game_id and self.maybe() and (await self.table(game_id)).status is Status.GATHERING:
            what = "JoinGame"
        if what == "time":
            await self.service.pass_time(self.coin.choice([0, 1, 5, 5, 20, 45, 70, 4000]))
        elif what == "bots":
            for _ in range(self.coin.randrange(6)):
                await asyncio.sleep(0)
                await self.service.bot_worker.run_once()
        elif what in ("watch", "inbox"):
            await self.listen(what, game_id)
        else:
            fields = await getattr(self, f"_{what}", self._of_a_game)(game_id)
            await self.call(what, self.token(game_id, what, fields.get("seat")), **fields)

    def token(self, game_id: str, what: str, seat: int | None = None) -> str | None:
        """Returns a token, mostly one that permits the call."""
        seats = self.games.get(game_id, {})
        if what in ("CreateGame", "JoinGame") or not seats or self.maybe(0.1):
            return self.coin.choice([*self.callers, *seats.values()][: len(self.callers) + self.maybe(0.2)])
        return seats.get(-1 if seat is None else seat) or self.coin.choice([*seats.values()])

    async def table(self, game_id: str) -> Table:
        return await self.service.application.tables.current(game_id)

    async def call(self, name: str, token: str | None, /, **fields: Any) -> None:
        """Makes a call, perhaps twice at once and again with the same request id; all answers are equal."""
        if "request_id" in self.service.methods[name].request.DESCRIPTOR.fields_by_name and self.maybe():
            fields["request_id"] = self.coin.randbytes(12).hex()
        double = "request_id" in fields and self.maybe()
        calls = (self.answer(name, token, **fields) for _ in range(1 + double))
        first, *second = await asyncio.gather(*calls)
        if first is not None and "request_id" in fields:
            second.append(await self.answer(name, token, **fields))
        assert [first] * len(second) == second
        if first is not None:
            self.learn(first)

    async def answer(self, name: str, token: str | None, /, **fields: Any) -> Any:
        try:
            return await self.service.call(name, token, **fields)
        except RpcError as error:
            self.refused(name, error)
            return None

    def refused(self, name: str, error: RpcError) -> None:
        assert code_name(error.status) not in ("INTERNAL", "UNKNOWN", "DATA_LOSS", "UNAVAILABLE"), name
        self.refusals.add(f"{name} {error.reason}")

    def learn(self, answer: Any) -> None:
        game_id = answer.game.game_id if hasattr(answer, "game") else ""
        if game_id:
            known = self.games.setdefault(game_id, {})
            known |= dict(enumerate(getattr(answer, "seat_tokens", [])))
            if getattr(answer, "seat_token", ""):
                known[answer.seat] = answer.seat_token
        if getattr(answer, "invite_code", ""):
            self.codes[game_id] = answer.invite_code

    async def listen(self, what: str, game_id: str) -> None:
        after = {"after_version": self.coin.choice([0, 5])} if self.maybe() else {}
        fields = {"game_id": game_id, **after} if what == "watch" else {}
        name = "WatchGame" if what == "watch" else "WatchInbox"
        try:
            async with aclosing(self.service.stream(name, self.token(game_id, what), **fields)) as messages:
                async for message in messages:
                    if message.WhichOneof("kind") == "caught_up":
                        return
        except RpcError as error:
            self.refused(name, error)

    async def _of_a_game(self, game_id: str) -> dict[str, Any]:
        seat = {"seat": self.coin.randrange(3)} if self.maybe(0.2) else {}
        return {"game_id": game_id, **seat}

    async def _CreateGame(self, _game_id: str) -> dict[str, Any]:
        count = self.coin.choice([each for each in CATALOG[self.title].seats if each < 4])
        plans = [self.coin.choice([{}, {}, {"bot_level": "random"}]) for _ in range(count)]
        clock = {"clock": self.coin.choice(CLOCKS)} if self.maybe() else {}
        return {
            "title": self.title,
            "seats": plans,
            "visibility": self.coin.randrange(4),
            "reveal": self.coin.randrange(4),
            "spectators": {"policy": self.coin.randrange(4), "delay": self.coin.choice([0, 0, 3, 20])},
            "manual_start": self.maybe(0.2),
            **clock,
        }

    async def _ListGames(self, _game_id: str) -> dict[str, Any]:
        return {"mine": self.maybe(), "joinable": self.maybe(), "status": self.coin.randrange(4)}

    async def _GetGame(self, game_id: str) -> dict[str, Any]:
        return {"game_id": game_id}

    _GetFairness = _GetGame

    async def _JoinGame(self, game_id: str) -> dict[str, Any]:
        seat = {"seat": self.coin.randrange(4)} if self.maybe() else {}
        return {"game_id": game_id, "invite_code": self.codes.get(game_id, ""), **seat}

    async def _AddBot(self, game_id: str) -> dict[str, Any]:
        return {"game_id": game_id, "bot_level": self.coin.choice(["", "random"])}

    async def _at_a_version(self, game_id: str, name: str = "version") -> dict[str, Any]:
        newest = (await self.table(game_id)).version
        version = {name: self.coin.randint(1, newest + 1)} if self.maybe() else {}
        return {**await self._of_a_game(game_id), **version}

    _ForkGame = _at_a_version

    async def _GetView(self, game_id: str) -> dict[str, Any]:
        eyes = {"as_seat": self.coin.randrange(4)} if self.maybe(0.2) else {}
        return {**await self._at_a_version(game_id), **eyes}

    _ListLegalActions = _GetView

    async def _ProposeUndo(self, game_id: str) -> dict[str, Any]:
        return await self._at_a_version(game_id, "to_version")

    async def _AnswerProposal(self, game_id: str) -> dict[str, Any]:
        proposal = (await self.table(game_id)).proposal
        name = proposal.proposal_id if proposal else "proposal.1"
        return {**await self._of_a_game(game_id), "proposal_id": name, "accept": self.maybe(0.8)}

    async def _PlayAction(self, game_id: str) -> dict[str, Any]:
        table = await self.table(game_id)
        if not table.decisions:
            action = game_pb2.Action()
            getattr(action, self.title).SetInParent()
            return {"game_id": game_id, "decision_id": "none", "action": action}
        asked = self.coin.choice(table.decisions)
        chosen = self.coin.choice(list(table.rules.legal_actions(table.state, asked.seat)))
        action = self.service.codec.renderer.legal_action(table.rules, chosen).action
        return {"game_id": game_id, "decision_id": asked.id, "action": action, "seat": asked.seat}

    async def check(self) -> None:
        """Asserts that the cache, a new process, and the logs alone give the same table."""
        service = self.service
        for game_id in self.games:
            known = await self.table(game_id)
            anew = TableCache(service.store, service.codec, CATALOG)
            assert known == await anew.current(game_id) == await tables_from_logs(service).current(game_id)
            (summary,) = await service.store.summaries([game_id])
            assert summary is not None
            assert replace(known, state=None) == service.codec.decode_table(game_id, summary)
        assert not service.background.errors

    async def settle(self) -> None:
        """Runs everything that is due, and verifies the finished games."""
        await self.service.let_bots_play()
        await self.service.pass_time(LONG)
        await self.service.let_bots_play()
        for game_id in self.games:
            table = await self.table(game_id)
            assert not seats_out_of_time(table, self.service.now)
            assert not table.bots_to_move
            if table.status is Status.FINISHED and table.position:
                records = await self.service.application.tables.records(game_id, after=0)
                prove(game_id, table.rules, records, await self.service.application.tables.seed(game_id))


async def walk(title: str, seed: int, keyed: bool) -> Walk:
    luck = f"{title} {seed}"
    hour = 3600 * 1_000_000
    if keyed:
        service = KeyedService(luck=luck, expiry=hour, bots=Quick())
        walking = Walk(title, seed, service)
        walking.callers = [await service.key(name) for name in ("ann", "bob", "cid")]
    else:
        walking = Walk(title, seed, Service(luck=luck, expiry=hour, bots=Quick()))
    for step in range(STEPS):
        await walking.step()
        if step % 25 == 24:
            await walking.check()
    await walking.settle()
    await walking.check()
    return walking


@pytest.mark.parametrize("keyed", [False, True], ids=["anonymous", "with identities"])
@pytest.mark.parametrize("title", CATALOG)
async def test_nothing_that_callers_do_breaks_anything(title: str, keyed: bool) -> None:
    walks = [await walk(title, seed, keyed) for seed in range(budget(1, 2))]

    tables = [await each.table(game_id) for each in walks for game_id in each.games]
    if len(walks) > 1:  # a short walk may not finish a game
        assert any(table.position and table.outcome for table in tables)
        assert any(table.position > 20 for table in tables)
