"""Players on one service process and watchers on another, while something happens to their store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import shedu
from shedu.aio import Game, Player
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb

PACE = 0.02  # seconds between the moves of a player
PATIENCE = 60.0


@dataclass(slots=True)
class Watched:
    """One game: what its players were told, and the versions that a watcher saw."""

    game: Game
    players: list[Player]
    told: list[list[pb.PlayActionResponse]] = field(default_factory=lambda: [[], []])
    seen: list[int] = field(default_factory=list)


class Traffic:
    def __init__(self, here: shedu.aio.Server, there: shedu.aio.Server) -> None:
        self._here, self._there = here, there
        self.games: list[Watched] = []
        self.moves = 0
        self.slowest = 0.0  # seconds until a move was answered, with all that it took
        self._going = True

    async def play_on(self) -> None:
        while self._going:
            await self._play_one()

    async def _play_one(self) -> None:
        game = await self._here.create("tides")
        watched = Watched(game, [await game.join() for _ in range(2)])
        self.games.append(watched)
        watcher = asyncio.create_task(self._watch(watched))
        await asyncio.gather(*(self._move(watched, seat) for seat in range(2)))
        await asyncio.wait_for(watcher, PATIENCE)

    async def _move(self, watched: Watched, seat: int) -> None:
        async for turn in watched.players[seat].turns():
            began = time.monotonic()
            watched.told[seat].append(await turn.play(turn.actions[0]))
            self.slowest = max(self.slowest, time.monotonic() - began)
            self.moves += 1
            await asyncio.sleep(PACE if self._going else 0)

    async def _watch(self, watched: Watched) -> None:
        async for moment in self._there.game(watched.game.id).watch(after=0):
            watched.seen += [event.version for event in moment.events]

    async def moved(self, more: int) -> None:
        """Wait until so many more moves have been answered."""
        enough = self.moves + more
        while self.moves < enough:
            await asyncio.sleep(0.02)

    def end(self) -> None:
        self._going = False

    async def check(self) -> None:
        """Whatever was answered is in the log as it was told, and each watcher saw each event once."""
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
    """What it shows of hidden things changes when the game is over, but not when it was written."""
    return event.version, event.seat, event.event_time.ToNanoseconds(), event.WhichOneof("kind")


@asynccontextmanager
async def traffic(play_at: str, watch_at: str, tables: int = 4) -> AsyncIterator[Traffic]:
    """Games are played, one after another at each table, until the block ends; then all is checked."""
    async with (
        shedu.aio.connect(play_at, patience=PATIENCE) as here,
        shedu.aio.connect(watch_at, patience=PATIENCE) as there,
        asyncio.timeout(2 * PATIENCE),
        asyncio.TaskGroup() as group,
    ):
        found = Traffic(here, there)
        playing = [group.create_task(found.play_on()) for _ in range(tables)]
        await found.moved(20)
        yield found
        await found.moved(20)
        found.end()
        await asyncio.wait(playing)
        await found.check()
