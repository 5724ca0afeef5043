"""Who plays, and how."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mix:
    """How many tables of each kind are taken at a time, and for how many seconds one may wait for more.

    `watched` and `clocked` are how many of them are watched, and have a clock; `looks` is how often somebody
    looks between two moves.
    """

    grpc: int = 18
    sdk: int = 5
    rest: int = 1
    bots: int = 2
    silence: float = 30.0
    watched: float = 0.25
    clocked: float = 0.3
    looks: float = 0.15

    @property
    def kinds(self) -> list[str]:
        return [kind for kind in ("grpc", "sdk", "rest", "bots") for _ in range(getattr(self, kind))]
