"""A bot that takes the action in the middle. It plays SHEDU_GAMES games to which it is invited."""

import asyncio
import json
import os

import shedu
from shedu.finding import invited
from shedu.running import Bot, Runner


class Middle:
    def decide(self, view, decision, actions):
        return actions[len(actions) // 2]


async def main():
    async with shedu.aio.connect(patience=300) as server:  # at SHEDU_SERVER, with the key in SHEDU_TOKEN
        with Runner(Bot("middle", Middle)) as runner:
            await runner.run(invited(server, name="middle"), games=int(os.environ["SHEDU_GAMES"]))
            print(json.dumps(runner.report.facts()))


asyncio.run(main())
