"""Laws of games played and undone at random: every fold is the same, and no id is used twice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamehost.play.access import SeatKey
from gamehost.play.proof import prove, steps
from gamehost.play.table.events import TABLE_EVENTS, MoveUndone
from gamehost.play.table.table import (
    EventRecord,
    Status,
    Table,
    fold,
    grouped_by_cause,
    open_table,
    without_undone,
)
from gamehost.play.tables.current import TableCache
from gamehost.play.use_cases.play_action import DecisionAnswer
from gamehost.rules.catalog import CATALOG
from support.budget import budget
from support.started_game import StartedGame

EACH = pytest.mark.parametrize("title", CATALOG)


def law(examples: int) -> Any:
    return settings(
        max_examples=budget(2, examples),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


class Wanderer:
    """Plays a game with random undos, and records every table and every answer."""

    def __init__(self, game: StartedGame, seed: int) -> None:
        self.game, self.coin = game, random.Random(seed)
        self.tables: list[Table] = []
        self.answers: dict[int, tuple[int, Any]] = {}

    async def wander(self, steps: int) -> None:
        table = await self.game.table()
        self.tables.append(table)
        for _ in range(steps):
            if table.status is Status.FINISHED:
                return
            go_back = self.coin.random() < 0.2 and len(self.tables) > 1
            table = await (self.back(table) if go_back else self.on(table))
            self.tables.append(table)

    async def on(self, table: Table) -> Table:
        asked = self.coin.choice(table.decisions)
        action = self.coin.choice(list(table.rules.legal_actions(table.state, asked.seat)))
        self.answers[table.version] = asked.seat, action
        return await self.play(asked.seat, asked.id, action)

    async def play(self, seat: int, decision_id: str, action: Any) -> Table:
        key = SeatKey(self.game.game_id, seat, 1)
        acting = self.game.service.application.play_action
        return (await acting.play(self.game.game_id, key, DecisionAnswer(decision_id, action), None)).table

    async def back(self, table: Table) -> Table:
        told = without_undone(await self.records())
        start = next(at for at, batch in enumerate(told) if batch[-1].version == self.tables[0].version)
        last = max(at for at, batch in enumerate(told) if at == start or played(batch))
        if last > start:
            to = self.coin.choice(told[start:last])[-1].version
            await self.game.agree("ProposeUndo", self.coin.randrange(len(table.chairs)), to_version=to)
        return await self.game.table()

    async def records(self) -> Sequence[EventRecord]:
        return await self.game.service.application.tables.records(self.game.game_id, after=0)


def played(batch: Sequence[EventRecord]) -> bool:
    return not all(isinstance(record.event, TABLE_EVENTS) for record in batch)


async def wandered(title: str, seed: int, steps: int = 30) -> Wanderer:
    wanderer = Wanderer(await StartedGame.open(title, seed), seed)
    await wanderer.wander(steps)
    return wanderer


@EACH
@law(8)
@given(seed=st.integers(0, 9_999))
async def test_after_an_undo_all_is_as_it_was_at_that_version(title, seed):
    wanderer = await wandered(title, seed)
    records = await wanderer.records()
    start = open_table(wanderer.game.game_id, CATALOG[title], records[0])
    found, stood = start, {}
    for batch in grouped_by_cause(records[1:]):
        found = fold(found, batch, most_checkpoints=None)
        stood[found.version] = found
        for undone in (record.event for record in batch if isinstance(record.event, MoveUndone)):
            before = stood[undone.to_version]
            assert (before.state, before.position) == (found.state, found.position)
            assert [each.seat for each in before.decisions] == [each.seat for each in found.decisions]


@EACH
@law(8)
@given(seed=st.integers(0, 9_999))
async def test_however_it_is_folded_it_is_the_same_game(title, seed):
    wanderer = await wandered(title, seed)
    service, game_id = wanderer.game.service, wanderer.game.game_id
    table, records = await wanderer.game.table(), await wanderer.records()
    payload = service.codec.encode_table(table, with_state=True)
    middle = wanderer.coin.choice(wanderer.tables)
    snapshot = service.codec.decode_table(game_id, service.codec.encode_table(middle, with_state=True))
    cold = TableCache(service.store, service.codec, CATALOG)

    assert table == service.codec.decode_table(game_id, payload)
    assert table == await cold.current(game_id)
    assert table == await cold.apply(snapshot, records[middle.version :])
    assert table == list(steps(game_id, CATALOG[title], records))[-1].after
    assert middle == await cold.at_version(game_id, middle.version)


@EACH
@law(8)
@given(seed=st.integers(0, 9_999))
async def test_no_decision_id_is_used_twice(title, seed):
    wanderer = await wandered(title, seed)

    gone, open_now = set[str](), set[str]()
    for table in wanderer.tables:
        asked = {decision.id for decision in table.decisions}
        assert not asked & gone
        gone |= open_now - asked
        open_now = asked


@EACH
@law(6)
@given(seed=st.integers(0, 9_999))
async def test_the_same_answers_lead_to_the_same_after_an_undo(title, seed):
    """An undo of any length does not change the luck."""
    wanderer = Wanderer(await StartedGame.open(title, seed), seed)
    table = await wanderer.game.table()
    tables = [table]
    for _ in range(12):
        table = await wanderer.on(table)
        tables.append(table)
    at = wanderer.coin.randrange(12)
    await wanderer.game.agree("ProposeUndo", 0, to_version=tables[at].version)

    for known in tables[at:12]:
        seat, action = wanderer.answers[known.version]
        now = await wanderer.game.table()
        assert (known.state, known.position) == (now.state, now.position)
        await wanderer.play(seat, now.decision_of(seat).id, action)
    assert tables[-1].state == (await wanderer.game.table()).state


@EACH
@law(3)
@given(seed=st.integers(0, 9_999))
async def test_a_stream_shows_at_every_version_what_the_view_is_there(title, seed):
    wanderer = await wandered(title, seed, steps=15)
    game = wanderer.game

    async for message in game.service.watch(game.tokens[0], game_id=game.game_id, after_version=0):
        if message.HasField("caught_up"):
            return
        view = message.happened.view
        assert view == await game.view(0 if view.version > 1 else None, version=view.version)


@EACH
async def test_an_undone_game_is_proven_to_its_end(title):
    """The verifier also decides the undone actions again."""
    wanderer = await wandered(title, 1, steps=40)
    game = wanderer.game
    table = await game.table()
    while table.decisions:
        table = await wanderer.on(table)
    records = await wanderer.records()
    undone = [record for record in records if isinstance(record.event, MoveUndone)]
    seed = await game.service.application.tables.seed(game.game_id)

    proof = prove(game.game_id, CATALOG[title], records, seed)

    assert undone
    assert table == proof.table
    assert len(wanderer.answers) == proof.decisions
