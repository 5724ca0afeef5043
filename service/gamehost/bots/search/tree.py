"""Information-set Monte Carlo tree search, seen by a single seat.

Every round imagines a world that fits the view, and each candidate is tried in it with the same luck, so
that candidates differ by what they do and not by what they met (`race.py`). Below the root all worlds share
one tree: what is legal in this world and promises most is taken; seats that are asked at once choose without
knowing of each other. Where the tree ends the greedy instinct plays on until the matter is settled, and
judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from typing import Any, Final

from gamehost.rules.kit import AnyRules, Chance, Decision, Seat, led_to

from ..greedy.instinct import Instinct
from .budget import Budget
from .race import Race
from .steady import SteadyChance

CANDIDATES: Final = 8
CURIOSITY: Final = 0.3
WIDTH: Final = 3  # actions tried before the tree widens
WIDENING: Final = 0.5
DEPTH: Final = 120  # decisions played out at most

Choice = tuple[Seat, Any]


@dataclass(slots=True)
class Branch:
    """What is known of one action: how good it looked, and what came of it."""

    prior: float
    visits: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0


@dataclass(slots=True)
class Node:
    """One thing that the searching seat can tell apart: whoever is asked here has branches of its own."""

    visits: int = 0
    branches: dict[Seat, dict[Any, Branch]] = field(default_factory=dict)
    children: dict[tuple[Any, ...], Node] = field(default_factory=dict)


class Search:
    """One decision of one seat."""

    def __init__(self, rules: AnyRules, instinct: Instinct, seat: Seat, chance: Chance) -> None:
        self._rules, self._instinct, self._seat = rules, instinct, seat
        self._source, self._luck = SteadyChance(chance), SteadyChance(chance)
        self._root = Node()

    def best(self, view: Any, actions: Sequence[Any], budget: Budget) -> Any:
        world = self._rules.imagine(view, self._source)
        branches = self._root.branches[self._seat] = self._branches(world, self._seat, actions)
        alive = sorted(actions, key=lambda action: -branches[action].prior)[:CANDIDATES]
        race = Race({action: branches[action].prior for action in alive})
        seed, before = self._source.seed(), self._instinct.leads(world)
        for spent in budget.spend():
            if not race.waiting:
                if len(race.next_round(spent)) == 1:
                    break
                world, seed = self._rules.imagine(view, self._source), self._source.seed()
                before = self._instinct.leads(world)
            self._luck.restart(seed)
            candidate = race.waiting.pop()
            race.told(candidate, self._iterate(world, before, candidate))
        return race.leader

    def _iterate(self, world: Any, before: Sequence[float], candidate: Any) -> float:
        """What came of a candidate, from 0 to 1."""
        start, path = world, list[tuple[Node, list[Choice]]]()
        node, grown = self._root, False
        while not grown and (decisions := self._rules.decisions(world)):
            chosen = [self._choice(node, world, decision, candidate) for decision in decisions]
            path.append((node, chosen))
            world = self._play(world, chosen)
            key = tuple(action for _, action in chosen)
            grown = key not in node.children
            node = node.children.setdefault(key, Node())
        values = self._values(before, self._play_on(start, world))
        for node, chosen in path:
            node.visits += 1
            for seat, action in chosen:
                branch = node.branches[seat][action]
                branch.visits += 1
                branch.total += values[seat]
        return values[self._seat]

    def _choice(self, node: Node, world: Any, decision: Decision, candidate: Any) -> Choice:
        if node is self._root and decision.seat == self._seat:
            return decision.seat, candidate
        return decision.seat, self._select(node, world, decision.seat)

    def _select(self, node: Node, world: Any, seat: Seat) -> Any:
        """By the rule that weighs what an action promised against what it brought (PUCT)."""
        actions = list(self._rules.legal_actions(world, seat))
        branches = node.branches.setdefault(seat, {})
        if any(action not in branches for action in actions):
            branches |= self._branches(world, seat, actions) | branches
        allowed = WIDTH + int(WIDENING * sqrt(node.visits))
        if len(actions) > allowed:
            actions = sorted(actions, key=lambda action: -branches[action].prior)[:allowed]
        reach = CURIOSITY * sqrt(node.visits + 1)
        hope = max([branches[action].mean for action in actions]) or 0.5

        def promise(action: Any) -> float:
            branch = branches[action]
            return (branch.mean if branch.visits else hope) + reach * branch.prior / (1 + branch.visits)

        return max(actions, key=promise)

    def _branches(self, world: Any, seat: Seat, actions: Sequence[Any]) -> dict[Any, Branch]:
        """Priors are weights as shares of one: what looks worse by `doubt` is given a third of the share."""
        weights = self._instinct.glance(world, seat, actions)
        best = max(weights)
        shares = [exp(max(-30.0, (weight - best) / self._instinct.doubt)) for weight in weights]
        total = sum(shares)
        return {action: Branch(share / total) for action, share in zip(actions, shares, strict=True)}

    def _play(self, world: Any, chosen: Sequence[Choice]) -> Any:
        for seat, action in chosen:
            world = led_to(self._rules, self._rules.decide(world, seat, action, self._luck), world)
        return world

    def _play_on(self, start: Any, world: Any) -> Any:
        """What the instinct makes of the rest, up to where it can judge."""
        for _ in range(DEPTH):
            decisions = self._rules.decisions(world)
            if not decisions or self._instinct.settled(start, world):
                break
            seat = decisions[0].seat
            actions = list(self._rules.legal_actions(world, seat))
            weights = self._instinct.glance(world, seat, actions) if len(actions) > 1 else [0.0]
            world = self._play(world, [(seat, actions[weights.index(max(weights))])])
        return world

    def _values(self, before: Sequence[float], world: Any) -> list[float]:
        """By seat from 0 to 1: whether it is better off than it was; who wins is."""
        leads = list(self._instinct.leads(world))
        if (outcome := self._rules.outcome(world)) is not None:
            leads = [
                lead + self._triumph(rank, outcome.ranks)
                for lead, rank in zip(leads, outcome.ranks, strict=True)
            ]
        return [
            likelihood((now - then) / self._instinct.steady) for now, then in zip(leads, before, strict=True)
        ]

    def _triumph(self, rank: int, ranks: Sequence[int]) -> float:
        if rank > 1:
            return -self._instinct.steady
        return self._instinct.steady if ranks.count(1) == 1 else 0.0


def likelihood(gain: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, gain))))
