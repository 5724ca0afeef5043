"""Tests of the inbox: the stream of everything that needs the attention of a caller."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from gamehost.play.inbox.index import InboxIndex, active_games_list, inbox_board
from gamehost.play.ports.inbox_board import Mark
from gamehost.play.ports.listings import Listing
from gamehost.stores.memory import MemoryEventStore
from shedu.v1.game_service_pb2 import GoAwayReason
from support.keyed_service import KeyedService
from support.service import Service
from support.waiting import PATIENCE, until


def items(messages: list[Any]) -> list[tuple[str, int, str]]:
    found = [message.item for message in messages if message.HasField("item")]
    return [(item.game_id, item.seat, item.WhichOneof("kind")) for item in found]


async def nothing(*_: Any) -> None:
    """Does nothing, as a process that has crashed."""


async def two(service: KeyedService) -> tuple[str, str]:
    return await service.key("ann"), await service.key("bob")


class Listener:
    """Reads an inbox in the background."""

    def __init__(self, service: Service, who: str, cursor: str = "") -> None:
        self.messages: list[Any] = []
        self._listening = asyncio.create_task(self._listen(service, who, cursor))

    async def _listen(self, service: Service, who: str, cursor: str) -> None:
        async with aclosing(service.stream("WatchInbox", who, cursor=cursor)) as stream:
            async for message in stream:
                if message.WhichOneof("kind") != "heartbeat":
                    self.messages.append(message)

    async def until(self, count: int) -> list[Any]:
        await until(lambda: len(self.messages) >= count)
        return self.messages

    async def end(self) -> list[Any]:
        """Waits until the stream has ended, and returns its messages."""
        await asyncio.wait_for(self._listening, PATIENCE)
        return self.messages

    async def close(self) -> None:
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)


async def test_opening_tells_every_open_question_of_every_game():
    service = KeyedService()
    ann, bob = await two(service)
    games = [(await service.shared_table(ann, bob))[0] for _ in range(3)]
    await service.move(games[1], ann)
    await service.settled()

    messages = await service.read_stream("WatchInbox", ann)

    assert sorted((game, 0, "decision") for game in (games[0], games[2])) == sorted(items(messages))
    item = next(m.item for m in messages if m.item.game_id == games[0])
    view = (await service.call("GetView", ann, game_id=games[0])).view
    assert (view.decisions[0], view.version, "tides") == (item.decision, item.version, item.title)


async def test_a_proposal_waits_for_those_who_have_not_answered():
    service = KeyedService()
    ann, bob = await two(service)
    game_id, _ = await service.shared_table(ann, bob)
    await service.call("ProposeAbandon", ann, game_id=game_id)
    await service.settled()

    mine, theirs = [await service.read_stream("WatchInbox", who) for who in (ann, bob)]

    assert [(game_id, 0, "decision")] == items(mine)
    assert [(game_id, 1, "decision"), (game_id, 1, "proposal")] == items(theirs)
    proposal = theirs[1].item.proposal
    assert proposal.abandon
    wish = {"game_id": game_id, "proposal_id": proposal.proposal_id}
    await service.call("AnswerProposal", bob, **wish, accept=False)
    await service.settled()
    assert [(game_id, 1, "decision")] == items(await service.read_stream("WatchInbox", bob))


async def test_who_has_several_seats_is_asked_at_each():
    service = KeyedService()
    ann, _ = await two(service)
    game_id, _ = await service.shared_table(ann, ann)
    await service.settled()

    assert [(game_id, 0, "decision"), (game_id, 1, "decision")] == items(
        await service.read_stream("WatchInbox", ann)
    )


async def test_an_invitation_waits_until_it_is_taken():
    service = KeyedService()
    ann, bob = await two(service)
    wish = {"title": "tides", "seats": [{}, {"reserved_for": "key:bob"}], "visibility": "VISIBILITY_PRIVATE"}
    game_id = (await service.call("CreateGame", ann, **wish)).game.game_id

    before = items(await service.read_stream("WatchInbox", bob))
    await service.call("JoinGame", bob, game_id=game_id)
    after = items(await service.read_stream("WatchInbox", bob))

    assert [(game_id, 1, "invited")] == before
    assert [] == after


async def test_news_come_as_they_happen_each_once():
    store = MemoryEventStore()
    here, there = KeyedService(store), KeyedService(store)
    ann, bob = await two(here)
    listener = Listener(here, bob)
    await listener.until(1)

    wish = {"title": "tides", "seats": [{}, {"reserved_for": "key:bob"}]}
    game_id = (await there.call("CreateGame", ann, **wish)).game.game_id
    await listener.until(2)
    await there.call("JoinGame", ann, game_id=game_id)
    await there.call("JoinGame", bob, game_id=game_id)
    await listener.until(4)
    await there.move(game_id, ann)
    await there.move(game_id, bob)
    messages = await listener.until(5)
    await listener.close()

    kinds = [kind for _, _, kind in items(messages)]
    assert ["invited", "started", "decision", "decision"] == kinds
    decisions = [m.item.decision.decision_id for m in messages if m.item.HasField("decision")]
    assert 2 == len(set(decisions))


async def test_a_whole_game_is_played_from_the_inbox_alone():
    service = KeyedService()
    ann, bob = await two(service)
    asked, there = list[str](), list[str]()

    async def play(who: str) -> str:
        async with aclosing(service.stream("WatchInbox", who)) as stream:
            async for message in stream:
                item = message.item
                if message.HasField("caught_up"):
                    there.append(who)
                if item.HasField("decision"):
                    asked.append(f"{item.seat}:{item.decision.decision_id}")
                    await service.move(item.game_id, who)
                if item.HasField("finished"):
                    return str(item.finished.outcome.reason)
        return ""

    players = [asyncio.create_task(play(who)) for who in (ann, bob)]
    await until(lambda: len(there) == len(players))
    await service.shared_table(ann, bob)
    ends = await asyncio.wait_for(asyncio.gather(*players), PATIENCE)

    assert ["ROUNDS_PLAYED"] * 2 == ends
    assert len(asked) == len(set(asked))


async def test_what_happened_while_away_is_told_and_what_is_pending_comes_again():
    service = KeyedService()
    ann, bob = await two(service)
    pending, _ = await service.shared_table(ann, bob)
    ending, tokens = await service.shared_table(ann, bob)
    await service.settled()
    cursor = (await service.read_stream("WatchInbox", ann))[-1].cursor
    await service.finish(ending, tokens)
    begun, _ = await service.shared_table(ann, bob)
    await service.settled()

    back = items(await service.read_stream("WatchInbox", ann, cursor=cursor))

    assert (ending, 0, "finished") in back
    assert (begun, 0, "started") in back
    assert (ending, 0, "started") not in back
    assert (pending, 0, "started") not in back
    assert [(game, 0, "decision") for game in sorted((pending, begun))] == sorted(
        item for item in back if item[2] == "decision"
    )


async def test_resuming_after_each_message_loses_nothing_that_is_told_once():
    service = KeyedService()
    ann, _ = await two(service)
    cursor = (await service.read_stream("WatchInbox", ann))[-1].cursor
    for _ in range(3):
        game_id, tokens = await service.shared_table(ann, ann)
        await service.finish(game_id, tokens)
    await service.settled()
    whole = await service.read_stream("WatchInbox", ann, cursor=cursor)
    once = [item for item in items(whole) if item[2] in ("started", "finished")]
    assert 12 == len(once)
    assert 12 == len(set(once))

    for count, message in enumerate(whole, 1):
        rest = items(await service.read_stream("WatchInbox", ann, cursor=message.cursor))
        assert set(once) <= set(items(whole[:count])) | set(rest)
        assert len(rest) <= len(once) - count + 1


async def test_a_finished_game_is_told_once_and_leaves_the_list():
    service = KeyedService()
    ann, bob = await two(service)
    for _ in range(3):
        game_id, tokens = await service.shared_table(ann, bob)
        await service.finish(game_id, tokens)
    await service.settled()

    under_way = await service.store.list_size(active_games_list("key:ann"))
    messages = await service.read_stream("WatchInbox", ann)

    assert (0, []) == (under_way, items(messages))
    assert 3 == len((await service.call("ListGames", ann, mine=True)).games)


async def test_a_process_that_dies_before_it_marks_loses_nothing(monkeypatch):
    """It dies after the log is written and before the board is."""
    service = KeyedService()
    ann, bob = await two(service)
    ending, tokens = await service.shared_table(ann, bob)
    await service.settled()
    cursor = (await service.read_stream("WatchInbox", ann))[-1].cursor
    listener = Listener(service, bob)
    await listener.until(2)

    with monkeypatch.context() as dying:
        dying.setattr(InboxIndex, "post_marks", nothing)
        await service.finish(ending, tokens)
        begun, _ = await service.shared_table(ann, bob)
        await service.settled()
    back = items(await service.read_stream("WatchInbox", ann, cursor=cursor))

    assert (ending, 0, "finished") in back
    assert (begun, 0, "started") in back
    assert (begun, 0, "decision") in back
    assert (ending, 0, "finished") in items(await service.read_stream("WatchInbox", ann, cursor=cursor))
    await listener.close()


async def test_a_start_that_was_not_marked_is_told_even_after_the_end(monkeypatch):
    service = KeyedService()
    ann, bob = await two(service)
    cursor = (await service.read_stream("WatchInbox", ann))[-1].cursor
    with monkeypatch.context() as dying:
        dying.setattr(InboxIndex, "post_marks", nothing)
        game_id, tokens = await service.shared_table(ann, bob)
        await service.settled()
    await service.finish(game_id, tokens)
    await service.settled()

    back = items(await service.read_stream("WatchInbox", ann, cursor=cursor))

    assert [(game_id, 0, "started"), (game_id, 0, "finished")] == back


async def test_an_open_stream_finds_what_was_not_marked(monkeypatch):
    service = KeyedService()
    service.application.inbox.sweep = 0.1
    ann, bob = await two(service)
    listener = Listener(service, bob)
    await listener.until(1)

    with monkeypatch.context() as dying:
        dying.setattr(InboxIndex, "post_marks", nothing)
        game_id, _ = await service.shared_table(ann, bob)
        await service.settled()
    messages = await listener.until(3)
    await listener.close()

    assert {(game_id, 1, "started"), (game_id, 1, "decision")} == set(items(messages))


async def test_a_game_that_never_came_to_be_is_passed_over():
    service = KeyedService()
    ann, _ = await two(service)
    shelf = active_games_list("key:ann")
    await service.store.add_to_list(shelf, Listing("a" * 20, service.now - 61_000_000))
    await service.store.add_to_list(shelf, Listing("b" * 20, service.now))

    assert [] == items(await service.read_stream("WatchInbox", ann))
    assert ["b" * 20] == [each.game for each in await service.store.list_page(shelf, before=None, limit=9)]


async def test_others_hear_nothing():
    service = KeyedService()
    ann, bob = await two(service)
    eve = await service.key("eve")
    await service.shared_table(ann, bob)
    await service.settled()

    assert [] == items(await service.read_stream("WatchInbox", eve))


async def test_a_quiet_inbox_shows_signs_of_life_and_a_drain_ends_it():
    service = KeyedService()
    ann, _ = await two(service)
    quiet = await service.read_stream("WatchInbox", ann, until="heartbeat")
    patient = KeyedService(service.store, heartbeat=10 * PATIENCE)
    listener = Listener(patient, ann)
    await listener.until(1)

    patient.application.inbox.drain()
    messages = await listener.end()

    assert ["caught_up", "heartbeat"] == [m.WhichOneof("kind") for m in quiet]
    assert GoAwayReason.GO_AWAY_REASON_DRAINING == messages[-1].go_away.reason
    assert messages[-1].cursor


async def test_a_reader_that_does_not_read_costs_nothing_and_then_gets_the_present():
    service = KeyedService()
    ann, bob = await two(service)
    async with aclosing(service.stream("WatchInbox", ann)) as stream:
        while (await anext(stream)).WhichOneof("kind") != "caught_up":
            pass
        game_id, tokens = await service.shared_table(ann, bob)
        for token in tokens * 4:
            await service.move(game_id, token)
        await service.settled()

        messages = [await anext(stream) for _ in range(2)]

    assert ["started", "decision"] == [kind for _, _, kind in items(messages)]
    view = (await service.call("GetView", ann, game_id=game_id)).view
    assert next(d for d in view.decisions if d.seat == 0) == messages[1].item.decision


@pytest.mark.parametrize("cursor", ["x", "é", "AAAA", "a" * 512])
async def test_a_cursor_that_was_never_given_out_is_named(cursor: str):
    service = KeyedService()
    ann, _ = await two(service)

    with pytest.raises(Exception, match="INVALID_ARGUMENT: cursor"):
        await service.read_stream("WatchInbox", ann, cursor=cursor)


async def test_a_cursor_is_that_of_its_caller():
    service = KeyedService()
    ann, bob = await two(service)
    cursor = (await service.read_stream("WatchInbox", ann))[-1].cursor

    with pytest.raises(Exception, match="INVALID_ARGUMENT: cursor"):
        await service.read_stream("WatchInbox", bob, cursor=cursor)


class Boards(MemoryEventStore):
    """A store that keeps its boards in another store, so that a test can lose them."""

    def __init__(self) -> None:
        super().__init__()
        self.boards = MemoryEventStore()

    async def mark(self, *arguments: Any, **named: Any) -> None:
        await self.boards.mark(*arguments, **named)

    async def marked(self, *arguments: Any) -> Sequence[bool]:
        return await self.boards.marked(*arguments)

    async def newest_mark(self, board: str) -> int:
        return await self.boards.newest_mark(board)

    async def marks(self, *arguments: Any, **named: Any) -> Sequence[Mark]:
        return await self.boards.marks(*arguments, **named)

    def follow_marks(self, *arguments: Any, **named: Any) -> AsyncIterator[Sequence[Mark]]:
        return self.boards.follow_marks(*arguments, **named)


async def test_a_store_that_lost_its_boards_is_believed():
    store = Boards()
    service = KeyedService(store)
    ann, bob = await two(service)
    await service.shared_table(ann, bob)
    await service.settled()
    cursor = (await service.read_stream("WatchInbox", ann))[-1].cursor
    store.boards = MemoryEventStore()
    listener = Listener(service, ann, cursor)
    await listener.until(2)

    game_id, _ = await service.shared_table(ann, bob)
    messages = await listener.until(4)
    await listener.close()

    assert {(game_id, 0, "started"), (game_id, 0, "decision")} <= set(items(messages))
    assert await service.store.newest_mark(inbox_board("key:ann")) > 0


# The inbox of a seat, for a caller with its token.


async def test_a_seat_token_hears_of_its_seat_alone():
    service = Service()
    game_id, (ann,) = await service.table("Ann")
    listener = Listener(service, ann)
    await listener.until(1)

    bob = await service.join(game_id)
    await listener.until(3)
    await service.finish(game_id, [ann, bob])
    messages = await listener.end()

    kinds = [kind for _, _, kind in items(messages)]
    assert ["started", "decision"] == kinds[:2]
    assert "finished" == kinds[-1]
    assert {(game_id, 0)} == {(game, seat) for game, seat, _ in items(messages)}
    assert GoAwayReason.GO_AWAY_REASON_FINISHED == messages[-1].go_away.reason


async def test_a_seat_resumes_without_a_gap():
    service = Service()
    game_id, (ann,) = await service.table("Ann")
    cursor = (await service.read_stream("WatchInbox", ann))[-1].cursor
    bob = await service.join(game_id)
    begun = await service.read_stream("WatchInbox", ann, cursor=cursor)
    await service.finish(game_id, [ann, bob])

    assert {"started", "decision"} == {kind for _, _, kind in items(begun)}
    assert ["finished"] == [
        k for _, _, k in items(await service.read_stream("WatchInbox", ann, cursor=begun[-1].cursor))
    ]
    away = await service.read_stream("WatchInbox", ann, until="go_away", cursor=cursor)
    assert ["started", "finished"] == [kind for _, _, kind in items(away)]
    after_first = await service.read_stream("WatchInbox", ann, cursor=away[0].cursor)
    assert "finished" in [kind for _, _, kind in items(after_first)]
    assert [] == items(await service.read_stream("WatchInbox", ann, until="go_away", cursor=away[-1].cursor))


async def test_a_seat_that_is_left_ends_its_inbox():
    service = Service()
    game_id, (ann,) = await service.table("Ann")
    async with aclosing(service.stream("WatchInbox", ann)) as stream:
        await anext(stream)
        await service.call("LeaveGame", ann, game_id=game_id)

        with pytest.raises(Exception, match="PERMISSION_DENIED"):
            async for _ in stream:
                pass


async def test_without_a_seat_there_is_no_inbox():
    service = Service()
    created = await service.call("CreateGame", title="tides", spectators={"policy": "SPECTATOR_POLICY_TOKEN"})

    with pytest.raises(Exception, match="UNAUTHENTICATED"):
        await service.read_stream("WatchInbox", None)
    with pytest.raises(Exception, match="PERMISSION_DENIED"):
        await service.read_stream("WatchInbox", created.spectator_token)


class Summarised(MemoryEventStore):
    """A store that returns the same summary for all games once `summary` is set."""

    summary: bytes | None = None

    async def summaries(self, games: Sequence[str]) -> Sequence[bytes | None]:
        return [self.summary or own for own in await super().summaries(games)]


async def test_a_summary_of_an_earlier_release_asks_all_the_same():
    store = Summarised()
    service = KeyedService(store)
    ann, bob = await two(service)
    game_id, _ = await service.shared_table(ann, bob)
    await service.settled()
    table = await service.application.tables.current(game_id)
    store.summary = service.codec.encode_table(table, with_state=True)

    assert [(game_id, 0, "decision")] == items(await service.read_stream("WatchInbox", ann))
