"""Lets callers of known strength play rated games with strangers, on two processes that are killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import tempfile
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import grpc
import typer
from rich.console import Console

from gamehost.api.auth import api_keys
from gamehost.stores.redis.store import connect
from shedu.v1 import game_service_pb2, match_service_pb2, player_service_pb2
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from shedu.v1.match_service_pb2_grpc import MatchServiceStub
from shedu.v1.player_service_pb2_grpc import PlayerServiceStub
from support.process import Serve, shedu
from support.servers import redis_server

TITLE = "tides"
AWAY = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNKNOWN, grpc.StatusCode.CANCELLED)
POLL_SECONDS = 0.3
NO_LIMITS = ("CREATES_PER_MINUTE", "OPEN_GAMES", "CALLS_PER_SECOND", "CONNECTION_CALLS_PER_SECOND")
LIMITS = {f"SHEDU_{name}": "0" for name in NO_LIMITS}

out, err = Console(), Console(stderr=True)
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@dataclass
class Findings:
    """The results of a run."""

    callers: int
    games: int
    kills: int
    seconds: float = 0.0
    rank_correlation: float = 0.0
    ratings_differ_from_logs: bool = True
    problems: list[str] = field(default_factory=list)


@app.command()
def main(
    callers: Annotated[int, typer.Option(min=4, help="The number of callers.")] = 200,
    games: Annotated[int, typer.Option(min=2, help="The number of rated games.")] = 2000,
    kills: Annotated[int, typer.Option(min=0, help="How often a process is killed by SIGKILL.")] = 6,
    seed: Annotated[int, typer.Option(help="Of strengths and results.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Plays rated games of two by tickets, which the weaker caller loses more often, and then resigns.

    Exits with 1 if a ticket was lost or led to two games, a caller was in two games at once, a game has not
    the callers of its tickets, or the ratings are not those that the logs lead to.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with redis_server(folder) as server:
            services = [started(folder / f"process-{number}", server.url) for number in range(2)]
            try:
                run = Run(services, server.url, callers, games, kills, random.Random(seed))
                found = asyncio.run(run.play())
            finally:
                for service in services:
                    if service.process is not None:
                        service.stop()
            check = shedu("ratings", "rebuild", "--check", "--redis", server.url)
            found.ratings_differ_from_logs = check.returncode != 0
            if check.returncode:
                found.problems.append(check.stdout + check.stderr)
    print(json.dumps(asdict(found))) if as_json else out.print(asdict(found))
    raise typer.Exit(int(bool(found.problems)))


def started(folder: Path, redis: str) -> Serve:
    folder.mkdir()
    return Serve(folder, "--redis", redis, "--identity", "keys", "--no-bots", **LIMITS).start()


class Run:
    """The callers, and what they have seen. Each has one ticket, and then one game, at a time."""

    def __init__(
        self, services: list[Serve], redis: str, callers: int, games: int, kills: int, luck: random.Random
    ) -> None:
        self._services, self._redis, self._kills, self._luck = services, redis, kills, luck
        self._strength = {f"caller-{number}": luck.gauss(0, 1.5) for number in range(callers)}
        self._keys: dict[str, str] = {}
        self._wanted, self._begun = 2 * games, 0
        self._tickets: dict[str, str] = {}  # ticket: caller
        self._seated: dict[str, dict[str, str]] = defaultdict(dict)  # game: caller: ticket
        self._channels: list[grpc.aio.Channel] = []
        self._over: dict[str, asyncio.Event] = defaultdict(asyncio.Event)  # by game
        self._found = Findings(callers, games, 0)

    async def play(self) -> Findings:
        store = connect(self._redis)
        self._channels = [grpc.aio.insecure_channel(service.address) for service in self._services]
        for caller in self._strength:
            self._keys[caller] = await api_keys.create_key(store, caller, time.time(), os.urandom)
        began = time.monotonic()
        async with asyncio.TaskGroup() as group:
            killing = group.create_task(self._kill())
            players = [group.create_task(self._caller(caller)) for caller in self._strength]
            await asyncio.gather(*players)
            killing.cancel()
        self._found.seconds = time.monotonic() - began
        await self._check(store)
        await store.close()
        for channel in self._channels:
            await channel.close()
        return self._found

    async def _kill(self) -> None:
        """Kills each process in turn, when enough tickets have been created, and starts it again."""
        for number in range(self._kills):
            while self._begun < self._wanted * (number + 1) // (self._kills + 1):
                await asyncio.sleep(POLL_SECONDS)
            service = self._services[number % 2]
            await asyncio.to_thread(service.kill)
            self._found.kills += 1
            await asyncio.to_thread(service.start)

    async def _caller(self, caller: str) -> None:
        while self._begun < self._wanted:
            self._begun += 1
            request = match_service_pb2.CreateTicketRequest(
                title=TITLE, rated=True, request_id=uuid.uuid4().hex
            )
            ticket = (await self._ask(caller, MatchServiceStub, "CreateTicket", request)).ticket
            self._tickets[ticket.ticket_id] = caller
            ticket = await self._matched(caller, ticket)
            if ticket is not None:
                await self._play_out(caller, ticket)

    async def _matched(self, caller: str, ticket: Any) -> Any:
        """Waits for the game of a ticket; cancels the ticket if nobody else plays any more."""
        idle = 0
        while ticket.status == match_service_pb2.TICKET_STATUS_WAITING:
            await asyncio.sleep(POLL_SECONDS)
            idle = idle + 1 if self._begun >= self._wanted else 0
            name = "CancelTicket" if idle > 100 else "GetTicket"
            kind = getattr(match_service_pb2, f"{name}Request")
            try:
                answer = await self._ask(caller, MatchServiceStub, name, kind(ticket_id=ticket.ticket_id))
            except grpc.aio.AioRpcError as error:
                if name == "CancelTicket" and error.code() is grpc.StatusCode.FAILED_PRECONDITION:
                    idle = 0  # it has led to a game just now
                    continue
                raise
            ticket = answer.ticket
        if ticket.status == match_service_pb2.TICKET_STATUS_CANCELLED:
            del self._tickets[ticket.ticket_id]
            return None
        return ticket

    async def _play_out(self, caller: str, ticket: Any) -> None:
        """Lets the loser resign, and waits for the end: so that nobody has the next ticket before it."""
        game = self._seated[ticket.game_id]
        if caller in game:
            self._found.problems.append(f"{caller} has two tickets for {ticket.game_id}")
        game[caller] = ticket.ticket_id
        if len(game) == 2:
            loser = self._loser(list(game))
            request = game_service_pb2.ResignRequest(game_id=ticket.game_id, request_id=uuid.uuid4().hex)
            await self._ask(loser, GameServiceStub, "Resign", request)
            self._over[ticket.game_id].set()
        # Not before: nobody is to be in two games at once.
        await self._over[ticket.game_id].wait()

    def _loser(self, players: list[str]) -> str:
        return min(players, key=lambda player: self._strength[player] + self._luck.gauss(0, 1))

    async def _ask(self, caller: str, stub: Callable[[Any], Any], name: str, request: Any) -> Any:
        """Calls one of the processes, and the other one if it is away."""
        credential = (("authorization", f"Bearer {self._keys[caller]}"),)
        turn = self._luck.randrange(2)
        while True:
            method: Callable[..., Awaitable[Any]] = getattr(stub(self._channels[turn]), name)
            try:
                return await method(request, metadata=credential, timeout=20)
            except grpc.aio.AioRpcError as error:
                if error.code() not in (*AWAY, grpc.StatusCode.DEADLINE_EXCEEDED):
                    raise
                turn = 1 - turn
                await asyncio.sleep(POLL_SECONDS)

    async def _check(self, store: Any) -> None:
        problems = self._found.problems
        await self._wait_for_ratings()
        for game, players in self._seated.items():
            if len(players) != 2:
                problems.append(f"{game} has the tickets of {sorted(players)}")
        seated = Counter(ticket for players in self._seated.values() for ticket in players.values())
        problems += [f"ticket {ticket} led to {count} games" for ticket, count in seated.items() if count > 1]
        problems += [f"ticket {ticket} was lost" for ticket in self._tickets if ticket not in seated]
        stored = {game async for game in store.games()}
        problems += [f"game {game} belongs to no ticket" for game in stored - self._seated.keys()]
        self._found.games = len(stored)
        points = {caller: (await self._rating(caller)).rating for caller in self._strength}
        self._found.rank_correlation = rank_correlation(self._strength, points)

    async def _wait_for_ratings(self) -> None:
        """Waits until every game is rated."""
        games = Counter(player for players in self._seated.values() for player in players)
        for caller, count in games.items():
            for _ in range(200):
                if (await self._rating(caller)).games >= count:
                    break
                await asyncio.sleep(POLL_SECONDS)
            else:
                self._found.problems.append(f"{caller} has played {count} games, and not all are rated")

    async def _rating(self, caller: str) -> Any:
        request = player_service_pb2.GetPlayerRequest(handle="me")
        ratings = (await self._ask(caller, PlayerServiceStub, "GetPlayer", request)).player.ratings
        return ratings[0] if ratings else player_service_pb2.PlayerRating(rating=1500)


def rank_correlation(one: dict[str, float], other: dict[str, float]) -> float:
    """Returns Spearman's rank correlation of two numbers of the same callers."""
    first, second = ranked(one), ranked(other)
    count = len(one)
    return 1 - 6 * sum((first[each] - second[each]) ** 2 for each in one) / (count * (count**2 - 1))


def ranked(numbers: dict[str, float]) -> dict[str, int]:
    return {caller: place for place, caller in enumerate(sorted(numbers, key=lambda each: numbers[each]))}


if __name__ == "__main__":
    sys.exit(app())
