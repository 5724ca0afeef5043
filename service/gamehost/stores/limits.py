"""Limits that all stores share because Redis has them."""

from __future__ import annotations

from collections.abc import Sequence

MOST_EVENTS = 100_000  # Redis takes about a million arguments in one command
MOST_SCORE = 2**53  # scores are floating point numbers in Redis; larger integers would be rounded


def check_events(events: Sequence[bytes]) -> None:
    if len(events) > MOST_EVENTS:
        raise ValueError(f"{len(events)} events in one append, at most {MOST_EVENTS} are allowed")


def check_score(score: int) -> None:
    if abs(score) > MOST_SCORE:
        raise ValueError(f"a score must be between -{MOST_SCORE} and {MOST_SCORE}")
