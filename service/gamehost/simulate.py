"""Random legal play on the pure rules: how long games are, who wins, and how fast the rules are."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any, Protocol

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import AnyRules, Decision, Outcome, led_to, replay


@dataclass(frozen=True, slots=True)
class Playout:
    decisions: int
    choices: tuple[int, ...]  # legal actions at each decision
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, and which of the legal actions was the answer."""

    state: Any
    decision: Decision
    actions: Sequence[Any]
    choice: int


@dataclass(slots=True)
class Summary:
    title: str
    seats: int
    seed: int
    games: int = 0
    seconds: float = 0.0
    decisions: list[int] = field(default_factory=list)
    most_choices: int = 0
    median_choices: list[float] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    reasons: dict[str, int] = field(default_factory=dict)

    def add(self, playout: Playout) -> None:
        if not self.wins:
            self.wins, self.scores = [0.0] * self.seats, [0] * self.seats
        self.games += 1
        self.decisions.append(playout.decisions)
        self.most_choices = max(self.most_choices, *playout.choices)
        self.median_choices.append(median(playout.choices))
        outcome = playout.outcome
        winners = outcome.ranks.count(1)
        for seat, rank in enumerate(outcome.ranks):
            self.wins[seat] += (rank == 1) / winners
            self.scores[seat] += outcome.scores[seat]
        self.reasons[outcome.reason] = self.reasons.get(outcome.reason, 0) + 1

    def facts(self) -> dict[str, Any]:
        """For machines: the same numbers that the table shows."""
        return {
            "title": self.title,
            "seats": self.seats,
            "seed": self.seed,
            "games": self.games,
            "decisions_per_game": {
                "mean": mean(self.decisions),
                "least": min(self.decisions),
                "most": max(self.decisions),
            },
            "legal_actions": {"median": median(self.median_choices), "most": self.most_choices},
            "wins_by_seat": self.wins,
            "mean_score_by_seat": [score / self.games for score in self.scores],
            "ends": self.reasons,
            "seconds": round(self.seconds, 3),
            "decisions_per_second": round(sum(self.decisions) / self.seconds) if self.seconds else None,
        }


def playout(
    rules: AnyRules, seats: int, seed: str, note: Callable[[Answered], None] = lambda answered: None
) -> Playout:
    """One game in which every seat answers at random. `note` is told of every answer."""
    coin, secret = random.Random(seed), seed.encode()
    events = rules.setup(rules.options(), seats, SeededChance(secret, 0))
    state, position, choices = replay(rules, events), len(events), list[int]()
    while decisions := rules.decisions(state):
        asked = coin.choice(decisions)
        actions = list(rules.legal_actions(state, asked.seat))
        choices.append(len(actions))
        choice = coin.randrange(len(actions))
        note(Answered(state, asked, actions, choice))
        events = rules.decide(state, asked.seat, actions[choice], SeededChance(secret, position))
        state, position = led_to(rules, events, state), position + len(events)
    outcome = rules.outcome(state)
    assert outcome is not None, "nobody is asked, yet the game is not over"
    return Playout(len(choices), tuple(choices), outcome)


class Recorder(Protocol):
    """Whoever keeps the games that are simulated."""

    def note(self, answered: Answered) -> None: ...
    def finish(self, number: int, seed: str, outcome: Outcome) -> None: ...


def simulate(
    rules: AnyRules,
    games: int,
    seats: int,
    seed: int,
    clock: Callable[[], float],
    recorder: Recorder | None = None,
) -> Iterator[Summary]:
    """Yields the growing summary after each game."""
    summary, began = Summary(rules.title, seats, seed), clock()
    for number in range(games):
        name = f"{seed}:{number}"
        if recorder is None:
            played = playout(rules, seats, name)
        else:
            played = playout(rules, seats, name, recorder.note)
            recorder.finish(number, name, played.outcome)
        summary.add(played)
        summary.seconds = clock() - began
        yield summary


now = time.perf_counter
