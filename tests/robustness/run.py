"""A run: one environment, its traffic, faults one after the other, then the verdict."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .environment import PROCESSES, Environment, EnvironmentOptions
from .expected_views import Log
from .faults import FAULTS, Fault
from .history import History, now
from .traffic_mix import TrafficMix
from .verdict import REPLAYED, Verdict, judge

QUIET = (1.0, 2.5)  # seconds between two faults


@dataclass(frozen=True)
class Plan:
    """A run. The seed decides who plays what, and which faults come when and how.

    It ends when `moves` are acknowledged and every fault has come up, when `seen` is true of the history so
    far, or when `seconds` have passed.
    """

    seed: int
    faults: tuple[str, ...]
    moves: int = 0
    seconds: float = 0.0
    topology: str = "standalone"
    plant: str = ""
    mix: TrafficMix = field(default_factory=TrafficMix)
    redis: dict[str, str] = field(default_factory=dict)
    processes: int = PROCESSES
    forked: bool = False
    replayed: int = REPLAYED
    first: int = 0  # moves before the first fault
    seen: Callable[[History], bool] = lambda _: False

    def options(self) -> EnvironmentOptions:
        needs = {need: True for name in self.faults for need in FAULTS[name].needs}
        return EnvironmentOptions(
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
class FaultRecord:
    """A fault that was injected, with the moves acknowledged and the calls failed while it lasted."""

    name: str
    note: str
    began: float
    ended: float
    moves: int
    failed: int


@dataclass(frozen=True)
class Played:
    """A played run: what clients saw, the logs in the store, and the faults injected."""

    history: History
    logs: list[Log]
    faults: list[FaultRecord]


@dataclass
class Result:
    plan: Plan
    verdict: Verdict
    faults: list[FaultRecord]
    seconds: float
    history: History

    @property
    def good(self) -> bool:
        return not self.verdict.violations


@dataclass(frozen=True)
class Progress:
    """A callback that receives the number of acknowledged moves and the current fault."""

    moves: Callable[[int, str], None] = lambda _moves, _what: None


async def run(plan: Plan, folder: Path, progress: Progress | None = None) -> Result:
    began = time.monotonic()
    played = await play(plan, folder, progress)
    judged = asyncio.to_thread(judge, played.history, played.logs, folder, plan.plant, plan.replayed)
    verdict = await judged
    return Result(plan, verdict, played.faults, time.monotonic() - began, played.history)


async def play(plan: Plan, folder: Path, progress: Progress | None = None) -> Played:
    async with Environment(folder, plan.options()) as environment:
        environment.traffic.begin()
        faults = [each async for each in inject_faults(plan, environment, progress or Progress())]
        await environment.traffic.end()
        logs = [Log(game, *found) for game, found in (await environment.logs()).items()]
    return Played(environment.history, logs, faults)


async def inject_faults(
    plan: Plan, environment: Environment, progress: Progress
) -> AsyncIterator[FaultRecord]:
    """Injects one fault after the other until the plan is fulfilled."""
    coin = random.Random(f"{plan.seed} faults")
    end = now() + plan.seconds if plan.seconds else float("inf")
    came_up = 0

    def enough() -> bool:
        all_made = plan.moves and environment.history.moves >= plan.moves
        return now() > end or bool(all_made and came_up >= len(plan.faults)) or plan.seen(environment.history)

    for fault in fault_sequence(plan.faults, coin):
        await wait(coin.uniform(*QUIET), environment, progress, enough=enough)
        while environment.history.moves < plan.first and not enough():
            await wait(0.1, environment, progress)
        if enough():
            return
        if fault is None:
            continue
        yield await inject_fault(fault, coin.uniform(*fault.seconds), environment, progress)
        came_up += 1


def fault_sequence(names: Sequence[str], coin: random.Random) -> Iterator[Fault | None]:
    """Yields all faults in random order, again and again; None each time if there are no faults."""
    while True:
        yield from (FAULTS[name](coin) for name in coin.sample(names, len(names)))
        if not names:
            yield None


async def inject_fault(
    fault: Fault, seconds: float, environment: Environment, progress: Progress
) -> FaultRecord:
    history = environment.history
    began, moves, failed = now(), history.moves, len(history.failures)
    try:
        await fault.begin(environment)
        await wait(seconds, environment, progress, fault.name)
    except Exception as error:  # a fault that fails to happen proves nothing, so it is reported
        history.failed("harness", fault.name, error)
    finally:
        await fault.end(environment)
    return FaultRecord(
        fault.name, fault.note, began, now(), history.moves - moves, len(history.failures) - failed
    )


async def wait(
    seconds: float,
    environment: Environment,
    progress: Progress,
    what: str = "",
    enough: Callable[[], bool] = lambda: False,
) -> None:
    end = now() + seconds
    while now() < end and not enough():
        progress.moves(environment.history.moves, what)
        await asyncio.sleep(min(0.1, max(0.0, end - now())))
