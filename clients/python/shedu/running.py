"""Runs a bot on a server: many games at once, across restarts of the server.

`Runner` plays seats to the end; `shedu.finding` finds them. `match` lets bots play each other.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeVar

from .aio import Player, Server, Turn
from .async_io import Stream
from .bot_threads import Thinkers, Thought, TooSlow
from .deciding import BadBot, Decider, ask, told, wants_events
from .errors import NotNow, SheduError, Stale
from .play_stream import PlayStream
from .reporting import Report
from .title_types import Options
from .v1 import game_pb2

T = TypeVar("T")

OnFailure = Literal["first", "resign"]

DECISION_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Bot:
    """`make` creates a decider for each game. `on_failure` is what happens if it raises, gives no valid
    answer or does not answer: the first legal action is played, or the seat resigns."""

    name: str
    make: Callable[[], Decider]
    on_failure: OnFailure = "first"


def _quiet(_message: str) -> None: ...


def stop_on_sigterm() -> None:
    """Lets SIGTERM, with which supervisors stop a program, cancel the current task, as Ctrl-C does.

    Only the main thread may handle signals; in another one this does nothing.
    """
    task = asyncio.current_task()
    if task is not None and threading.current_thread() is threading.main_thread():
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


class Runner:
    """Plays for a bot, which decides in up to `threads` games at once, never twice in one game.
    `tell` gets messages for the user; the first one of each kind of failure has the traceback of the bot."""

    def __init__(
        self,
        bot: Bot,
        tell: Callable[[str], None] = _quiet,
        *,
        threads: int = 1,
        decision_seconds: float = DECISION_SECONDS,
    ) -> None:
        self.bot, self.report = bot, Report()
        self._tell = tell
        self._traces: set[str] = set()
        self._thinkers = Thinkers(threads, decision_seconds)

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_error: object) -> None:
        self._thinkers.close()

    async def run(
        self, players: Stream[Player], games: int | None = None, at_once: int | None = None
    ) -> None:
        """Plays the seats as they come: `games` in all, `at_once` at a time.

        A game that waits for other players counts among those `at_once`, so there is no limit by default. An
        error of `players` is raised when the running games are over.
        """
        slots = asyncio.Semaphore(sys.maxsize if at_once is None else at_once)
        async with aclosing(players), asyncio.TaskGroup() as group:
            trouble = await self._seat_all(players, games, slots, group)
        if trouble is not None:
            raise trouble

    async def _seat_all(
        self, players: Stream[Player], games: int | None, slots: asyncio.Semaphore, group: asyncio.TaskGroup
    ) -> SheduError | None:
        begun = 0
        while games is None or begun < games:
            await slots.acquire()
            try:
                player = await anext(players, None)
            except SheduError as error:
                return error
            if player is None:
                return None
            begun += 1
            group.create_task(self._seated(player, slots))
        return None

    async def _seated(self, player: Player, slots: asyncio.Semaphore) -> None:
        """Plays one game; an error ends only this game."""
        try:
            await self.play(player)
        except SheduError as error:
            self._lost(player, str(error))
        except Exception as error:
            self._lost(player, told(error, __file__))
        finally:
            slots.release()

    async def play(self, player: Player) -> game_pb2.Outcome | None:
        """Plays one seat to the end of its game."""
        if player.wire.plays is None:
            player.wire.plays = PlayStream(player.wire).play
        await self._back(player)
        decider = await self._decider()
        reads_events = decider is not None and wants_events(decider)
        async with aclosing(player.turns(events=reads_events)) as turns:
            async for turn in turns:
                try:
                    await self._answer(turn, await self._chosen(turn, decider))
                except TooSlow as slow:
                    self._failed(f"{self.bot.name}: decide fails at {turn.decision.decision_id}: {slow}")
                    await self._answer(turn, self._fallback)
                    decider = await self._decider()  # the old one may still be running
        outcome = await player.outcome()
        self.report.finished(player.seat, outcome)
        return outcome

    async def _back(self, player: Player) -> None:
        """Reclaims the seat if it timed out, and the game still goes on."""
        if (await player.look()).seats[player.seat].taken_over:
            with suppress(NotNow):  # the hosted bot ended the game, or another process was faster
                await player.reclaim()

    async def _decider(self) -> Decider | None:
        try:
            return (await self._thought("Bot() cannot be made", self.bot.make)).answer
        except TooSlow as slow:
            self._failed(f"{self.bot.name}: Bot() cannot be made: {slow}")
        except BadBot as bad:
            self._failed(str(bad))
        return None

    async def _answer(self, turn: Turn, chosen: int | None) -> None:
        thought = time.perf_counter()
        try:
            if chosen is None:
                await turn.player.resign()
            else:
                # The next decision comes with the stream of turns, so the response needs no content.
                await turn.play(turn.actions[chosen], read_mask=("view.version",))
        except (Stale, NotNow):  # another answered: the clock, an undo, a second process of this bot
            self.report.late += 1
            await self._back(turn.player)
        else:
            self.report.decided(time.perf_counter() - thought)

    async def _chosen(self, turn: Turn, decider: Decider | None) -> int | None:
        """Returns the index of an action; None to resign. Raises TooSlow."""
        if decider is None:
            return self._fallback
        events = turn.events if wants_events(decider) else None
        question = partial(ask, self.bot.name, decider, turn.view, turn.decision, turn.actions, events)
        try:
            thought = await self._thought(f"decide fails at {turn.decision.decision_id}", question)
        except BadBot as bad:
            self._failed(str(bad), bad.trace)
            return self._fallback
        self.report.thought(thought.waited, thought.took)
        return thought.answer

    async def _thought(self, doing: str, question: Callable[[], T]) -> Thought[T]:
        """Raises TooSlow, or BadBot for any other exception of a bot."""
        try:
            return await self._thinkers.think(question)
        except (BadBot, TooSlow, asyncio.CancelledError):
            raise
        except BaseException as error:  # KeyboardInterrupt is not raised in the threads of bots
            raise BadBot(f"{self.bot.name}: {doing}: {told(error, '')}") from error

    @property
    def _fallback(self) -> int | None:
        return 0 if self.bot.on_failure == "first" else None

    def _lost(self, player: Player, why: str) -> None:
        self.report.lost += 1
        self._tell(f"game {player.id} is left alone: {why}")

    def _failed(self, why: str, trace: str = "") -> None:
        self.report.failures += 1
        known = not trace or trace in self._traces
        self._traces.add(trace)
        self._tell(why if known else f"{why}\n{trace}")


@dataclass(frozen=True, slots=True)
class Played:
    """A game of a match: the bots by seat, and the outcome."""

    game_id: str
    names: tuple[str, ...]
    outcome: game_pb2.Outcome


async def match(
    server: Server,
    title: str,
    bots: Sequence[Bot],
    games: int = 1,
    *,
    options: Options | None = None,
    at_once: int = 8,
    tell: Callable[[str], None] = _quiet,
) -> list[Played]:
    """Lets the bots play each other on a server, one seat each; the seats rotate from game to game."""
    runners = [Runner(bot, tell) for bot in bots]
    slots = asyncio.Semaphore(at_once)

    async def one(number: int) -> Played:
        async with slots:
            turn = number % len(runners)
            return await _play_each_other(server, title, runners[turn:] + runners[:turn], options)

    try:
        return list(await asyncio.gather(*map(one, range(games))))
    finally:
        for runner in runners:
            runner.__exit__()


async def _play_each_other(
    server: Server, title: str, runners: Sequence[Runner], options: Options | None
) -> Played:
    game = await server.create(title, seats=len(runners), options=options, visibility="unlisted")
    names = tuple(runner.bot.name for runner in runners)
    players = [await game.join(name[:40], seat=seat) for seat, name in enumerate(names)]
    async with asyncio.TaskGroup() as group:
        for runner, player in zip(runners, players, strict=True):
            group.create_task(runner.play(player))
    return Played(game.id, names, (await game.look()).outcome)
