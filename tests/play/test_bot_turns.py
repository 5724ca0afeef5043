"""Tests that bot time is shared fairly between callers, and that games with people come first."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehost.play.ports.bots import BotQuestion, ThinkingReport, ignore_thinking
from gamehost.play.ports.schedule import LONG, QUICK
from gamehost.stores.memory import MemoryEventStore
from support.bots import InlineBots
from support.keyed_service import KeyedService
from support.waiting import until

SECOND = 1_000_000
DAY = 86400
TOO_MUCH = ("RESOURCE_EXHAUSTED", "TOO_MUCH")
GREEDY, SEARCH = {"bot_level": "greedy"}, {"bot_level": "search"}
ALONE = {"title": "tides", "seats": [SEARCH, SEARCH]}


class Instant(InlineBots):
    """Answers with the first action, `room` decisions at a time, and reports a given thinking time."""

    def __init__(self, seconds: float = 0.0, room: int = 1) -> None:
        super().__init__()
        self.capacity, self._seconds = {QUICK: room, LONG: room}, seconds

    async def answer(self, question: BotQuestion, thought: ThinkingReport = ignore_thinking) -> Any:
        self.asked.append(question)
        thought(self._seconds)
        return question.actions[0]


class Hanging(Instant):
    """Never answers."""

    async def answer(self, question: BotQuestion, thought: ThinkingReport = ignore_thinking) -> Any:
        self.asked.append(question)
        await asyncio.Event().wait()


class HeldBack(Instant):
    """Reports its thinking time, and waits before it answers."""

    def __init__(self) -> None:
        super().__init__()
        self.told = asyncio.Event()

    async def answer(self, question: BotQuestion, thought: ThinkingReport = ignore_thinking) -> Any:
        answer = await super().answer(question, thought)
        await self.told.wait()
        return answer


async def alone(service: KeyedService, key: str, games: int) -> list[str]:
    """Creates games of two search bots."""
    return [(await service.call("CreateGame", key, **ALONE)).game.game_id for _ in range(games)]


async def against(service: KeyedService, key: str, bot: dict[str, str]) -> str:
    """Starts a game of that caller and a bot."""
    game_id: str = (await service.call("CreateGame", key, title="tides", seats=[{}, bot])).game.game_id
    await service.call("JoinGame", key, game_id=game_id)
    return game_id


async def moves(service: KeyedService, key: str, game_id: str) -> int:
    """Returns the number of cards and relics that were chosen in a game."""
    events = (await service.call("ListEvents", key, game_id=game_id, page_size=1000)).events
    return sum(event.tides.WhichOneof("kind") in ("card_chosen", "relic_chosen") for event in events)


async def turns(service: KeyedService, number: int) -> None:
    for _ in range(number):
        await service.settled()
        await service.bot_worker.run_once()
    await service.settled()


async def test_many_games_of_search_bots_do_not_delay_the_quick_bot_of_another() -> None:
    service = KeyedService(bots=Instant())
    eve, ann = await service.key("eve"), await service.key("ann")
    await alone(service, eve, 40)
    await turns(service, 1)
    service.now += SECOND

    game_id = await against(service, ann, GREEDY)
    await turns(service, 1)

    assert 1 == await moves(service, ann, game_id)


async def test_many_games_against_quick_bots_do_not_delay_that_of_another() -> None:
    service = KeyedService(bots=Instant())
    eve, ann = await service.key("eve"), await service.key("ann")
    for _ in range(10):
        await against(service, eve, GREEDY)
    await turns(service, 1)
    service.now += SECOND

    game_id = await against(service, ann, GREEDY)
    await turns(service, 2)

    assert 1 == await moves(service, ann, game_id)


async def test_callers_take_turns_although_another_process_opened_their_games() -> None:
    first = KeyedService()
    eve, ann = await first.key("eve"), await first.key("ann")
    for _ in range(10):
        await against(first, eve, SEARCH)
    first.now += 1
    game_id = await against(first, ann, SEARCH)
    await first.settled()

    second = KeyedService(first.store, bots=Instant())
    second.now += 1
    await turns(second, 2)

    assert 1 == await moves(second, ann, game_id)


async def test_people_come_before_bots_alone_and_these_go_on_when_nobody_waits() -> None:
    service = KeyedService(bots=Instant())
    ann = await service.key("ann")
    [background] = await alone(service, ann, 1)
    service.now += SECOND
    games = [await against(service, ann, SEARCH) for _ in range(3)]

    await turns(service, 3)
    first = [await moves(service, ann, game_id) for game_id in (*games, background)]
    await turns(service, 1)

    assert [1, 1, 1, 0] == first
    assert 1 == await moves(service, ann, background)


async def test_bots_alone_think_for_a_limited_time_for_each_caller() -> None:
    """Thirty seconds a minute, of which two and a half may be used at once."""
    service = KeyedService(bots=Instant(seconds=1.0), bot_only_seconds=30)
    eve, ann = await service.key("eve"), await service.key("ann")
    [eves] = await alone(service, eve, 1)
    await turns(service, 10)
    used = await moves(service, eve, eves)
    [anns] = await alone(service, ann, 1)

    await turns(service, 1)
    service.now += 20 * SECOND
    await turns(service, 10)

    assert 3 == used
    assert 0 < await moves(service, ann, anns)
    assert used < await moves(service, eve, eves) <= used + 10


async def test_a_search_has_all_its_time_until_many_wait_for_theirs() -> None:
    bots = Instant()
    service = KeyedService(bots=bots)
    eve, ann = await service.key("eve"), await service.key("ann")

    await alone(service, eve, 1)
    await turns(service, 1)
    await alone(service, eve, 30)
    await turns(service, 1)
    await against(service, ann, SEARCH)
    await turns(service, 1)

    assert [1.0, 0.2, 1.0] == [pytest.approx(question.share) for question in bots.asked]


async def test_an_answer_that_is_held_back_keeps_nobody_waiting() -> None:
    bots = HeldBack()
    service = KeyedService(bots=bots)
    await alone(service, await service.key("ann"), 2)
    await service.settled()

    looks = [asyncio.create_task(service.bot_worker.run_once())]
    await until(lambda: len(bots.asked) == 1)
    looks.append(asyncio.create_task(service.bot_worker.run_once()))
    await until(lambda: len(bots.asked) == 2)

    bots.told.set()
    assert [1, 1] == await asyncio.gather(*looks)
    assert 2 == service.background.counts["tides search moved"]


async def test_how_many_wait_for_a_bot_is_told_by_level() -> None:
    service = KeyedService(bots=Instant())
    ann = await service.key("ann")
    await alone(service, ann, 5)
    await against(service, ann, GREEDY)

    await turns(service, 1)

    assert {"search": 4} == service.background.waiting
    assert {"search": 1, "greedy": 1} == {
        level: service.background.counts[f"{level} waited"] for level in ("search", "greedy")
    }


async def test_games_of_bots_alone_are_limited_in_number_for_each_caller() -> None:
    service = KeyedService(bots=Instant(room=9), bot_only_games=2)
    eve, ann = await service.key("eve"), await service.key("ann")
    first = await service.call("CreateGame", eve, **ALONE, request_id="the-first-of-them")
    await alone(service, eve, 1)

    refused = await service.refusal("CreateGame", eve, **ALONE)
    again = await service.call("CreateGame", eve, **ALONE, request_id="the-first-of-them")
    await alone(service, ann, 1)
    await service.let_bots_play()
    service.now += 6 * SECOND
    await alone(service, eve, 1)

    assert TOO_MUCH == refused
    assert first.game.game_id == again.game.game_id


async def test_who_has_too_many_games_of_bots_alone_seats_no_more_bots() -> None:
    service = KeyedService(bot_only_games=1)
    eve, ann = await service.key("eve"), await service.key("ann")
    tables = {}
    for key in (eve, ann):
        tables[key] = (await service.call("CreateGame", key, title="tigris", seat_count=3)).game.game_id
        await service.call("JoinGame", key, game_id=tables[key])
    await alone(service, eve, 1)

    assert TOO_MUCH == await service.refusal("AddBot", eve, game_id=tables[eve])
    assert TOO_MUCH == await service.refusal("CreateGame", eve, title="tides", seats=[{}, GREEDY])
    await service.call("AddBot", ann, game_id=tables[ann])
    await service.call("CreateGame", eve, title="tides")


async def test_a_game_that_people_left_to_bots_counts_until_they_are_back() -> None:
    service = KeyedService(bot_only_games=1)
    eve = await service.key("eve")
    clock = {"per_decision": {"seconds": 60}, "bot_level": "search"}
    wish = {"title": "tides", "seats": [{}, SEARCH], "clock": clock}
    game_id = (await service.call("CreateGame", eve, **wish)).game.game_id
    await service.call("JoinGame", eve, game_id=game_id)
    await service.pass_time(60)
    await service.settled()

    refused = await service.refusal("CreateGame", eve, **ALONE)
    await service.call("ReclaimSeat", eve, game_id=game_id)
    service.now += 6 * SECOND
    await alone(service, eve, 1)

    assert TOO_MUCH == refused


async def test_who_pays_for_a_game_stands_nowhere_in_it_and_is_forgotten_with_its_end() -> None:
    service = KeyedService(bots=Instant(room=9))
    [game_id] = await alone(service, await service.key("eve-the-caller"), 1)
    book = await service.store.all_registered("payers")

    await service.let_bots_play()

    kept = await service.store.whole_game(game_id)
    assert kept is not None
    assert [game_id] == list(book)
    assert not any(secret in payload for payload in kept.events for secret in (b"eve-the", book[game_id]))
    assert not any(b"eve-the" in value or b"key:" in value for value in book.values())
    assert {} == await service.store.all_registered("payers")


async def test_a_game_whose_payer_nobody_wrote_down_is_played() -> None:
    service = KeyedService(bots=Instant(room=9))
    ann = await service.key("ann")
    game_id = await against(service, ann, GREEDY)
    await service.store.unregister("payers", game_id)
    later = KeyedService(service.store, bots=Instant(room=9))

    await service.settled()
    await later.let_bots_play()

    assert 1 == await moves(later, ann, game_id)


class Mortal:
    """A store as one process uses it: no call arrives once the process is `dead`. Counts renewals."""

    def __init__(self, store: MemoryEventStore) -> None:
        self._store, self.dead, self.renewals = store, False, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def renew(self, *given: Any) -> bool:
        if self.dead:
            return False
        self.renewals += 1
        return await self._store.renew(*given)

    async def settle(self, *given: Any) -> bool:
        return not self.dead and await self._store.settle(*given)


async def test_a_bot_that_thinks_is_left_alone_and_two_seconds_after_a_crash_another_process_moves() -> None:
    store = MemoryEventStore()
    mortal: Any = Mortal(store)
    bots = Hanging()
    first, second = KeyedService(mortal, bots=bots), KeyedService(store, bots=Instant())
    ann = await first.key("ann")
    game_id = await against(first, ann, SEARCH)
    await first.settled()
    thinking = asyncio.create_task(first.bot_worker.run_once())
    await until(lambda: bots.asked)

    first.now = second.now = first.now + int(1.9 * SECOND)
    await until(lambda: mortal.renewals)
    second.now += int(1.9 * SECOND)
    while_it_thinks = await second.bot_worker.run_once()
    mortal.dead = True
    second.now += int(0.1 * SECOND)
    after_its_death = await second.bot_worker.run_once()

    assert (0, 1) == (while_it_thinks, after_its_death)
    assert 1 == await moves(second, ann, game_id)
    thinking.cancel()
    await asyncio.gather(thinking, return_exceptions=True)


async def test_a_game_that_nobody_visits_is_not_looked_at_for_ever_and_goes_on_with_a_move() -> None:
    service = KeyedService(bots=Instant())
    ann = await service.key("ann")
    game_id = await against(service, ann, GREEDY)
    await turns(service, 1)
    for _ in range(30):
        service.now += DAY * SECOND
        await turns(service, 1)
    looks = service.background.counts["bots looked"]

    for _ in range(40):
        service.now += 10 * DAY * SECOND
        await turns(service, 1)
    assert looks == service.background.counts["bots looked"]

    before = await moves(service, ann, game_id)
    await service.move(game_id, ann)
    await turns(service, 1)
    assert before + 2 == await moves(service, ann, game_id)
