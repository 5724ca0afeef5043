"""The composition of the traffic."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TrafficMix:
    """Numbers of concurrent games by kind of client, and shares of what happens in them.

    `silence` is for how many seconds a watcher may receive nothing at the end of a run. `watched` and
    `clocked` are the shares of games with watchers and with a clock; `looks` is the probability that a
    player reads a view between two moves.
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
