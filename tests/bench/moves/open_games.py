"""Measures whether cost and memory grow with the number of open games, of moves and of watchers."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .load import Game, Load, Phases

FEWEST = 100
LONGEST = 240.0  # seconds in which games are opened
AT_ONCE = 40  # games that are opened, and played, at once
TURNS = 25  # of 40 moves each, at each number of open games
WATCHERS = 500
WATCHED_MOVES = 40  # in each of the two halves that are compared


def open_sizes(most: int) -> list[int]:
    """Returns 100 and ten times as many, up to `most`."""
    found = [FEWEST]
    while found[-1] * 10 <= most:
        found.append(found[-1] * 10)
    return found


def resident_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


async def measure_open_games(load: Load, new_phases: Any, pid: int, most: int) -> dict[str, Any]:
    """Returns the cost of a call, and the memory of the server, with more and more open games.

    The games that are played are chosen anew for each turn from all that are open. A slow machine opens fewer
    games than were asked for.
    """
    games: list[Game] = []
    coin, found = random.Random(1), dict[str, Any]()
    end = time.monotonic() + LONGEST
    for size in open_sizes(most):
        while len(games) < size and time.monotonic() < end:
            missing = min(AT_ONCE, size - len(games))
            games += await asyncio.gather(*(load.open_game(load.wire) for _ in range(missing)))
        await play_turns(load, new_phases(), games, coin)  # tables that were evicted are read, once
        phases: Phases = new_phases()
        await play_turns(load, phases, games, coin)
        found[str(len(games))] = phases.result() | {"resident_kib": resident_kib(pid)}
    return {"open_games": found}


async def play_turns(load: Load, phases: Phases, games: list[Game], coin: random.Random) -> None:
    for _ in range(TURNS):
        chosen = coin.sample(games, AT_ONCE)
        await load.turn(phases, [game for game in chosen if game.seat is not None])


async def measure_watchers(load: Load, pid: int) -> dict[str, Any]:
    """Returns the memory that a watcher takes, and by how much it grows while moves are sent."""
    game, before = await load.open_game(load.wire), resident_kib(pid)
    streams = await load.watch(game, WATCHERS)
    watching = resident_kib(pid)
    for _ in range(WATCHED_MOVES):
        game = await send_move(load, game, streams)
    settled = resident_kib(pid)
    for _ in range(WATCHED_MOVES):
        game = await send_move(load, game, streams)
    after = resident_kib(pid)
    return {
        "watchers": WATCHERS,
        "kib_per_watcher": (watching - before) / WATCHERS,
        "moves": WATCHED_MOVES,
        "kib_per_watcher_after_moves": (settled - before) / WATCHERS,
        "kib_per_watcher_after_twice_the_moves": (after - before) / WATCHERS,
    }


async def send_move(load: Load, game: Game, streams: list[Any]) -> Game:
    """Makes a move that all watchers receive, in a new game once the game is over."""
    if game.seat is None:
        for stream in streams:
            stream.cancel()
        game = await load.open_game(load.wire)
        streams[:] = await load.watch(game, WATCHERS)
    legal = await game.wire.legal(game.ticket, game.seat or 0)
    game.seat = await load.told(load.play(game, legal), streams)
    return game
