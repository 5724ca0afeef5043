"""The report of a running bot: games, results, times and failures."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .v1 import game_pb2

REMEMBERED = 10_000  # decisions whose times are kept


def _times() -> deque[float]:
    return deque(maxlen=REMEMBERED)


@dataclass(slots=True)
class Report:
    """`failures` of the bot, `late` answers to decisions that were no longer open, games `lost` to errors."""

    games: int = 0
    wins: float = 0.0
    decisions: int = 0
    failures: int = 0
    late: int = 0
    lost: int = 0
    waiting: deque[float] = field(default_factory=_times)
    thinking: deque[float] = field(default_factory=_times)
    answering: deque[float] = field(default_factory=_times)
    watchers: list[Callable[[], None]] = field(default_factory=list)

    def thought(self, waiting: float, thinking: float) -> None:
        """Records the seconds that a decision waited while the bot was busy, and the seconds that it took."""
        self.waiting.append(waiting)
        self.thinking.append(thinking)

    def decided(self, answering: float) -> None:
        """Records the seconds that the server took to acknowledge an answer."""
        self.decisions += 1
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
            "waiting_ms": percentiles(self.waiting),
            "thinking_ms": percentiles(self.thinking),
            "answering_ms": percentiles(self.answering),
        }


def percentiles(seconds: Iterable[float]) -> dict[str, float | None]:
    ordered = sorted(seconds)
    return {f"p{percent}": percentile(ordered, percent) for percent in (50, 99)}


def percentile(ordered: Sequence[float], percent: int) -> float | None:
    """Returns a percentile in milliseconds; None if there are no values."""
    return round(ordered[(len(ordered) - 1) * percent // 100] * 1000, 2) if ordered else None
