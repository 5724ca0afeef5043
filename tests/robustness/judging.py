"""All validators over all games of a run, on every core."""

from __future__ import annotations

import multiprocessing
import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from .history import GameHistory, History
from .replaying import disagreement, replay, write
from .truth import Log
from .validators import VALIDATORS, Violation, folds, validate

REPLAYED = 24  # games; the pure Protobuf takes its time
CHUNK = 20
ALL = (*VALIDATORS, "calls", "replay")
HASHED = "hash_order"  # the bug that is planted into the replay itself


@dataclass
class Verdict:
    """`checked` counts what was looked at."""

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
    tell: Callable[[int], None] = lambda _: None,
) -> Verdict:
    verdict = Verdict(checked=count(history))
    cases = [(history.games[log.game_id], log) for log in logs]
    chunks = [cases[start : start + CHUNK] for start in range(0, len(cases), CHUNK)]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(len(chunks) or 1, os.cpu_count() or 1), mp_context=spawn) as pool:
        for found in pool.map(validate_all, chunks):
            verdict.violations += found
            tell(CHUNK)
    verdict.violations += calls(history)
    verdict.violations += replays(logs, folder, plant)
    return verdict


def validate_all(cases: Sequence[tuple[GameHistory, Log]]) -> list[Violation]:
    return [violation for seen, log in cases for violation in validate(seen, log)]


def calls(history: History) -> list[Violation]:
    """A run in which nobody got through shows nothing, and is not good."""
    failed = [
        Violation("calls", "failed call", "", f"{each.who} {each.call}: {each.why}")
        for each in history.failures
    ]
    return failed if history.moves else [*failed, Violation("calls", "idle", "", "no move was acknowledged")]


def replays(logs: Sequence[Log], folder: Path, plant: str = "") -> list[Violation]:
    whole = [log for log in logs if folds(log)]
    chosen = random.Random(0).sample(whole, min(REPLAYED, len(whole)))
    file = folder / "logs.json"
    write(chosen, file)
    planted = ("robustness.planted", HASHED) if HASHED in plant else ("robustness.replaying",)
    found = disagreement(replay(file, *planted))
    return [Violation("replay", "replay differs", "", found)] if found else []


def count(history: History) -> Counter[str]:
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
        replayed=min(REPLAYED, len(games)),
    )
