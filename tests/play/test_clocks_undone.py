"""Tests of clocks and undo: an undo alone gains no time; an agreed one starts the time again."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gamehost.play.table.events import TABLE_EVENTS
from gamehost.play.table.table import without_undone
from shedu.v1 import game_service_pb2 as pb
from support.budget import budget
from support.service import Service

MINUTE = {"per_decision": {"seconds": 60}}
BANK = {"bank": {"initial": {"seconds": 60}, "increment": {"seconds": 5}, "cap": {"seconds": 300}}}


async def timed(service: Service, clock: dict[str, Any], title: str = "tigris") -> tuple[str, list[str], int]:
    """Creates a game with that clock; returns its id, the tokens, and the first seat to decide."""
    game_id, tokens = await service.full_table(title, clock=clock)
    view = (await service.call("GetView", game_id=game_id)).view
    return game_id, tokens, view.decisions[0].seat


def left(view: pb.View, seat: int, now: int) -> tuple[float, float | None]:
    clock = view.clocks[seat]
    deadline = clock.deadline.ToMicroseconds() if clock.HasField("deadline") else None
    return clock.remaining.ToMicroseconds() / 1e6, deadline and (deadline - now) / 1e6


async def harmless(service: Service, game_id: str, token: str) -> pb.PlayActionResponse:
    """Plays an action after which the same seat decides again and may undo."""
    legal = await service.call("ListLegalActions", token, game_id=game_id)
    (choice, *_) = [
        number for number, each in enumerate(legal.actions) if each.action.tigris.HasField("place_leader")
    ]
    return await service.move(game_id, token, choice)


@pytest.mark.parametrize(("clock", "whole"), [(MINUTE, 60), (BANK, 55)], ids=["per decision", "bank"])
async def test_taking_back_alone_gives_no_time(clock: dict[str, Any], whole: int) -> None:
    service = Service()
    game_id, tokens, me = await timed(service, clock)
    service.now += 10_000_000
    moved = await harmless(service, game_id, tokens[me])
    assert (whole, whole) == left(moved.view, me, service.now)
    service.now += 20_000_000

    back = await service.call("ProposeUndo", tokens[me], game_id=game_id)

    assert "move_undone" == back.events[0].WhichOneof("kind")
    assert (whole - 20, whole - 20) == left(back.view, me, service.now)


async def test_bots_are_asked_again_after_an_undo() -> None:
    service = Service()
    seats = [{}, {"bot_level": "random"}]
    game_id = (await service.call("CreateGame", title="tides", seats=seats)).game.game_id
    ann = await service.join(game_id)
    await service.let_bots_play()
    await service.move(game_id, ann)
    await service.let_bots_play()
    version = (await service.call("GetView", game_id=game_id)).view.version

    undone = await service.call("ProposeUndo", ann, game_id=game_id)
    await service.let_bots_play()

    assert "move_undone" in [event.WhichOneof("kind") for event in undone.events]
    view = (await service.call("GetView", game_id=game_id)).view
    assert view.version > version
    assert [0] == [decision.seat for decision in view.decisions]


@pytest.mark.parametrize(("clock", "whole"), [(MINUTE, 60), (BANK, 55)], ids=["per decision", "bank"])
async def test_acting_once_more_after_taking_back_gives_no_time(clock: dict[str, Any], whole: int) -> None:
    service = Service()
    game_id, tokens, me = await timed(service, clock)
    service.now += 10_000_000
    await harmless(service, game_id, tokens[me])

    for _ in range(3):
        service.now += 5_000_000
        await service.call("ProposeUndo", tokens[me], game_id=game_id)
        service.now += 5_000_000
        moved = await harmless(service, game_id, tokens[me])

    assert (whole - 30, whole - 30) == left(moved.view, me, service.now)


@pytest.mark.parametrize(("clock", "whole"), [(MINUTE, 50), (BANK, 55)], ids=["per decision", "bank"])
async def test_taking_back_the_end_of_a_turn_gives_no_time(clock: dict[str, Any], whole: int) -> None:
    service = Service()
    game_id, tokens, me = await timed(service, clock, "stone_age")

    for _ in range(4):
        service.now += 10_000_000
        moved = await service.move(game_id, tokens[me])
        assert [1 - me] == [decision.seat for decision in moved.view.decisions]
        service.now += 3_000_000
        back = await service.call("ProposeUndo", tokens[me], game_id=game_id)

    assert (whole - 30, whole - 30) == left(back.view, me, service.now)


BOT = {"bot_level": "random"}


async def alone(service: Service, clock: dict[str, Any], title: str = "stone_age") -> tuple[str, str]:
    """Creates a game of a person on seat 0 and a bot; returns its id and token when the person is to move."""
    created = await service.call("CreateGame", title=title, seats=[{}, BOT], clock=clock)
    game_id: str = created.game.game_id
    token = await service.join(game_id)
    await service.let_bots_play()
    return game_id, token


async def shown(service: Service, game_id: str) -> pb.View:
    view: pb.View = (await service.call("GetView", game_id=game_id)).view
    return view


async def answer_and_wait(
    service: Service, game_id: str, token: str, used: int
) -> tuple[float, float | None]:
    """Lets the person answer after so many seconds, then the bot; returns the remaining time."""
    service.now += used * 1_000_000
    await service.move(game_id, token)
    await service.let_bots_play()
    return left(await shown(service, game_id), 0, service.now)


@pytest.mark.parametrize(
    ("clock", "next_question", "later"), [(MINUTE, 60, 60), (BANK, 55, 20)], ids=["per decision", "bank"]
)
async def test_a_person_alone_with_bots_gains_no_time_by_undoing_past_a_bots_move(
    clock: dict[str, Any], next_question: int, later: int
) -> None:
    service = Service()
    game_id, ann = await alone(service, clock)
    assert (next_question, next_question) == await answer_and_wait(service, game_id, ann, used=10)

    for cycle in (1, 2):
        service.now += 10_000_000
        back = await service.call("ProposeUndo", ann, game_id=game_id)
        assert "move_undone" == back.events[0].WhichOneof("kind")
        assert 1 == back.view.clocks[0].owed
        again = await answer_and_wait(service, game_id, ann, used=10)
        assert (next_question - 20 * cycle, next_question - 20 * cycle) == again

    assert 0 == (await shown(service, game_id)).clocks[0].owed
    assert (later, later) == await answer_and_wait(service, game_id, ann, used=0)


@pytest.mark.parametrize(("clock", "whole"), [(MINUTE, 60), (BANK, 70)], ids=["per decision", "bank"])
async def test_as_many_answers_earn_nothing_as_were_taken_back(clock: dict[str, Any], whole: int) -> None:
    service = Service()
    game_id, ann = await alone(service, clock)
    start = (await shown(service, game_id)).version
    for _ in range(2):
        await answer_and_wait(service, game_id, ann, used=0)
    service.now += 20_000_000

    back = await service.call("ProposeUndo", ann, game_id=game_id, to_version=start)

    assert 2 == back.view.clocks[0].owed
    for _ in range(2):
        now = await answer_and_wait(service, game_id, ann, used=10)
    assert (whole - 40, whole - 40) == now


@pytest.mark.parametrize(("clock", "whole"), [(MINUTE, 60), (BANK, 65)], ids=["per decision", "bank"])
async def test_undoing_a_bots_move_alone_gives_no_time(clock: dict[str, Any], whole: int) -> None:
    service = Service()
    game_id, ann = await alone(service, clock)
    mine = (await service.move(game_id, ann)).view.version
    await service.let_bots_play()
    for cycle in (1, 2):
        service.now += 10_000_000

        await service.call("ProposeUndo", ann, game_id=game_id, to_version=mine)
        await service.let_bots_play()

        now = left(await shown(service, game_id), 0, service.now)
        assert (whole - 10 * cycle, whole - 10 * cycle) == now


async def swap(service: Service, game_id: str, token: str) -> pb.View:
    """Swaps a tile, which is final because of the draw."""
    for kind in ("swap_tiles", "discard_tiles"):
        legal = await service.call("ListLegalActions", token, game_id=game_id)
        found = [n for n, each in enumerate(legal.actions) if each.action.tigris.HasField(kind)]
        moved = await service.move(game_id, token, found[0])
    return moved.view


@pytest.mark.parametrize(("clock", "whole"), [(MINUTE, 60), (BANK, 80)], ids=["per decision", "bank"])
async def test_taking_back_what_is_final_before_the_bot_moves_gives_no_time(
    clock: dict[str, Any], whole: int
) -> None:
    """The swap ends the turn: the bot is to move, and the time of the next turn is already set."""
    service = Service()
    game_id, ann = await alone(service, clock, "tigris")
    await swap(service, game_id, ann)
    assert [1] == [asked.seat for asked in (await swap(service, game_id, ann)).decisions]

    for cycle in (1, 2, 3):
        back = await service.call("ProposeUndo", ann, game_id=game_id)
        assert [0] == [asked.seat for asked in back.view.decisions]
        assert 1 == back.view.clocks[0].owed
        service.now += 10_000_000
        moved = await service.move(game_id, ann)
        assert (whole - 10 * cycle, None) == left(moved.view, 0, service.now)


async def test_what_is_owed_is_kept_by_the_log() -> None:
    service = Service()
    game_id, ann = await alone(service, BANK)
    await answer_and_wait(service, game_id, ann, used=10)

    await service.call("ProposeUndo", ann, game_id=game_id)

    assert await shown(service, game_id) == await shown(Service(service.store), game_id)
    assert 1 == (await shown(Service(service.store), game_id)).clocks[0].owed


class Undecided:
    """A person against a bot who waits, answers and undoes at random, and never times out."""

    def __init__(self, service: Service, game_id: str, token: str, seed: int, *, slow: bool = False) -> None:
        self.service, self.game_id, self.token, self.coin = service, game_id, token, random.Random(seed)
        self.slow = slow  # uses up all but a second
        self.thought, self.most_answers = 0.0, 0

    async def step(self) -> None:
        view = await shown(self.service, self.game_id)
        asked = 0 in {decision.seat for decision in view.decisions}
        if self.coin.random() < 0.3 and await self.answered():
            await self.go_back()
        elif asked:
            most = max(0, int(left(view, 0, self.service.now)[1] or 0) - 1)
            seconds = most if self.slow else min(most, self.coin.randrange(4))
            self.service.now += seconds * 1_000_000
            self.thought += seconds
            legal = await self.service.call("ListLegalActions", self.token, game_id=self.game_id)
            await self.service.move(self.game_id, self.token, self.coin.randrange(len(legal.actions)))
        else:
            await self.service.settled()
            await self.service.bot_worker.run_once()
        self.most_answers = max(self.most_answers, await self.answered())

    async def go_back(self) -> None:
        told = [batch for batch in await self.line() if not isinstance(batch[0].event, TABLE_EVENTS)]
        free = self.coin.random() < 0.5
        to = {} if free else {"to_version": self.coin.choice(told[-4:])[0].version - 1}
        await self.service.call("ProposeUndo", self.token, game_id=self.game_id, **to)

    async def answered(self) -> int:
        """Returns the number of answers of the person that were not undone."""
        return sum(
            batch[0].seat == 0 and not isinstance(batch[0].event, TABLE_EVENTS) for batch in await self.line()
        )

    async def line(self) -> list[Any]:
        return without_undone(await self.service.application.tables.records(self.game_id, after=0))


PLENTY = {"bank": {"initial": {"seconds": 500}, "increment": {"seconds": 5}, "cap": {"seconds": 9000}}}


@pytest.mark.parametrize("title", ["stone_age", "tigris"])
@pytest.mark.parametrize("seed", range(budget(1, 4)))
async def test_however_one_undoes_all_time_is_earned_by_answers_once(title: str, seed: int) -> None:
    """A bank is its initial time plus an increment for each answer that ever stood, minus the time used."""
    service = Service(luck=f"undecided {seed}")
    person = Undecided(service, *await alone(service, PLENTY, title), seed)
    for _ in range(60):
        await person.step()

        (remaining, _) = left(await shown(service, person.game_id), 0, service.now)
        assert 500 + 5 * person.most_answers - person.thought == remaining


@pytest.mark.parametrize("title", ["stone_age", "tigris"])
@pytest.mark.parametrize("seed", range(budget(1, 4)))
async def test_however_one_undoes_each_decision_has_its_time_once(title: str, seed: int) -> None:
    service = Service(luck=f"undecided {seed}")
    person = Undecided(service, *await alone(service, MINUTE, title), seed, slow=True)
    for _ in range(60):
        await person.step()

        (remaining, _) = left(await shown(service, person.game_id), 0, service.now)
        assert person.thought + remaining <= 60 * (1 + person.most_answers)
