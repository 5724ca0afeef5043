"""Runs each attack beside moves of other callers; measures their latency and the memory of the process."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.load.site import Place, place
from bench.load.stages import stretch

from . import attacks
from .attacks import Target

KIB, MIB = 1 << 10, 1 << 20
RATE = 30.0  # moves per second of the other callers


@dataclass(frozen=True)
class Plan:
    seconds: float = 8.0
    watchers: int = 1_000
    games: int = 10_000
    streams: int = 1_000


@dataclass(frozen=True)
class Bound:
    """`slower` is the allowed factor of the p99 of others, `holds` the bytes that a `unit` may cost."""

    attack: str
    slower: float
    holds: int
    unit: str
    also: str = ""


@dataclass
class Trial:
    bound: Bound
    units: int
    before_ms: float
    during_ms: float
    grown: int
    service_busy: float
    facts: dict[str, Any] = field(default_factory=dict)
    kept: bool = True  # what else was promised

    @property
    def slower(self) -> float:
        return self.during_ms / self.before_ms

    @property
    def each(self) -> float:
        return max(0, self.grown) / self.units

    @property
    def met(self) -> bool:
        return self.slower <= self.bound.slower and self.each <= self.bound.holds and self.kept


UNREAD = Bound(
    "watchers that never read",
    10,
    256 * KIB,
    "watcher",
    "those over HTTP are cut within 30 s of standing still",
)
GAMES = Bound("open games", 5, 32 * KIB, "game", "never more than `SHEDU_CACHE_MB` in all")
STORM = Bound("streams that all come back at once", 30, 64 * KIB, "stream", "all caught up within 10 s")
BODIES = Bound(
    "bodies of 1 MiB", 10, 32 * MIB, "process", "413 over REST, RESOURCE_EXHAUSTED over gRPC and Connect"
)
PINGS = Bound("HTTP/2 ping floods", 10, 16 * MIB, "process", "GOAWAY `too_many_pings`")
RESETS = Bound(
    "HTTP/2 rapid reset, 500/s", 10, 32 * MIB, "process", "faster ones are the edge proxy's to cut"
)


@contextmanager
def site(title: str = "tides") -> Iterator[Place]:
    with (
        tempfile.TemporaryDirectory(prefix="bench-bounds-") as folder,
        place(Path(folder), title=title) as here,
    ):
        yield here


def target(here: Place) -> Target:
    return Target(here.serve.port, here.serve.grpc_port)


def games_of(here: Place) -> list[str]:
    with here.redis.client() as client:
        names = [bytes(name).decode() for name in client.scan_iter("shedu:{*}:seed", count=1000)]
    return [name.partition("{")[2].partition("}")[0] for name in names]


def open_streams(here: Place, transport: str) -> float:
    wanted = f'shedu_open_streams{{method="WatchGame",transport="{transport}"}} '
    lines = httpx.get(f"{here.serve.url}/metrics", verify=False).text.splitlines()
    return sum(float(line.removeprefix(wanted)) for line in lines if line.startswith(wanted))


Attack = Callable[["asyncio.Future[Any]"], Awaitable[None]]


async def beside(
    here: Place, games: int, rate: float, seconds: float, attack: Attack | None
) -> dict[str, Any]:
    """Plays moves of others for so long, with the attack meanwhile."""
    await asyncio.to_thread(here.crew.open, games, rate * seconds)
    moves = asyncio.ensure_future(asyncio.to_thread(stretch, here, games, rate, seconds))
    if attack:
        await attack(moves)
    return await moves


async def tried(
    here: Place, bound: Bound, units: int, attack: Attack | None, *, seconds: float, rate: float = RATE
) -> Trial:
    """Measures before and during an attack, after a warm-up."""
    await beside(here, 30, rate, seconds / 3, None)
    before = await beside(here, 30, rate, seconds, None)
    held = here.reading().held["service"]
    during = await beside(here, 30, rate, seconds, attack)
    grown = here.reading().held["service"] - held
    return Trial(bound, units, before["p99_ms"], during["p99_ms"], grown, during["busy"]["service"])


async def unread(plan: Plan) -> Trial:
    with site("tigris") as here:
        here.crew.open(30)
        rude = attacks.Unread(target(here), games_of(here))

        async def attack(_moves: asyncio.Future[Any]) -> None:
            await rude.come(plan.watchers)

        trial = await tried(here, UNREAD, plan.watchers, attack, seconds=2 * plan.seconds)
        began, later = time.perf_counter(), 30.0
        while (left := open_streams(here, "rest")) and time.perf_counter() < began + later:
            await beside(here, 30, RATE, 3, None)
        trial.facts = {"seconds until cut": 2 * plan.seconds + time.perf_counter() - began, "left": left}
        trial.kept = not left
        await rude.leave()
        return trial


async def games(plan: Plan) -> Trial:
    with site() as here:
        await beside(here, 100, RATE, plan.seconds / 3, None)
        before = await beside(here, 100, RATE, plan.seconds, None)
        held = here.reading().held["service"]
        opened = sum(each["opened"] for each in await asyncio.to_thread(here.crew.open, plan.games))
        grown = here.reading().held["service"] - held
        during = await beside(here, plan.games, RATE, plan.seconds, None)
        kept = grown < 256 * MIB
        busy = during["busy"]["service"]
        return Trial(GAMES, opened, before["p99_ms"], during["p99_ms"], grown, busy, kept=kept)


async def storm(plan: Plan) -> Trial:
    with site() as here:
        here.crew.open(30)
        rude, times = attacks.Storm(target(here), games_of(here)), list[float]()

        async def attack(moves: asyncio.Future[Any]) -> None:
            while not moves.done():
                times.append(await rude.come(plan.streams))
                await rude.cut()
                await asyncio.sleep(1)

        trial = await tried(here, STORM, plan.streams, attack, seconds=plan.seconds)
        trial.facts = {"storms": len(times), "slowest seconds": max(times)}
        trial.kept = max(times) < 10
        return trial


async def bodies(plan: Plan) -> Trial:
    with site() as here:
        answers: set[str] = set()

        async def attack(moves: asyncio.Future[Any]) -> None:
            while not moves.done():
                answers.update(await attacks.big_bodies(target(here), 5))

        trial = await tried(here, BODIES, 1, attack, seconds=plan.seconds)
        trial.facts = {"answers": sorted(answers)}
        trial.kept = answers <= {
            "rest 413",
            "connect 429",
            "grpc RESOURCE_EXHAUSTED",
            "rest cut off",
            "connect cut off",
        }
        return trial


async def pings(plan: Plan) -> Trial:
    with site() as here:
        floods: list[attacks.Rude] = []

        async def attack(moves: asyncio.Future[Any]) -> None:
            while not moves.done():
                floods.append(await attacks.ping_flood(target(here), 100_000))

        trial = await tried(here, PINGS, 1, attack, seconds=plan.seconds)
        trial.facts = {"connections": len(floods), "most pings": max(each.sent for each in floods)}
        told = (attacks.CALM_DOWN, "too_many_pings")
        # A connection that is closed during a flood may not receive the reason.
        trial.kept = all(each.over for each in floods) and any(each.goodbye == told for each in floods)
        return trial


async def resets(plan: Plan) -> Trial:
    with site() as here:
        sent: list[int] = []

        async def attack(moves: asyncio.Future[Any]) -> None:
            while not moves.done():
                sent.append((await attacks.rapid_reset(target(here), 500, 500.0)).sent)

        trial = await tried(here, RESETS, 1, attack, seconds=plan.seconds)
        trial.facts = {"resets": sum(sent)}
        return trial


TRIALS: dict[str, Callable[[Plan], Awaitable[Trial]]] = {
    "unread": unread,
    "games": games,
    "storm": storm,
    "bodies": bodies,
    "pings": pings,
    "resets": resets,
}
