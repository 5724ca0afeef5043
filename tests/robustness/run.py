"""A run: one world, its traffic, faults one after the other, then the verdict."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .environment import PROCESSES, Wishes, World
from .expected_views import Log
from .faults import FAULTS, Fault
from .history import History, now
from .traffic_mix import Mix
from .verdict import REPLAYED, Verdict, judge

QUIET = (1.0, 2.5)  # seconds between two faults


@dataclass(frozen=True)
class Plan:
    """The seed says what happens: who plays what, which faults come when and how. It ends when so many moves
    are acknowledged and every fault has come up, when `seen` is true of the history so far, or when the time
    is over."""

    seed: int
    faults: tuple[str, ...]
    moves: int = 0
    seconds: float = 0.0
    topology: str = "standalone"
    plant: str = ""
    mix: Mix = field(default_factory=Mix)
    redis: dict[str, str] = field(default_factory=dict)
    processes: int = PROCESSES
    forked: bool = False
    replayed: int = REPLAYED
    first: int = 0  # moves before the first fault
    seen: Callable[[History], bool] = lambda _: False

    def wishes(self) -> Wishes:
        needs = {need: True for name in self.faults for need in FAULTS[name].needs}
        return Wishes(
            self.seed,
            self.topology,
            self.plant,
            self.mix,
            self.processes,
            redis=self.redis,
            forked=self.forked,
            **needs,
        )


@dataclass(frozen=True)
class Happened:
    """A fault that came up, and how many moves were acknowledged and calls failed meanwhile."""

    name: str
    note: str
    began: float
    ended: float
    moves: int
    failed: int


@dataclass(frozen=True)
class Played:
    """What was seen, what is in the store, and which faults came up meanwhile."""

    history: History
    logs: list[Log]
    faults: list[Happened]


@dataclass
class Result:
    plan: Plan
    verdict: Verdict
    faults: list[Happened]
    seconds: float
    history: History

    @property
    def good(self) -> bool:
        return not self.verdict.violations


@dataclass(frozen=True)
class Progress:
    """Called with moves acknowledged so far, and what is going on."""

    moves: Callable[[int, str], None] = lambda _moves, _what: None


async def run(plan: Plan, folder: Path, progress: Progress | None = None) -> Result:
    began = time.monotonic()
    played = await play(plan, folder, progress)
    judged = asyncio.to_thread(judge, played.history, played.logs, folder, plan.plant, plan.replayed)
    verdict = await judged
    return Result(plan, verdict, played.faults, time.monotonic() - began, played.history)


async def play(plan: Plan, folder: Path, progress: Progress | None = None) -> Played:
    async with World(folder, plan.wishes()) as world:
        world.crowd.begin()
        faults = [each async for each in happenings(plan, world, progress or Progress())]
        await world.crowd.end()
        logs = [Log(game, *found) for game, found in (await world.logs()).items()]
    return Played(world.history, logs, faults)


async def happenings(plan: Plan, world: World, progress: Progress) -> AsyncIterator[Happened]:
    """One fault after the other, until there is enough of everything."""
    coin = random.Random(f"{plan.seed} faults")
    end = now() + plan.seconds if plan.seconds else float("inf")
    came_up = 0

    def enough() -> bool:
        all_made = plan.moves and world.history.moves >= plan.moves
        return now() > end or bool(all_made and came_up >= len(plan.faults)) or plan.seen(world.history)

    for fault in endless(plan.faults, coin):
        await quiet(coin.uniform(*QUIET), world, progress, enough=enough)
        while world.history.moves < plan.first and not enough():
            await quiet(0.1, world, progress)
        if enough():
            return
        if fault is None:
            continue
        yield await happen(fault, coin.uniform(*fault.seconds), world, progress)
        came_up += 1


def endless(names: Sequence[str], coin: random.Random) -> Iterator[Fault | None]:
    """All of them in some order, then all of them in another; nothing, time and again, if there are none."""
    while True:
        yield from (FAULTS[name](coin) for name in coin.sample(names, len(names)))
        if not names:
            yield None


async def happen(fault: Fault, seconds: float, world: World, progress: Progress) -> Happened:
    history = world.history
    began, moves, failed = now(), history.moves, len(history.failures)
    try:
        await fault.begin(world)
        await quiet(seconds, world, progress, fault.name)
    except Exception as error:  # a fault that does not happen proves nothing, and must be seen
        history.failed("harness", fault.name, error)
    finally:
        await fault.end(world)
    return Happened(
        fault.name, fault.note, began, now(), history.moves - moves, len(history.failures) - failed
    )


async def quiet(
    seconds: float,
    world: World,
    progress: Progress,
    what: str = "",
    enough: Callable[[], bool] = lambda: False,
) -> None:
    end = now() + seconds
    while now() < end and not enough():
        progress.moves(world.history.moves, what)
        await asyncio.sleep(min(0.1, max(0.0, end - now())))
