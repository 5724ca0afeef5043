"""Checks the luck of a finished game of Shedu with the standard library alone, by Fairness in game.proto.

python3 verify_luck.py GAME.jsonl                       does the seed of an exported game fit its commitment?
python3 verify_luck.py GAME.jsonl POSITION BOUND ...    the choices below these bounds after POSITION events
"""

import base64
import hashlib
import hmac
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any


def commitment(game_id: str, seed: bytes) -> bytes:
    return hashlib.sha256(f"shedu:commitment:v1:{game_id}:".encode() + seed).digest()


def luck_key(seed: bytes, client_seeds: Sequence[bytes]) -> bytes:
    given = b"".join(bytes([len(part)]) + part for part in client_seeds)
    return hmac.digest(seed, b"shedu:luck:v1:" + given, "sha256") if any(client_seeds) else seed


class Draws:
    def __init__(self, key: bytes, position: int) -> None:
        self.key, self.position, self.taken = key, position, 0

    def below(self, bound: int) -> int:
        while True:
            label = f"shedu:draw:v1:{self.position}:{self.taken}".encode()
            number = int.from_bytes(hmac.digest(self.key, label, "sha256")[:8], "big")
            self.taken += 1
            if number < 2**64 // bound * bound:
                return number % bound

    def roll(self, dice: int, sides: int) -> list[int]:
        return [1 + self.below(sides) for _ in range(dice)]

    def draw(self, bag: Iterable[Any], count: int) -> list[Any]:
        rest = list(bag)
        return [rest.pop(self.below(len(rest))) for _ in range(count)]


def main(path: str, *numbers: str) -> None:
    with open(path, encoding="utf-8") as lines:
        game, *events = map(json.loads, lines)
    seeds = [b""] * len(game["seats"])
    for event in events:
        if sat := event.get("seatTaken") or event.get("seatLeft"):
            seeds[sat.get("seat", 0)] = base64.b64decode(sat.get("clientSeed", ""))
    seed = base64.b64decode(
        next(event["seedRevealed"]["seed"] for event in events if "seedRevealed" in event)
    )
    if commitment(game["gameId"], seed) != base64.b64decode(game["commitment"]):
        sys.exit("The seed does not fit the commitment.")
    print("The seed fits the commitment.")
    if numbers:
        draws = Draws(luck_key(seed, seeds), int(numbers[0]))
        print(*(draws.below(int(bound)) for bound in numbers[1:]))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:]) if len(sys.argv) > 1 else print(__doc__)
    except (OSError, ValueError, LookupError, StopIteration) as problem:
        sys.exit(f"This is not a finished game as `shedu export` writes it: {problem!r}")
