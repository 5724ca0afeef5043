"""Players for tests: they answer at random, and write down what they were asked."""

from __future__ import annotations

import asyncio
import random
import time
from concurrent.futures import ThreadPoolExecutor

import shedu
from shedu import aio


def play(player: shedu.Player, coin: random.Random, thought: float = 0.0) -> list[str]:
    """To the end of the game; the ids of the decisions that were answered."""
    answered = []
    for turn in player.turns():
        time.sleep(thought)
        turn.play(coin.choice(turn.actions))
        answered.append(turn.decision.decision_id)
    return answered


def play_all(players: list[shedu.Player], seed: str) -> list[list[str]]:
    with ThreadPoolExecutor(len(players)) as pool:
        work = [pool.submit(play, each, random.Random(f"{seed}:{each.seat}")) for each in players]
        return [each.result(120) for each in work]


async def aplay(player: aio.Player, coin: random.Random) -> list[str]:
    answered = []
    async for turn in player.turns():
        await turn.play(coin.choice(turn.actions))
        answered.append(turn.decision.decision_id)
    return answered


async def aplay_all(players: list[aio.Player], seed: str) -> list[list[str]]:
    coins = [random.Random(f"{seed}:{each.seat}") for each in players]
    async with asyncio.timeout(120):
        return await asyncio.gather(*map(aplay, players, coins))
