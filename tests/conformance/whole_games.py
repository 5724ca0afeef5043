"""Lets the example bot of every language play a game of every title while the server is killed twice.

Each game has two seats: one for the bot, one for a rival that decides in the same way. All games have the
same luck, so every language must have the same results.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shedu import aio, reserved
from shedu.finding import invited
from shedu.running import Bot, Runner
from shedu.v1 import game_pb2, game_service_pb2
from support.process import Serve
from support.waiting import PATIENCE

FIXED_LUCK = Path(__file__).with_name("fixed_luck.py")
RIVAL = "rival"
HELD_AT = 6  # decisions of the rival in a game before the first kill
SECOND_KILL = 15  # decisions of the rival in all games between the first kill and the second one
# All requests come from one address.
UNLIMITED = {
    f"SHEDU_{name}": "0"
    for name in (
        "CALLS_PER_SECOND",
        "CONNECTION_CALLS_PER_SECOND",
        "CREATES_PER_MINUTE",
        "OPEN_GAMES",
        "STREAMS_PER_CALLER",
    )
}
COUNTED = ("games", "wins", "decisions", "failures", "lost")


class BotFailed(Exception):
    """A bot ended early; the message has what it printed."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """The example bot of a language, ready to be started."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]


@dataclass(slots=True)
class Result:
    """The final report of a bot, and by title the result of its game on the server."""

    report: dict[str, Any] = field(default_factory=dict)
    games: dict[str, str] = field(default_factory=dict)
    trouble: str = ""

    @property
    def comparable(self) -> tuple[dict[str, str], dict[str, Any]]:
        """Returns the results that must be the same for every language."""
        return self.games, {name: self.report.get(name) for name in COUNTED}


class Kills:
    """Kills the server twice: when the rivals of all games wait in the middle of their game, and a little
    later, while moves are in flight."""

    def __init__(self, serve: Serve, games: int) -> None:
        self._serve, self._all_held = serve, threading.Barrier(games, self._restart)
        self._lock, self._since, self.count = threading.Lock(), 0, 0

    def decided(self, nth: int) -> None:
        """Called before the nth decision of the rival in a game."""
        if nth == HELD_AT:
            self._all_held.wait(PATIENCE)
        if nth <= HELD_AT:
            return
        with self._lock:
            self._since += 1
            if self._since == SECOND_KILL:
                self._restart()

    def abort(self) -> None:
        self._all_held.abort()

    def _restart(self) -> None:
        self._serve.kill()
        self._serve.start()
        self.count += 1


class Rival:
    """Takes the action in the middle, as the example bots do."""

    def __init__(self, kills: Kills) -> None:
        self._kills, self._decisions = kills, 0

    def decide(
        self,
        _view: game_pb2.View,
        _decision: game_pb2.Decision,
        actions: Sequence[game_service_pb2.LegalAction],
    ) -> game_service_pb2.LegalAction:
        self._decisions += 1
        self._kills.decided(self._decisions)
        return actions[len(actions) // 2]


def play(contestants: Sequence[Contestant], folder: Path) -> dict[str, Result]:
    """Plays all games, and returns the result of each contestant. The folder gets all logs and output."""
    serve = Serve(folder, "--identity", "keys", forked=False, **UNLIMITED)  # a program of its own
    serve.command[1:3] = [str(FIXED_LUCK)]
    with serve:
        return asyncio.run(_play(serve, contestants, folder))


async def _play(serve: Serve, contestants: Sequence[Contestant], folder: Path) -> dict[str, Result]:
    keys = {name: serve.key(name) for name in (RIVAL, *(each.name for each in contestants))}
    results = {each.name: Result() for each in contestants}
    async with aio.connect(serve.address, token=keys[RIVAL], patience=PATIENCE) as server:
        titles = [title.title for title in await server.titles()]
        games = {
            (each.name, title): await server.create(title, seats=reserved(f"key:{each.name}", f"key:{RIVAL}"))
            for each in contestants
            for title in titles
        }
        kills = Kills(serve, len(games))
        bots = {each.name: _start(each, serve, keys[each.name], len(titles), folder) for each in contestants}
        rival = asyncio.create_task(_rival(server, kills, len(games)))
        watched = [
            asyncio.create_task(_ended(name, bot, results[name], folder)) for name, bot in bots.items()
        ]
        try:
            async with asyncio.timeout(2 * PATIENCE):
                await asyncio.gather(*watched, rival)
        except (BotFailed, TimeoutError) as trouble:
            for result in results.values():
                result.trouble = result.trouble or ("" if result.report else f"not finished: {trouble}")
        finally:
            kills.abort()
            for bot in bots.values():
                bot.kill()
            for task in (rival, *watched):
                task.cancel()
            await asyncio.gather(rival, *watched, return_exceptions=True)
        for (name, title), game in games.items():
            results[name].games[title] = _told(await game.look())
    assert kills.count == 2 or any(result.trouble for result in results.values())
    return results


async def _rival(server: aio.Server, kills: Kills, games: int) -> None:
    bot = Bot(RIVAL, lambda: Rival(kills))
    with Runner(bot, threads=games, decision_seconds=2 * PATIENCE) as runner:
        await runner.run(invited(server, name=RIVAL), games)


def _start(
    contestant: Contestant, serve: Serve, key: str, games: int, folder: Path
) -> subprocess.Popen[bytes]:
    settings = {"SHEDU_SERVER": serve.address, "SHEDU_URL": serve.url, "SHEDU_TOKEN": key}
    environment = {**contestant.environment, **settings, "SHEDU_GAMES": str(games)}
    with (
        _output(folder, contestant.name, "out").open("wb") as out,
        _output(folder, contestant.name, "err").open("wb") as err,
    ):
        return subprocess.Popen(
            contestant.command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )


def _output(folder: Path, name: str, stream: str) -> Path:
    return folder / f"bot-{name}.{stream}"


async def _ended(name: str, bot: subprocess.Popen[bytes], result: Result, folder: Path) -> None:
    """Reads the report of a bot that has ended. Raises BotFailed, since its rival would wait for ever."""
    code = await asyncio.to_thread(bot.wait)
    printed = _output(folder, name, "out").read_text().strip()
    if code:
        result.trouble = f"exit code {code}: {_output(folder, name, 'err').read_text().strip()[-2000:]}"
        raise BotFailed(f"the bot of {name} failed")
    try:
        result.report = json.loads(printed.splitlines()[-1])
    except (IndexError, ValueError):
        result.trouble = f"its last line is no JSON: {printed[-200:]!r}"
        raise BotFailed(f"the bot of {name} reports nothing") from None


def _told(game: game_pb2.Game) -> str:
    if not game.HasField("outcome"):
        return f"not over at version {game.version}"
    outcome = game.outcome
    return (
        f"{outcome.reason} ranks {list(outcome.ranks)} scores {list(outcome.scores)} version {game.version}"
    )
