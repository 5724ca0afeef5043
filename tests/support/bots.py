"""Bots that run in the process of the test, and metrics of background work that a test can read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gamehost.bots.levels import remembers
from gamehost.hosted.pool import decide
from gamehost.play.ports.bots import BotQuestion, ThinkingReport, ignore_thinking
from gamehost.play.ports.schedule import LONG, QUICK


class InlineBots:
    """The bots of the service, run in this process; `asked` records every question."""

    capacity, timeout = {QUICK: 8, LONG: 8}, 1.0

    def __init__(self) -> None:
        self.asked: list[BotQuestion] = []

    def remembers(self, level: str) -> bool:
        return remembers(level)

    async def answer(self, question: BotQuestion, thought: ThinkingReport = ignore_thinking) -> Any:
        self.asked.append(question)
        answer = decide(question)
        thought(0.0)
        return answer


class BackgroundCounts:
    """Implements `BackgroundMetrics` by counting, so that a test can compare the counts."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.errors: list[Exception] = []
        self.waiting: dict[str, int] = {}

    def count_timeouts(self, title: str, seats: int) -> None:
        self.counts[f"{title} timed out"] += seats

    def count_bot_move(self, title: str, level: str) -> None:
        self.counts[f"{title} {level} moved"] += 1

    def count_bot_failure(self, title: str, level: str, why: str) -> None:
        self.counts[f"{title} {level} failed: {why}"] += 1

    def observe_bot_wait(self, level: str, seconds: float) -> None:
        self.counts[f"{level} waited"] += 1

    def set_waiting_bots(self, waiting: Mapping[str, int]) -> None:
        self.waiting = dict(waiting)

    def count_archived(self, title: str) -> None:
        self.counts[f"{title} archived"] += 1

    def count_delivery(self, outcome: str, seconds: float) -> None:
        self.counts[f"delivery {outcome}"] += 1

    def count_disabled_webhook(self, reason: str) -> None:
        self.counts[f"webhook disabled: {reason}"] += 1

    def count_ticket(self, title: str, end: str, seconds: float) -> None:
        self.counts[f"{title} ticket {end}"] += 1

    def count_rated_game(self, title: str, *, again: int) -> None:
        self.counts[f"{title} rated"] += 1
        self.counts[f"{title} rated again"] += again

    def count_late_game(self, title: str) -> None:
        self.counts[f"{title} rated late"] += 1

    def observe_lag(self, agenda: str, late: float) -> None:
        self.counts[f"{agenda} looked"] += 1

    def report_failure(self, agenda: str, game: str, error: Exception) -> None:
        self.errors.append(error)
