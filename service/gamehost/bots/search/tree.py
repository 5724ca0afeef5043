"""Information-set Monte Carlo tree search, seen by a single seat.

Every iteration imagines a world that fits the view and walks down one tree that all worlds share: what is
legal in this world and promises most is taken. Seats that are asked at once choose without knowing of each
other. Below the tree the greedy instinct plays on until the matter is settled, and judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from typing import Any, Final

from gamehost.rules.kit import AnyRules, Chance, Decision, Seat, led_to

from ..greedy.instinct import Instinct
from .budget import Budget

CURIOSITY: Final = 0.7
WIDTH: Final = 4  # actions tried before the tree widens
WIDENING: Final = 0.6
DEPTH: Final = 120  # decisions played out at most


@dataclass(slots=True)
class Branch:
    """What is known of one action: how good it looked, and what came of it."""

    prior: float
    visits: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits


@dataclass(slots=True)
class Node:
    """One thing that the searching seat can tell apart: whoever is asked here has branches of its own."""

    visits: int = 0
    branches: dict[Seat, dict[Any, Branch]] = field(default_factory=dict)
    children: dict[tuple[Any, ...], Node] = field(default_factory=dict)


class Search:
    def __init__(self, rules: AnyRules, instinct: Instinct, luck: Chance) -> None:
        self._rules, self._instinct, self._luck = rules, instinct, luck

    def best(self, view: Any, seat: Seat, actions: Sequence[Any], budget: Budget) -> Any:
        """The action that was tried most often, which is the one that held what it promised."""
        root = Node()
        for _ in budget.spend():
            world = self._rules.imagine(view, self._luck)
            self._iterate(root, world)
        branches = root.branches[seat]
        tried = [action for action in actions if action in branches]
        return max(tried, key=lambda action: (branches[action].visits, branches[action].total))

    def _iterate(self, root: Node, world: Any) -> None:
        start, path = world, list[tuple[Node, list[tuple[Seat, Any]]]]()
        before = self._instinct.leads(world)
        node, grown = root, False
        while not grown and (decisions := self._rules.decisions(world)):
            chosen = self._choose(node, world, decisions)
            path.append((node, chosen))
            world = self._play(world, chosen)
            key = tuple(action for _, action in chosen)
            grown = key not in node.children
            node = node.children.setdefault(key, Node())
        world = self._play_on(start, world)
        values = self._values(before, world)
        for node, chosen in path:
            node.visits += 1
            for seat, action in chosen:
                branch = node.branches[seat][action]
                branch.visits += 1
                branch.total += values[seat]

    def _choose(self, node: Node, world: Any, decisions: Sequence[Decision]) -> list[tuple[Seat, Any]]:
        return [(decision.seat, self._select(node, world, decision.seat)) for decision in decisions]

    def _select(self, node: Node, world: Any, seat: Seat) -> Any:
        """By the rule that weighs what an action promised against what it brought (PUCT)."""
        actions = list(self._rules.legal_actions(world, seat))
        branches = node.branches.setdefault(seat, {})
        if any(action not in branches for action in actions):
            for action, prior in self._priors(world, seat, actions):
                branches.setdefault(action, Branch(prior))
        allowed = WIDTH + int(WIDENING * sqrt(node.visits))
        if len(actions) > allowed:
            actions = sorted(actions, key=lambda action: -branches[action].prior)[:allowed]
        reach = CURIOSITY * sqrt(node.visits + 1)
        hope = max((branches[action].mean for action in actions if branches[action].visits), default=0.5)

        def promise(action: Any) -> float:
            branch = branches[action]
            known = branch.mean if branch.visits else hope
            return known + reach * branch.prior / (1 + branch.visits)

        return max(actions, key=promise)

    def _priors(self, world: Any, seat: Seat, actions: Sequence[Any]) -> Iterator[tuple[Any, float]]:
        """Weights as shares of one: an action that looks worse by `doubt` is tried a third as often."""
        weights = self._instinct.glance(world, seat, actions)
        best = max(weights)
        shares = [exp(max(-30.0, (weight - best) / self._instinct.doubt)) for weight in weights]
        total = sum(shares)
        return ((action, share / total) for action, share in zip(actions, shares, strict=True))

    def _play(self, world: Any, chosen: Sequence[tuple[Seat, Any]]) -> Any:
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
            if len(actions) > 1:
                weights = self._instinct.glance(world, seat, actions)
                action = actions[max(range(len(actions)), key=weights.__getitem__)]
            else:
                action = actions[0]
            world = self._play(world, [(seat, action)])
        return world

    def _values(self, before: Sequence[float], world: Any) -> Sequence[float]:
        """By seat from 0 to 1: whether it is better off than it was; who wins is."""
        leads = list(self._instinct.leads(world))
        steady = self._instinct.steady
        if (outcome := self._rules.outcome(world)) is not None:
            shared = outcome.ranks.count(1) > 1
            for seat, rank in enumerate(outcome.ranks):
                leads[seat] += 0 if shared and rank == 1 else steady if rank == 1 else -steady
        return [
            1 / (1 + exp(-max(-30.0, min(30.0, 2 * (now - then) / steady))))
            for now, then in zip(leads, before, strict=True)
        ]
