"""How a bot is doing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .v1 import game_pb2

REMEMBERED = 10_000  # decisions of which the times are known


def _times() -> deque[float]:
    return deque(maxlen=REMEMBERED)


@dataclass(slots=True)
class Report:
    """`failures` of the bot, `late` answers that nobody waited for any more, games `lost` to errors."""

    games: int = 0
    wins: float = 0.0
    decisions: int = 0
    failures: int = 0
    late: int = 0
    lost: int = 0
    thinking: deque[float] = field(default_factory=_times)
    answering: deque[float] = field(default_factory=_times)
    watchers: list[Callable[[], None]] = field(default_factory=list)

    def decided(self, thinking: float, answering: float) -> None:
        """In seconds: what the bot took, and what the server took to acknowledge its answer."""
        self.decisions += 1
        self.thinking.append(thinking)
        self.answering.append(answering)

    def finished(self, seat: int, outcome: game_pb2.Outcome | None) -> None:
        self.games += 1
        if outcome is not None and outcome.ranks and outcome.ranks[seat] == 1:
            self.wins += 1 / list(outcome.ranks).count(1)
        for tell in self.watchers:
            tell()

    def facts(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "wins": round(self.wins, 3),
            "decisions": self.decisions,
            "failures": self.failures,
            "late": self.late,
            "lost": self.lost,
            "thinking_ms": {"p50": percentile(self.thinking, 50), "p99": percentile(self.thinking, 99)},
            "answering_ms": {"p50": percentile(self.answering, 50), "p99": percentile(self.answering, 99)},
        }


def percentile(seconds: Iterable[float], percent: int) -> float | None:
    """In milliseconds; None of nothing."""
    ordered = sorted(seconds)
    return round(ordered[(len(ordered) - 1) * percent // 100] * 1000, 2) if ordered else None
