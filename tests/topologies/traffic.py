"""Players on one service process and watchers on another, for tests that change their store."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import shedu
from gamehost.stores.redis.store import RedisEventStore, connect
from shedu.aio import Game, Player
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from support.process import Serve
from support.waiting import PATIENCE, until

PACE = 0.02  # seconds between the moves of a player
NEVER = 1e6  # seconds between two polls of a follower
# Moves before and after the change of the store; the larger number is for SHEDU_TEST_FULL=1.
ENOUGH = 600 if os.environ.get("SHEDU_TEST_FULL") else 20


@dataclass(slots=True)
class Watched:
    """One game: the responses of its players, and the versions that a watcher saw."""

    game: Game
    players: list[Player]
    told: list[list[pb.PlayActionResponse]] = field(default_factory=lambda: [[], []])
    seen: list[int] = field(default_factory=list)
    answered_at: dict[int, float] = field(default_factory=dict)


class Traffic:
    def __init__(self, here: shedu.aio.Server, there: shedu.aio.Server) -> None:
        self._here, self._there = here, there
        self.games: list[Watched] = []
        self.moves = 0
        self.longest = 0.0  # seconds between two answered moves of a game, or between games
        self.latest = 0.0  # seconds until a watcher saw a move that had been answered
        self._last: dict[int, float] = {}
        self._going = True

    async def play_on(self, table: int) -> None:
        self._last[table] = time.monotonic()
        while self._going:
            await self._play_one(table)

    async def _play_one(self, table: int) -> None:
        game = await self._here.create("tides")
        watched = Watched(game, [await game.join() for _ in range(2)])
        self.games.append(watched)
        watcher = asyncio.create_task(self._watch(watched))
        await asyncio.gather(*(self._move(table, watched, seat) for seat in range(2)))
        async with asyncio.timeout(PATIENCE):
            await watcher

    async def _move(self, table: int, watched: Watched, seat: int) -> None:
        async for turn in watched.players[seat].turns():
            watched.told[seat].append(await turn.play(turn.actions[0]))
            watched.answered_at[watched.told[seat][-1].view.version] = now = time.monotonic()
            self.longest = max(self.longest, now - self._last[table])
            self._last[table] = now
            self.moves += 1
            await asyncio.sleep(PACE if self._going else 0)

    async def _watch(self, watched: Watched) -> None:
        async for moment in self._there.game(watched.game.id).watch(after=0):
            watched.seen += [event.version for event in moment.events]
            now = time.monotonic()
            self.latest = max(self.latest, now - watched.answered_at.get(moment.version, now))

    def __str__(self) -> str:
        return f"{self.moves} moves, none for {self.longest:.1f} s, seen {self.latest:.1f} s later at most"

    async def moved(self, more: int) -> None:
        """Waits until so many more moves were answered."""
        enough = self.moves + more
        await until(lambda: self.moves >= enough)

    def end(self) -> None:
        self._going = False

    async def check(self) -> None:
        """Asserts that every answered move is in the log unchanged, and that watchers saw each event once."""
        for watched in self.games:
            logs = [[event async for event in player.events()] for player in watched.players]
            assert list(range(1, len(logs[0]) + 1)) == watched.seen, watched.game.id
            for told, log in zip(watched.told, logs, strict=True):
                answered = [event for answer in told for event in answer.events]
                versions = [event.version for event in answered]
                assert sorted(set(versions)) == versions, "a move was made twice"
                kept = [identity(log[version - 1]) for version in versions]
                assert kept == [identity(event) for event in answered], "an answered move is lost"
                assert 14 == len(told)


def identity(event: game_pb2.Event) -> tuple[object, ...]:
    """Returns the parts of an event that stay the same when its hidden fields are revealed."""
    return event.version, event.seat, event.event_time.ToNanoseconds(), event.WhichOneof("kind")


@asynccontextmanager
async def traffic(play_at: str, watch_at: str, tables: int = 4) -> AsyncIterator[Traffic]:
    """Plays `tables` games at a time until the block ends, then checks all of them."""
    async with (
        shedu.aio.connect(play_at, patience=PATIENCE) as here,
        shedu.aio.connect(watch_at, patience=PATIENCE) as there,
        asyncio.timeout(3 * PATIENCE),
        asyncio.TaskGroup() as group,
    ):
        found = Traffic(here, there)
        playing = [group.create_task(found.play_on(table)) for table in range(tables)]
        await found.moved(ENOUGH)
        yield found
        await found.moved(ENOUGH)
        found.end()
        await asyncio.wait(playing)
        await found.check()


@asynccontextmanager
async def unpolled(url: str) -> AsyncIterator[RedisEventStore]:
    """Opens a store whose followers do not poll, so that they see only what they are notified of."""
    store = connect(url, poll=NEVER)
    try:
        yield store
    finally:
        await store.close()


@contextmanager
def services(folder: Path, *arguments: str, count: int = 2) -> Iterator[list[str]]:
    """Starts so many processes of one service; yields their addresses."""
    serves = [Serve(folder / str(number), *arguments) for number in range(count)]
    for serve in serves:
        serve.log.parent.mkdir(parents=True)
        serve.launch()
    with ExitStack() as stack:
        for serve in serves:
            stack.callback(serve.stop)
        for serve in serves:
            serve.wait_until_ready()
        yield [f"127.0.0.1:{serve.grpc_port}" for serve in serves]
