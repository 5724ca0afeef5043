"""Measures matchmaking: how far ratings differ, how long tickets wait, and the CPU time of a ticket."""

from __future__ import annotations

import asyncio
import json
import random
import resource
import statistics
import sys
import tempfile
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from gamehost.play.access import Caller
from gamehost.play.matching.matchmaking import TicketSpec
from gamehost.play.matching.tickets import Tickets, TicketStatus
from gamehost.play.players.profiles import caller_digest
from gamehost.play.players.rating_model import MEAN, NEW_PLAYER, POINTS, Rating
from gamehost.play.players.rating_sequence import encode_rating, player_field, ratings_map
from gamehost.play.ports.maps import MapChange
from gamehost.stores.redis.store import connect
from support.keyed_service import KeyedService
from support.servers import redis_server

TITLE = "tides"
LOOK_SECONDS = 0.5  # between two looks at the pool, as in the service
SPREAD = 250  # standard deviation of the ratings

out = Console()
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@dataclass(frozen=True)
class Figures:
    """The measurements. Waiting times are those of the simulated clock."""

    tickets: int
    per_second: float
    matched: int
    spread_median: float
    spread_p90: float
    spread_p99: float
    random_spread_median: float
    wait_median: float
    wait_p90: float
    wait_p99: float
    create_cpu_ms: float
    match_cpu_ms: float


@app.command()
def main(
    tickets: Annotated[int, typer.Option(min=10, help="The number of tickets.")] = 10_000,
    per_second: Annotated[float, typer.Option(min=0.1, help="Tickets per second of the clock.")] = 10.0,
    seed: Annotated[int, typer.Option(help="Of arrivals and ratings.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Creates tickets of players with normally distributed ratings for rated games of two.

    The service runs in this process on a Redis server, with a clock that the benchmark moves: the times of
    waiting do not depend on the machine. The CPU time does, and has that of making the games in it.
    """
    with tempfile.TemporaryDirectory() as folder, redis_server(Path(folder)) as server:
        figures = asyncio.run(measured(server.url, tickets, per_second, random.Random(seed)))
    if as_json:
        print(json.dumps(asdict(figures)))
        return
    for name, value in asdict(figures).items():
        out.print(f"{name:24} {value:,.2f}" if isinstance(value, float) else f"{name:24} {value:,}")


async def measured(url: str, count: int, per_second: float, luck: random.Random) -> Figures:
    store = connect(url)
    service = KeyedService(store)
    ratings = {f"caller-{number}": luck.gauss(NEW_PLAYER, SPREAD) for number in range(count)}
    await store_ratings(store, ratings)
    run = Run(service, list(ratings))
    arrivals, at = list[float](), 0.0
    for _ in range(count):
        at += luck.expovariate(per_second)
        arrivals.append(at)
    await run.play(arrivals)
    found = run.figures(per_second, ratings)
    await store.close()
    return found


async def store_ratings(store: Any, ratings: dict[str, float]) -> None:
    """Gives each caller a rating, as many rated games would."""
    players = {
        caller_digest(caller): Rating(MEAN + (points - NEW_PLAYER) / POINTS, 1.5, 50)
        for caller, points in ratings.items()
    }
    fields = {player_field(player): encode_rating(rating) for player, rating in players.items()}
    await store.change_map(ratings_map(TITLE), MapChange(put=fields))


class Run:
    """Creates tickets as they arrive, and looks at the pool."""

    def __init__(self, service: KeyedService, callers: list[str]) -> None:
        self._service, self._callers = service, callers
        self._matching: Any = service.application.matchmaking
        self._matcher: Any = service.matcher
        self._ids: list[str] = []
        self._games: dict[str, list[str]] = defaultdict(list)
        self._waits: list[float] = []
        self._create_cpu = self._match_cpu = 0.0

    async def play(self, arrivals: list[float]) -> None:
        start, pool, waiting = self._service.now, "", dict[str, str]()
        upcoming = list(zip(self._callers, arrivals, strict=True))[::-1]
        tickets = Tickets(self._service.store)
        while upcoming or waiting:
            self._service.now += int(LOOK_SECONDS * 1e6)
            begin = cpu()
            while upcoming and upcoming[-1][1] <= (self._service.now - start) / 1e6:
                caller, _ = upcoming.pop()
                ticket = await self._matching.create(spec(), Caller(caller), caller, None)
                waiting[ticket.id], pool = caller, ticket.pool
            between = cpu()
            if pool:
                await self._matcher.check(pool)
            self._create_cpu += between - begin
            self._match_cpu += cpu() - between
            for ticket in await asyncio.gather(*map(tickets.read, waiting)):
                if ticket and ticket.status is not TicketStatus.WAITING:
                    self._ended(ticket, waiting.pop(ticket.id))

    def _ended(self, ticket: Any, caller: str) -> None:
        if ticket.status is TicketStatus.MATCHED:
            self._games[ticket.game_id].append(caller)
            self._waits.append((self._service.now - ticket.created) / 1e6)

    def figures(self, per_second: float, ratings: dict[str, float]) -> Figures:
        count = len(self._callers)
        assert all(len(players) == 2 for players in self._games.values()), "a game without two tickets"
        spreads = sorted(abs(ratings[one] - ratings[other]) for one, other in self._games.values())
        points = list(ratings.values())
        by_chance = [abs(one - other) for one, other in zip(points[::2], points[1::2], strict=False)]
        return Figures(
            count,
            per_second,
            len(self._waits),
            *quantiles(spreads),
            statistics.median(by_chance),
            *quantiles(sorted(self._waits)),
            1000 * self._create_cpu / count,
            1000 * self._match_cpu / count,
        )


def spec() -> TicketSpec:
    return TicketSpec(TITLE, None, 2, 2, None, True, None, "", "")


def quantiles(values: list[float]) -> tuple[float, float, float]:
    """Returns the median, the 90th and the 99th percentile of sorted values."""
    return values[len(values) // 2], values[len(values) * 9 // 10], values[len(values) * 99 // 100]


def cpu() -> float:
    """Returns the seconds of CPU time that this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(app())
