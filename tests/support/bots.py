"""Bots that think where the test runs, and somebody who counts what happens by itself."""

from __future__ import annotations

from collections import Counter
from typing import Any

from gamehost.hosted.pool import decide
from gamehost.play.ports import Question


class Inline:
    """The service's own bots, without processes; remembers all that they were told."""

    capacity, patience = 8, 1.0

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def answer(self, question: Question) -> Any:
        self.asked.append(question)
        return decide(question)


class Counted:
    """What happened how often."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.errors: list[Exception] = []

    def timed_out(self, title: str, seats: int) -> None:
        self.counts[f"{title} timed out"] += seats

    def bot_moved(self, title: str, level: str) -> None:
        self.counts[f"{title} {level} moved"] += 1

    def bot_failed(self, title: str, level: str, why: str) -> None:
        self.counts[f"{title} {level} failed: {why}"] += 1

    def archived(self, title: str) -> None:
        self.counts[f"{title} archived"] += 1

    def looked(self, agenda: str, late: float) -> None:
        self.counts[f"{agenda} looked"] += 1

    def stumbled(self, agenda: str, game: str, error: Exception) -> None:
        self.errors.append(error)
