"""Runs all validators over all games of a run, on every core."""

from __future__ import annotations

import multiprocessing
import os
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from .expected_views import Log
from .history import GameHistory, History
from .replay import PROCESSES, disagreement, replay, write
from .validators import VALIDATORS, Violation, folds, validate

REPLAYED = 24  # games; the pure-Python Protobuf implementation is slow
CHUNK = 20
FEW = 60  # games that this process validates itself: faster than starting others
ALL = (*VALIDATORS, "calls", "replay")
HASHED = "hash_order"  # the planted bug that affects the replay, not the service
Cases = Sequence[tuple[GameHistory, Log]]


@dataclass
class Verdict:
    """The violations found in a run; `checked` counts what was examined, by kind."""

    violations: list[Violation] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)

    @property
    def kinds(self) -> Counter[str]:
        return Counter(violation.kind for violation in self.violations)

    @property
    def red(self) -> list[str]:
        return sorted({violation.validator for violation in self.violations})


def judge(
    history: History,
    logs: Sequence[Log],
    folder: Path,
    plant: str = "",
    replayed: int = REPLAYED,
) -> Verdict:
    verdict = Verdict(checked=count(history, replayed))
    verdict.violations += validated([(history.games[log.game_id], log) for log in logs])
    verdict.violations += calls(history)
    verdict.violations += replays(logs, folder, plant, replayed)
    return verdict


def validated(cases: Cases) -> list[Violation]:
    if len(cases) <= FEW:
        return validate_all(cases)
    chunks = [cases[start : start + CHUNK] for start in range(0, len(cases), CHUNK)]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(len(chunks), os.cpu_count() or 1), mp_context=spawn) as pool:
        return [violation for found in pool.map(validate_all, chunks) for violation in found]


def validate_all(cases: Cases) -> list[Violation]:
    return [violation for seen, log in cases for violation in validate(seen, log)]


def calls(history: History) -> list[Violation]:
    """Reports failed calls, and a run without any acknowledged move, which would prove nothing."""
    failed = [
        Violation("calls", "failed call", "", f"{each.who} {each.call}: {each.why}")
        for each in history.failures
    ]
    return failed if history.moves else [*failed, Violation("calls", "idle", "", "no move was acknowledged")]


def replays(
    logs: Sequence[Log],
    folder: Path,
    plant: str = "",
    count: int = REPLAYED,
    kinds: Iterable[str] = PROCESSES,
) -> list[Violation]:
    """Folds `count` games in processes of these kinds, and reports a violation if the digests differ."""
    whole = [log for log in logs if folds(log)]
    chosen = random.Random(0).sample(whole, min(count, len(whole)))
    file = folder / "logs.json"
    write(chosen, file)
    planted = ("robustness.planted_bugs", HASHED) if HASHED in plant else ("robustness.replay",)
    found = disagreement(replay(file, *planted, kinds=kinds))
    return [Violation("replay", "replay differs", "", found)] if found else []


def count(history: History, replayed: int) -> Counter[str]:
    games = history.games.values()
    return Counter(
        games=len(games),
        finished=sum(game.over for game in games),
        clocked=sum(game.clocked for game in games),
        moves=history.moves,
        repeated=sum(len(move.acks) - 1 for game in games for move in game.moves if move.acks),
        looks=sum(len(game.looks) for game in games),
        sightings=sum(len(game.sightings) for game in games),
        watchers=sum(len(game.trails) for game in games),
        told=sum(len(trail.versions) for game in games for trail in game.trails),
        resumed=sum(trail.resumed for game in games for trail in game.trails),
        replayed=min(replayed, len(games)),
    )
