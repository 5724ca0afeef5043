"""Tests of hosted bots: their seats, what they are shown, and that none can block a game."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehost.play.ports.bots import BotFailed, BotQuestion, ThinkingReport, ignore_thinking
from gamehost.play.ports.schedule import LONG, QUICK, BotQueueKey
from gamehost.play.table.events import TABLE_EVENTS
from gamehost.rules.catalog import CATALOG
from gamehost.stores.memory import MemoryEventStore
from luck.games import exported
from shedu.v1 import game_pb2
from support.bots import InlineBots
from support.budget import budget
from support.service import Service

BOT = {"bot_level": "random"}


async def against_bots(service: Service, title: str, seats: int, **fields: Any) -> tuple[str, str]:
    """Starts a game of a person on seat 0 and bots; returns its id and the token of the person."""
    plan = [{}, *[BOT] * (seats - 1)]
    game_id = (await service.call("CreateGame", title=title, seats=plan, **fields)).game.game_id
    return game_id, await service.join(game_id)


async def game(service: Service, game_id: str) -> game_pb2.Game:
    found: game_pb2.Game = (await service.call("GetGame", game_id=game_id)).game
    return found


async def play_out(service: Service, game_id: str, token: str) -> game_pb2.Game:
    while True:
        await service.let_bots_play()
        if not (await service.call("GetView", game_id=game_id)).view.decisions:
            return await game(service, game_id)
        await service.move(game_id, token)


async def test_the_catalog_lists_the_bots_of_every_title() -> None:
    titles = (await Service().call("ListTitles")).titles

    for title in titles:
        assert "random" == title.bots[0].level
        assert all(bot.meaning.endswith(".") for bot in title.bots)
        assert 1 == sum(bot.default for bot in title.bots)


@pytest.mark.parametrize("title", [*CATALOG][: budget(1, len(CATALOG))])
async def test_every_title_is_played_against_bots_to_its_end(title: str) -> None:
    service = Service(luck=title)
    game_id, token = await against_bots(service, title, CATALOG[title].seats.stop - 1)

    ended = await play_out(service, game_id, token)

    assert len(ended.seats) == len(ended.outcome.ranks) == len(ended.outcome.scores)
    assert 0 < service.background.counts[f"{title} random moved"]
    assert [] == service.background.errors
    assert not any("failed" in name for name in service.background.counts)


async def test_a_bot_is_told_what_its_seat_knows_and_nothing_else() -> None:
    bots = InlineBots()
    service = Service(bots=bots)
    game_id, token = await against_bots(service, "tides", 2)
    table = await service.application.tables.current(game_id)

    await service.let_bots_play()

    (question,) = bots.asked
    seen = table.view(table.bots_to_move[0].seat)
    actions = list(table.rules.legal_actions(table.state, question.decision.seat))
    assert ("tides", "random") == (question.title, question.level)
    assert (seen, table.bots_to_move[0], actions) == (question.view, question.decision, question.actions)
    seed = await service.application.tables.seed(game_id)
    assert seed not in question.luck
    assert {"title", "level", "view", "decision", "actions", "luck", "seen", "share"} == set(
        BotQuestion.__slots__
    )
    assert () == question.seen
    assert token


async def test_a_bot_that_remembers_is_told_what_its_seat_has_witnessed() -> None:
    bots = InlineBots()
    service = Service(bots=bots)
    planned = {"bot_level": "search"}
    game_id = (await service.call("CreateGame", title="tides", seats=[{}, planned])).game.game_id
    await service.join(game_id)
    table = await service.application.tables.current(game_id)
    records = await service.application.tables.records(game_id, after=0)

    await service.let_bots_play()

    (question,) = bots.asked
    told = [record.event for record in records if not isinstance(record.event, TABLE_EVENTS)]
    assert [table.rules.witness(event, 1) for event in told] == question.seen
    assert told != question.seen


async def test_planned_bots_sit_down_with_the_first_event() -> None:
    service = Service()

    created = (await service.call("CreateGame", title="tigris", seats=[{}, BOT, {}])).game

    assert 2 == created.version
    assert [("", False), ("random", True), ("", False)] == [(s.bot_level, s.taken) for s in created.seats]
    assert "Random bot" == created.seats[1].display_name
    assert "SEAT_TAKEN" == (await service.error("JoinGame", game_id=created.game_id, seat=1)).reason
    events = (await service.call("ListEvents", game_id=created.game_id)).events
    assert [True, False] == [event.continues for event in events]


async def test_the_last_person_to_join_starts_the_game() -> None:
    service = Service()
    game_id, _ = await against_bots(service, "tides", 2)

    assert game_pb2.GAME_STATUS_PLAYING == (await game(service, game_id)).status


async def test_a_game_of_bots_alone_begins_at_once_and_runs_to_its_end() -> None:
    service = Service()
    created = (await service.call("CreateGame", title="tides", seats=[BOT, BOT], request_id="a" * 16)).game
    assert game_pb2.GAME_STATUS_PLAYING == created.status

    await service.let_bots_play()

    assert "ROUNDS_PLAYED" == (await game(service, created.game_id)).outcome.reason
    again = await service.call("CreateGame", title="tides", seats=[BOT, BOT], request_id="a" * 16)
    assert created == again.game


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"seats": [{}, {"bot_level": "nobody"}]}, "seats[1].bot_level"),
        ({"seats": [{}, {"bot_level": "NO"}]}, "seats[1].bot_level"),
        ({"seats": [{}]}, "seats"),
        ({"seats": [{}, BOT], "seat_count": 3}, "seats"),
        ({"seats": [BOT, BOT], "manual_start": True}, "manual_start"),
    ],
)
async def test_a_plan_that_makes_no_sense_is_refused_by_field(fields: dict[str, Any], field: str) -> None:
    error = await Service().error("CreateGame", title="tides", **fields)

    assert "INVALID_REQUEST" == error.reason
    assert field in error.status.message


async def test_a_game_of_bots_alone_is_listed_like_any_other() -> None:
    service = Service()
    created = (await service.call("CreateGame", title="tides", seats=[BOT, BOT])).game

    for status in (None, "GAME_STATUS_PLAYING"):
        listed = await service.call("ListGames", status=status)
        assert [created.game_id] == [found.game_id for found in listed.games]
    assert [] == list((await service.call("ListGames", status="GAME_STATUS_GATHERING")).games)


async def test_a_bot_is_added_to_the_first_open_seat_or_where_it_is_wanted() -> None:
    service = Service()
    game_id = (await service.call("CreateGame", title="tigris", seat_count=4)).game.game_id
    ann = await service.join(game_id)

    wanted = await service.call("AddBot", ann, game_id=game_id, bot_seat=3, bot_level="random")
    first = await service.call("AddBot", ann, game_id=game_id, request_id="one")

    assert (3, 1) == (wanted.bot_seat, first.bot_seat)
    assert first == await service.call("AddBot", ann, game_id=game_id, request_id="one")
    assert [True, True, False, True] == [seat.taken for seat in first.game.seats]
    (default,) = [b.level for b in (await service.call("GetTitle", title="tigris")).title.bots if b.default]
    assert ["", default, "", "random"] == [seat.bot_level for seat in first.game.seats]


@pytest.mark.parametrize("manual", [False, True])
async def test_the_last_seat_that_a_bot_takes_starts_the_game(manual: bool) -> None:
    service = Service()
    game_id, (ann,) = await service.table("Ann", manual_start=manual)

    added = await service.call("AddBot", ann, game_id=game_id)

    status = game_pb2.GAME_STATUS_GATHERING if manual else game_pb2.GAME_STATUS_PLAYING
    assert status == added.game.status
    if manual:
        await service.call("StartGame", ann, game_id=game_id)
    await service.let_bots_play()
    assert [0] == [d.seat for d in (await service.call("GetView", game_id=game_id)).view.decisions]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"bot_seat": 0}, "SEAT_TAKEN"),
        ({"bot_seat": 9}, "SEAT_NOT_FOUND"),
        ({"bot_level": "nobody"}, "INVALID_REQUEST"),
    ],
)
async def test_a_bot_that_cannot_sit_there_is_refused(fields: dict[str, Any], reason: str) -> None:
    service = Service()
    game_id, (ann,) = await service.table("Ann")

    assert reason == (await service.error("AddBot", ann, game_id=game_id, **fields)).reason


async def test_bots_are_added_by_those_who_sit_there_before_the_start() -> None:
    service = Service()
    game_id, (ann,) = await service.table("Ann")

    assert "TOKEN_MISSING" == (await service.error("AddBot", game_id=game_id)).reason
    await service.join(game_id)
    assert "GAME_STARTED" == (await service.error("AddBot", ann, game_id=game_id)).reason


class Broken:
    """Bots that fail or give an invalid answer."""

    capacity, timeout = {QUICK: 8, LONG: 8}, 1.0

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def remembers(self, level: str) -> bool:
        return False

    async def answer(self, question: BotQuestion, thought: ThinkingReport = ignore_thinking) -> Any:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


@pytest.mark.parametrize(
    ("answer", "why"),
    [(BotFailed("too slow"), "too slow"), ("nonsense", "illegal"), (None, "illegal")],
)
async def test_for_a_bot_that_fails_any_legal_action_is_played(answer: Any, why: str) -> None:
    service = Service(bots=Broken(answer))
    game_id, token = await against_bots(service, "tides", 2)

    ended = await play_out(service, game_id, token)

    assert "ROUNDS_PLAYED" == ended.outcome.reason
    moves = service.background.counts["tides random moved"]
    assert 0 < moves == service.background.counts[f"tides random failed: {why}"]


async def test_of_many_processes_one_makes_the_move() -> None:
    store = MemoryEventStore()
    services = [Service(store) for _ in range(4)]
    game_id, _ = await against_bots(services[0], "tides", 2)
    before = await store.version(game_id)

    await asyncio.gather(*(service.bot_worker.check(game_id) for service in services))

    assert before + 1 == await store.version(game_id)
    assert 1 == sum(service.background.counts["tides random moved"] for service in services)


class Slow(InlineBots):
    """Bots that answer when `ready` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.thinking, self.ready = asyncio.Event(), asyncio.Event()

    async def answer(self, question: BotQuestion, thought: ThinkingReport = ignore_thinking) -> Any:
        self.thinking.set()
        await self.ready.wait()
        return await super().answer(question, thought)


async def test_a_bot_that_is_still_thinking_does_not_move_a_seat_that_was_taken_back() -> None:
    bots = Slow()
    service = Service(bots=bots)
    clock = {"per_decision": {"seconds": 60}}
    game_id = (await service.call("CreateGame", title="tigris", clock=clock)).game.game_id
    tokens = [await service.join(game_id) for _ in range(2)]
    await service.pass_time(60)
    await service.settled()
    look = asyncio.create_task(service.bot_worker.run_once())
    await bots.thinking.wait()

    await service.call("ReclaimSeat", tokens[0], game_id=game_id)
    bots.ready.set()
    await look

    assert (
        not service.background.counts["tigris greedy moved"]
        + service.background.counts["tigris random moved"]
    )
    await service.move(game_id, tokens[0])


class Dying:
    """A store as one process uses it that dies with its next append: no later call arrives."""

    def __init__(self, store: MemoryEventStore) -> None:
        self._store, self.dead = store, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, *given: Any, **fields: Any) -> Any:
        self.dead = True
        return await self._store.append(*given, **fields)

    async def schedule(self, agenda: str, game: str, at: int, queue_key: BotQueueKey | None = None) -> None:
        if not self.dead:
            await self._store.schedule(agenda, game, at, queue_key)


async def test_a_question_survives_the_process_that_was_to_ask_it() -> None:
    store = MemoryEventStore()
    game_id = (await Service(store).call("CreateGame", title="tides", seats=[{}, BOT])).game.game_id
    dying: Any = Dying(store)
    await Service(dying).join(game_id)
    assert dying.dead

    second = Service(store)
    await second.let_bots_play()
    assert not second.background.counts["tides random moved"]
    second.now += 2_000_000
    await second.let_bots_play()

    assert 1 == second.background.counts["tides random moved"]


class Plain(MemoryEventStore):
    """A store that allows nothing to be scheduled except the archiving of a finished game."""

    async def schedule(self, agenda: str, game: str, at: int, queue_key: BotQueueKey | None = None) -> None:
        assert "archive" == agenda, f"{game} was scheduled on {agenda} for {at}"


async def test_people_alone_cost_the_store_nothing_more() -> None:
    service = Service(Plain())
    game_id, tokens = await service.table("Ann", "Bob")

    ended = await service.finish(game_id, tokens)

    assert "ROUNDS_PLAYED" == ended.view.game.outcome.reason


async def test_a_game_with_bots_exports_like_any_other() -> None:
    service = Service()
    game_id, token = await against_bots(service, "tides", 2)
    ended = await play_out(service, game_id, token)

    told = await exported(service, game_id)

    assert ended == told.game
    assert "random" == told.game.seats[1].bot_level
