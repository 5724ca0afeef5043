"""Sources of random results: `SeededChance` for games, `ScriptedChance` for tests."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

SPAN = 1 << 64


def commitment(game_id: str, seed: bytes) -> bytes:
    """Returns the hash of the seed. It is published at creation, so that the seed cannot be changed later."""
    return hashlib.sha256(f"shedu:commitment:v1:{game_id}:".encode() + seed).digest()


def luck_key(seed: bytes, client_seeds: Sequence[bytes] = ()) -> bytes:
    """Returns the key of every draw of a game: its seed, combined with the client seeds in seat order.

    HMAC-SHA256(seed, "shedu:luck:v1:" and for each seat one byte of length and its client seed);
    the seed itself if no seat sent one.
    """
    if not any(client_seeds):
        return seed
    given = b"".join(bytes([len(client_seed)]) + client_seed for client_seed in client_seeds)
    return hmac.digest(seed, b"shedu:luck:v1:" + given, "sha256")


class SeededChance:
    """Random results from a stream of numbers: HMAC-SHA256(key, "shedu:draw:v1:{position}:{n}").

    `position` counts the title's events before the draw and n the numbers asked for since,
    so no generator state is stored, a retry cannot roll again, and anyone given the seed
    after the game can check every draw. The key comes from `luck_key`.
    """

    def __init__(self, key: bytes, position: int) -> None:
        self._key, self._label, self._n = key, f"shedu:draw:v1:{position}:", 0

    @property
    def taken(self) -> int:
        """The number of numbers that have been taken from the stream."""
        return self._n

    def _below(self, bound: int) -> int:
        limit = SPAN - SPAN % bound
        while True:  # Numbers from `limit` on are skipped: with them, low results would be more likely.
            block = hmac.digest(self._key, f"{self._label}{self._n}".encode(), "sha256")
            self._n += 1
            number = int.from_bytes(block[:8], "big")
            if number < limit:
                return number % bound

    def roll(self, dice: int, sides: int = 6) -> tuple[int, ...]:
        return tuple(1 + self._below(sides) for _ in range(dice))

    def draw(self, bag: Sequence[T], count: int) -> tuple[T, ...]:
        if not 0 <= count <= len(bag):
            raise ValueError(f"cannot draw {count} of {len(bag)}")
        rest = list(bag)
        return tuple(rest.pop(self._below(len(rest))) for _ in range(count))


class ScriptedChance:
    """Returns the results that a test gives, in order."""

    def __init__(self, *outcomes: Sequence[Any]) -> None:
        self._outcomes = list(outcomes)

    def roll(self, dice: int, sides: int = 6) -> tuple[int, ...]:
        return self._next(dice)

    def draw(self, bag: Sequence[T], count: int) -> tuple[T, ...]:
        drawn = self._next(count)
        missing = [item for item in drawn if item not in bag]
        assert not missing, f"the script draws {missing}, which the bag does not hold"
        return drawn

    def _next(self, count: int) -> tuple[Any, ...]:
        assert self._outcomes, "the rules asked for luck that the script does not have"
        outcome = tuple(self._outcomes.pop(0))
        assert len(outcome) == count, f"the script has {len(outcome)}, the rules asked for {count}"
        return outcome
