"""Players for tests, which answer at random and record the decisions."""

from __future__ import annotations

import asyncio
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import shedu
from shedu import aio
from support.waiting import PATIENCE

FREE = 10  # decisions that are answered before a player waits for `held`


def play(player: shedu.Player, coin: random.Random, held: threading.Event | None = None) -> list[str]:
    """Plays to the end, waiting for `held` after some decisions; returns the ids of the decisions."""
    answered: list[str] = []
    for turn in player.turns():
        if held is not None and len(answered) >= FREE:
            assert held.wait(PATIENCE)
        turn.play(coin.choice(turn.actions))
        answered.append(turn.decision.decision_id)
    return answered


def play_all(players: list[shedu.Player], seed: str) -> list[list[str]]:
    with ThreadPoolExecutor(len(players)) as pool:
        work = [pool.submit(play, each, random.Random(f"{seed}:{each.seat}")) for each in players]
        return [each.result(PATIENCE) for each in work]


async def aplay(player: aio.Player, coin: random.Random, held: asyncio.Event | None = None) -> list[str]:
    answered: list[str] = []
    async for turn in player.turns():
        if held is not None and len(answered) >= FREE:
            await held.wait()
        await turn.play(coin.choice(turn.actions))
        answered.append(turn.decision.decision_id)
    return answered


async def aplay_all(
    players: list[aio.Player], seed: str, held: asyncio.Event | None = None
) -> list[list[str]]:
    coins = [random.Random(f"{seed}:{each.seat}") for each in players]
    async with asyncio.timeout(PATIENCE):
        return await asyncio.gather(
            *(aplay(each, coin, held) for each, coin in zip(players, coins, strict=True))
        )
