"""Tests that streams deliver every version once and in order, also when they resume."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from gamehost.api.pipeline.stream_queue import StreamQueue
from gamehost.play import throttle
from gamehost.play.watching import stream as watching_stream
from gamehost.stores.memory import MemoryEventStore
from shedu.v1.game_service_pb2 import GoAwayReason
from support.fake_sleep import FakeSleep
from support.service import Service
from support.started_game import kinds
from support.waiting import PATIENCE, settle, until


def versions(messages: list[Any]) -> list[int]:
    return [event.version for message in messages for event in message.happened.events]


class Watcher:
    """Reads a stream in the background; `begun` is set when it has caught up."""

    def __init__(self, service: Service, game_id: str) -> None:
        self.messages: list[Any] = []
        self.begun = asyncio.Event()
        self._reading = asyncio.create_task(self._read(service, game_id))

    async def _read(self, service: Service, game_id: str) -> None:
        async for message in service.watch(game_id=game_id):
            self.messages.append(message)
            if message.HasField("caught_up"):
                self.begun.set()

    @property
    def ended(self) -> bool:
        return self._reading.done()

    async def end(self) -> list[Any]:
        """Waits until the stream has ended, and returns its messages."""
        await asyncio.wait_for(self._reading, PATIENCE)
        return self.messages

    async def leave(self) -> None:
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)


async def midgame(**settings: Any) -> tuple[Service, str, list[str], int]:
    service = Service(**settings)
    game_id, tokens = await service.table("Ann", "Bob")
    for token in tokens * 3:
        await service.move(game_id, token)
    return service, game_id, tokens, (await service.call("GetGame", game_id=game_id)).game.version


async def test_a_stream_begins_with_what_the_caller_knows_now():
    service, game_id, (ann, _), head = await midgame()

    messages = await service.read_stream("WatchGame", ann, until="heartbeat", game_id=game_id)

    assert ["snapshot", "caught_up", "heartbeat"] == kinds(messages)
    assert (await service.call("GetView", ann, game_id=game_id)).view == messages[0].snapshot
    assert head == messages[1].caught_up.version == messages[2].heartbeat.version


async def test_resuming_after_any_version_loses_and_repeats_nothing():
    service, game_id, (ann, _), head = await midgame()
    whole = (await service.call("ListEvents", ann, game_id=game_id, page_size=1000)).events

    for after in range(head + 1):
        messages = await service.read_stream("WatchGame", ann, game_id=game_id, after_version=after)

        assert list(whole)[after:] == [event for m in messages for event in m.happened.events]


async def test_each_change_comes_whole_with_the_view_it_leads_to():
    service, game_id, (ann, _), _ = await midgame()

    messages = await service.read_stream("WatchGame", ann, game_id=game_id, after_version=0)

    for message in messages[:-1]:
        happened = message.happened
        assert [True] * (len(happened.events) - 1) + [False] == [e.continues for e in happened.events]
        last = happened.events[-1].version
        assert (await service.call("GetView", ann, game_id=game_id, version=last)).view == happened.view


async def test_what_happens_during_a_stream_is_told_as_it_happens():
    store = MemoryEventStore()
    here, there = Service(store), Service(store)
    game_id, tokens = await here.table("Ann", "Bob")
    start = (await here.call("GetGame", game_id=game_id)).game.version
    watchers = [Watcher(here, game_id) for _ in range(3)]
    await asyncio.gather(*(watcher.begun.wait() for watcher in watchers))

    await there.finish(game_id, tokens)
    streams = [await watcher.end() for watcher in watchers]

    end = (await here.call("GetGame", game_id=game_id)).game.version
    for stream in streams:
        assert list(range(start + 1, end + 1)) == versions(stream)
        assert GoAwayReason.GO_AWAY_REASON_FINISHED == stream[-1].go_away.reason


async def test_a_drain_sends_every_watcher_away_with_where_to_resume():
    service, game_id, _, head = await midgame(heartbeat=10 * PATIENCE)
    watcher = Watcher(service, game_id)
    await watcher.begun.wait()

    service.application.watching.drain()
    messages = await watcher.end()

    assert head == messages[-1].go_away.version
    assert GoAwayReason.GO_AWAY_REASON_DRAINING == messages[-1].go_away.reason


async def test_a_slow_watcher_is_sent_away_and_can_resume(monkeypatch):
    monkeypatch.setattr(watching_stream, "BACKLOG", 3)
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    quick = Watcher(service, game_id)
    await quick.begun.wait()
    async with contextlib.aclosing(service.watch(game_id=game_id)) as slow:
        begun = [await anext(slow), await anext(slow)]
        for token in tokens * 4:
            moved = (await service.move(game_id, token)).view.version
            await until(lambda moved=moved: moved in versions(quick.messages))

        last = await anext(slow)

    assert ["snapshot", "caught_up", "go_away"] == kinds([*begun, last])
    assert GoAwayReason.GO_AWAY_REASON_SLOW == last.go_away.reason
    resumed = await service.read_stream("WatchGame", game_id=game_id, after_version=last.go_away.version)
    assert versions(resumed)[0] == last.go_away.version + 1
    await quick.leave()


async def test_a_watcher_that_missed_a_single_event_is_sent_away(monkeypatch):
    """Another watcher still needs the event after the missed one, so the feed holds it."""
    monkeypatch.setattr(watching_stream, "BACKLOG", 1)
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    async with (
        contextlib.aclosing(service.watch(game_id=game_id)) as slow,
        contextlib.aclosing(service.watch(game_id=game_id)) as other,
    ):
        for stream in (slow, other, slow, other):
            await anext(stream)
        await service.call("RevokeSeatTokens", ann, game_id=game_id)
        assert "happened" == (await anext(other)).WhichOneof("kind")
        waiting = asyncio.create_task(anext(other))
        await settle()
        await service.call("RevokeSeatTokens", bob, game_id=game_id)

        last = await anext(slow)
        await waiting

    assert GoAwayReason.GO_AWAY_REASON_SLOW == last.go_away.reason


class Followed(MemoryEventStore):
    """A store that counts the current followers."""

    followers = 0

    async def follow(self, *arguments: Any, **named: Any) -> AsyncIterator[Any]:
        self.followers += 1
        try:
            async for events in super().follow(*arguments, **named):
                yield events
        finally:
            self.followers -= 1


async def test_the_last_watcher_closes_the_feed():
    service, game_id, _, _ = await midgame(store=Followed())

    async with contextlib.aclosing(service.watch(game_id=game_id)) as stream:
        await anext(stream)
        during = service.meter.watched_games, service.store.followers

    assert (1, 1) == during
    assert (0, 0) == (service.meter.watched_games, service.store.followers)


async def test_a_seat_that_is_left_ends_its_stream():
    service = Service()
    game_id, (ann,) = await service.table("Ann")
    async with contextlib.aclosing(service.watch(ann, game_id=game_id)) as stream:
        await anext(stream)
        await service.call("LeaveGame", ann, game_id=game_id)

        with pytest.raises(Exception, match="PERMISSION_DENIED"):
            async for _ in stream:
                pass


async def test_a_version_that_is_not_reached_is_out_of_range():
    service, game_id, _, head = await midgame()

    for name in ("GetView",):
        assert ("OUT_OF_RANGE", "VERSION_IN_FUTURE") == await service.refusal(
            name, game_id=game_id, version=head + 1
        )
    assert ("OUT_OF_RANGE", "VERSION_IN_FUTURE") == await service.refusal(
        "ListEvents", game_id=game_id, after_version=2**64 - 1
    )
    with pytest.raises(Exception, match="OUT_OF_RANGE"):
        await anext(service.watch(game_id=game_id, after_version=head + 1))


async def test_a_crowd_is_shown_what_was_written_once(monkeypatch):
    """Streams that start at the same version, or at others, share the encoded messages."""
    service, game_id, _, head = await midgame()
    written, view = list[int](), service.codec.renderer.view
    monkeypatch.setattr(
        service.codec.renderer,
        "view",
        lambda table, *rest: written.append(table.version) or view(table, *rest),
    )
    starts = [head - 3, head - 2] * 10

    crowd = await asyncio.gather(
        *(service.read_stream("WatchGame", game_id=game_id, after_version=start) for start in starts)
    )

    for start, messages in zip(starts, crowd, strict=True):
        assert list(range(start + 1, head + 1)) == versions(messages)
    assert len(written) <= 2 * 4


@pytest.mark.parametrize("chapter", [1, 2, 5])
async def test_however_much_of_a_log_is_read_at_a_time_the_same_is_told(chapter, monkeypatch):
    service, game_id, tokens, head = await midgame()
    for after in (0, 1, head - 3):
        wanted = await service.read_stream("WatchGame", tokens[0], game_id=game_id, after_version=after)
        monkeypatch.setattr(watching_stream, "PAGE_EVENTS", chapter)

        other = Service(service.store)
        messages = await other.read_stream("WatchGame", tokens[0], game_id=game_id, after_version=after)

        assert wanted == messages
        monkeypatch.undo()


async def test_what_happens_while_the_past_is_told_is_told_too(monkeypatch):
    """A stream that reads past events is never closed as too slow."""
    monkeypatch.setattr(watching_stream, "BACKLOG", 2)
    service, game_id, tokens, _ = await midgame()
    async with contextlib.aclosing(service.watch(game_id=game_id, after_version=0)) as stream:
        messages = [await anext(stream) for _ in range(3)]
        for token in tokens * 3:
            await service.move(game_id, token)
        head = (await service.call("GetGame", game_id=game_id)).game.version
        while messages[-1].WhichOneof("kind") not in ("caught_up", "go_away"):
            messages.append(await anext(stream))
        messages.append(await anext(stream))

    assert ["caught_up", "heartbeat"] == kinds(messages)[-2:]
    assert list(range(1, head + 1)) == versions(messages)


@pytest.mark.parametrize(("after", "at_once"), [(0, 1), (None, watching_stream.WATCHERS_PER_TURN)])
async def test_a_crowd_of_watchers_lets_others_go_first(after, at_once, monkeypatch):
    """In one iteration of the event loop only a few watchers are served, however many there are."""
    monkeypatch.setattr(throttle, "SLICE", -1.0)
    monkeypatch.setattr(watching_stream, "REPLAY_PAUSE", 0.0)
    service, game_id, tokens, _ = await midgame(stream_queue=StreamQueue(0.0))
    crowd, heard, there = 5 * at_once + 5, Counter[int](), 0

    async def watch(number: int) -> None:
        nonlocal there
        async with contextlib.aclosing(service.watch(game_id=game_id, after_version=after)) as stream:
            async for message in stream:
                heard[number] += message.WhichOneof("kind") == "happened"
                there += message.WhichOneof("kind") == "caught_up"

    watchers = [asyncio.create_task(watch(number)) for number in range(crowd)]
    if after is None:
        await until(lambda: there == crowd)
        await service.move(game_id, tokens[0])
    most, wanted = 0, crowd * (1 if after is None else 9)
    while heard.total() < wanted:
        before = heard.copy()
        await asyncio.sleep(0)
        most = max(most, sum(count > before[number] for number, count in heard.items()))
    for watcher in watchers:
        watcher.cancel()
    await asyncio.gather(*watchers, return_exceptions=True)

    assert 0 < most <= at_once


async def test_streams_begin_one_after_the_other_with_room_for_others():
    """A move is served between the starts of streams, however many arrive at once."""
    sleep = FakeSleep(held=True)
    line = StreamQueue(0.003, sleep)
    service, game_id, tokens, _ = await midgame(stream_queue=line)
    crowd = [asyncio.create_task(service.read_stream("WatchGame", game_id=game_id)) for _ in range(50)]
    await until(lambda: line.waiting == len(crowd))

    await service.move(game_id, tokens[0])

    assert len(crowd) == line.waiting
    while before := line.waiting:
        await sleep.end()
        assert before - line.waiting <= 1
    assert all("caught_up" in kinds(messages) for messages in await asyncio.gather(*crowd))


class CountingStore(MemoryEventStore):
    """A store that counts the events that followers read."""

    def __init__(self) -> None:
        super().__init__()
        self.followed = 0

    async def _after(self, game: str, after: int) -> Any:
        found = await super()._after(game, after)
        self.followed += len(found)
        return found


async def test_own_changes_are_told_without_reading_them_back():
    store = CountingStore()
    service, game_id, tokens, version = await midgame(store=store)
    watchers = [Watcher(service, game_id) for _ in range(3)]
    await asyncio.gather(*(watcher.begun.wait() for watcher in watchers))

    for token in tokens:
        await service.move(game_id, token)

    newest = (await service.call("GetGame", game_id=game_id)).game.version
    for watcher in watchers:
        await until(lambda watcher=watcher: [*versions(watcher.messages)][-1:] == [newest])
        assert list(range(version + 1, newest + 1)) == versions(watcher.messages)
        await watcher.leave()
    assert 0 == store.followed


async def test_changes_of_two_processes_are_told_once_and_in_order():
    store = MemoryEventStore()
    service, game_id, tokens, version = await midgame(store=store)
    other = Service(store=store)
    watcher = Watcher(service, game_id)
    await watcher.begun.wait()

    for place, token in enumerate(tokens * 4):
        await (service, other)[place // 2 % 2].move(game_id, token)

    newest = (await service.call("GetGame", game_id=game_id)).game.version
    await until(lambda: versions(watcher.messages)[-1:] == [newest])
    assert list(range(version + 1, newest + 1)) == versions(watcher.messages)
    await watcher.leave()


class HeldStore(MemoryEventStore):
    """A store whose followers wait for `go_on` before they get what they have read."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def follow(self, *arguments: Any, **named: Any) -> AsyncIterator[Any]:
        async for events in super().follow(*arguments, **named):
            await self.go_on.wait()
            yield events


async def test_an_own_change_waits_for_one_of_another_process_before_it():
    store = HeldStore()
    service, game_id, tokens, version = await midgame(store=store)
    watcher = Watcher(service, game_id)
    await watcher.begun.wait()

    store.go_on.clear()
    await Service(store=store).move(game_id, tokens[0])
    await service.move(game_id, tokens[1])
    store.go_on.set()

    newest = (await service.call("GetGame", game_id=game_id)).game.version
    await until(lambda: watcher.ended or versions(watcher.messages)[-1:] == [newest])
    assert list(range(version + 1, newest + 1)) == versions(watcher.messages)
    await watcher.leave()
