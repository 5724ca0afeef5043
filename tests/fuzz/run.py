"""Sends a number of requests from a seed over every transport, and collects bad answers."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from urllib.parse import quote

import grpc
import httpx

from gamehost.api.pipeline.dispatch import Dispatch, Method
from gamehost.composition import SERVICES
from support.waiting import PATIENCE

from .field_cases import FieldCase, ordered
from .pool import Pool
from .request_maker import TITLES, RequestMaker
from .sender import Answer, Sender

AT_ONCE = 8
SHOWN = 20  # bad answers and tracebacks in a report
ODDITIES = (0.0, 0.03, 0.1, 0.3)
METHODS: tuple[Method, ...] = tuple(Dispatch((), SERVICES, None).methods.values())
# Called less often: rpcs that create games, which stay and whose bots think, or that end a seat or game.
RARE = {"CreateGame", "ForkGame", "Rematch", "LeaveGame", "Resign", "RevokeSeatTokens", "AnswerProposal"} | {
    "CreateTicket",
    "ErasePlayerData",
}
WEIGHTS = [0.3 if method.name in RARE else 1.0 for method in METHODS]


@dataclass
class Findings:
    """`codes` counts answers by transport and code; `bad` has the forbidden ones by request number."""

    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    bad: list[tuple[int, Answer]] = field(default_factory=list)
    traces: list[str] = field(default_factory=list)

    def note(self, number: int, answer: Answer) -> None:
        self.codes[answer.transport, answer.code] += 1
        if answer.bad:
            self.bad.append((number, answer))

    @property
    def good(self) -> bool:
        return not self.bad and not self.traces

    def lines(self) -> list[str]:
        """Returns a table of codes, and the bad answers and tracebacks."""
        transports = sorted({transport for transport, _ in self.codes})
        lines = [f"{'code':<20}" + "".join(f"{name:>14}" for name in transports)]
        for code in sorted({code for _, code in self.codes}):
            lines.append(f"{code:<20}" + "".join(f"{self.codes[name, code]:>14,}" for name in transports))
        lines += [
            f"request {number} over {each.transport}: {each.code}: {each.request}"
            for number, each in self.bad[:SHOWN]
        ]
        return [*lines, *self.traces[:SHOWN]]


@dataclass(frozen=True)
class Plan:
    """A request depends on the seed, its number, and the values that the server sent before it."""

    seed: int
    requests: int
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True)
class Target:
    """A running server and its log."""

    url: str
    grpc_address: str
    log: Path


async def run(plan: Plan, target: Target, tell: Callable[[int], None] = lambda _done: None) -> Findings:
    findings, pool = Findings(), Pool()
    for token in plan.tokens:
        pool.keep("token", token)
    begin = target.log.stat().st_size
    numbers = iter(range(plan.requests))
    field_cases = ordered(METHODS, Random(plan.seed))

    async def work(sender: Sender) -> None:
        for number in numbers:
            answer = await one(plan, number, sender, pool, field_cases)
            pool.learn(answer.body)
            findings.note(number, answer)
            tell(number + 1)

    async with connected_sender(target) as sender:
        await open_games(plan, sender, pool, findings)
        await asyncio.gather(*(work(sender) for _ in range(AT_ONCE)))
        alive = await sender.http.get("/healthz")
    findings.traces = tracebacks(target.log, begin)
    if alive.status_code != 200:
        findings.traces.append(f"/healthz answers {alive.status_code}")
    return findings


async def one(plan: Plan, number: int, sender: Sender, pool: Pool, field_cases: list[FieldCase]) -> Answer:
    """Sends a request: of the next field case in every second group of transports, otherwise a random one."""
    coin, names = Random(f"{plan.seed}:{number}"), list(sender.transports)
    group, turn = divmod(number, len(names))
    if group % 2:
        field_case = field_cases[group // 2 % len(field_cases)]
        method, maker = field_case.method, RequestMaker(coin, pool, 0.0, field_case)
    else:
        [method] = coin.choices(METHODS, WEIGHTS)
        maker = RequestMaker(coin, pool, coin.choice(ODDITIES))
    return await sender.send(names[turn], method, maker, coin, pool)


async def open_games(plan: Plan, sender: Sender, pool: Pool, findings: Findings) -> None:
    """Creates a game of every title: without games, most requests would end with NOT_FOUND."""
    token = {"authorization": f"Bearer {plan.tokens[0]}"} if plan.tokens else {}
    for title in TITLES:
        created = (
            await sender.http.post("/v1/games", json={"title": title, "seatCount": 2}, headers=token)
        ).json()
        pool.learn(created)
        path = f"/v1/games/{quote(created['game']['gameId'], safe='')}"
        for seat in (0, 1):
            joined = (await sender.http.post(f"{path}:join", json={"seat": seat}, headers=token)).json()
            pool.learn(joined)
            own = {"authorization": f"Bearer {joined.get('seatToken')}"}
            if seat:
                pool.learn((await sender.http.get(f"{path}/legalActions", headers=own)).json())
                pool.learn((await sender.http.get(f"{path}/view", headers=own)).json())
    findings.codes.clear()


def tracebacks(log: Path, begin: int) -> list[str]:
    """Returns the log lines with a traceback or of the level error."""
    with log.open("rb") as file:
        file.seek(begin)
        lines = file.read().decode(errors="replace").splitlines()
    return [line[:2000] for line in lines if "Traceback" in line or '"level": "error"' in line]


@asynccontextmanager
async def connected_sender(target: Target) -> AsyncIterator[Sender]:
    limits = httpx.Limits(max_connections=2 * AT_ONCE)
    async with (
        grpc.aio.insecure_channel(target.grpc_address) as channel,
        httpx.AsyncClient(base_url=target.url, timeout=PATIENCE, limits=limits, trust_env=False) as http,
    ):
        yield Sender(channel, http)
