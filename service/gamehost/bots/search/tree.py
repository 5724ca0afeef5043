"""Information-set Monte Carlo tree search for a single observer.

Each round imagines a world that fits the seat's view and tries every candidate action in it with the same
luck, so that differences come from the actions and not from the luck (`race.py`). Below the root all worlds
share one tree; among the actions that are legal in the current world the PUCT rule selects one. Seats with
simultaneous decisions select without knowledge of each other. At a leaf the title's heuristic plays on until
`settled`, and evaluates the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from typing import Any, Final

from gamehost.rules.kit import AnyRules, Chance, Decision, Seat, led_to

from ..greedy.heuristic import Heuristic
from .antithetic import AntitheticChance
from .budget import Budget
from .race import Race

CANDIDATES: Final = 8  # actions at the root that are searched, by prior
EXPLORATION: Final = 0.3  # the constant of PUCT
MIN_WIDTH: Final = 3  # actions of a new node; progressive widening adds more with its visits
WIDENING: Final = 0.5
MAX_ROLLOUT: Final = 120  # decisions

Choice = tuple[Seat, Any]


@dataclass(slots=True)
class Branch:
    """The statistics of one action: its prior from the heuristic, and the values of its visits."""

    prior: float
    visits: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0


@dataclass(slots=True)
class Node:
    """One information set. Each seat with a decision here has branches of its own."""

    visits: int = 0
    branches: dict[Seat, dict[Any, Branch]] = field(default_factory=dict)
    children: dict[tuple[Any, ...], Node] = field(default_factory=dict)


class Search:
    """The search for one decision of one seat. `seen` are the events that the seat has witnessed."""

    def __init__(
        self, rules: AnyRules, heuristic: Heuristic, seat: Seat, chance: Chance, seen: Sequence[Any] = ()
    ) -> None:
        self._rules, self._heuristic, self._seat, self._seen = rules, heuristic, seat, seen
        self._source, self._luck = AntitheticChance(chance), AntitheticChance(chance)
        self._root = Node()

    def best(self, view: Any, actions: Sequence[Any], budget: Budget) -> Any:
        """Return the best of the actions once the budget is spent or the race is decided."""
        world = self._rules.imagine(view, self._source, self._seen)
        branches = self._root.branches[self._seat] = self._branches(world, self._seat, actions)
        alive = sorted(actions, key=lambda action: -branches[action].prior)[:CANDIDATES]
        race = Race({action: branches[action].prior for action in alive})
        # One world, one seed and one set of leads serve a whole round: every candidate must meet the same
        # luck, and its value is the change against the same position.
        seed, before = self._source.seed(), self._heuristic.leads(world)
        for spent in budget.spend():
            if not race.pending:
                if len(race.next_round(spent)) == 1:
                    break
                world, seed = self._rules.imagine(view, self._source, self._seen), self._source.seed()
                before = self._heuristic.leads(world)
            self._luck.restart(seed)
            candidate = race.pending.pop()
            race.record(candidate, self._iterate(world, before, candidate))
        return race.leader

    def _iterate(self, world: Any, before: Sequence[float], candidate: Any) -> float:
        """Play a candidate through the tree and a rollout, update the tree, and return its value (0 to 1)."""
        start, path = world, list[tuple[Node, list[Choice]]]()
        node, expanded = self._root, False
        while not expanded and (decisions := self._rules.decisions(world)):
            chosen = [self._choice(node, world, decision, candidate) for decision in decisions]
            path.append((node, chosen))
            world = self._play(world, chosen)
            key = tuple(action for _, action in chosen)
            expanded = key not in node.children
            node = node.children.setdefault(key, Node())
        values = self._values(before, self._rollout(start, world))
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
        """Select an action by PUCT among the widest part of the legal actions that the visits allow."""
        actions = list(self._rules.legal_actions(world, seat))
        branches = node.branches.setdefault(seat, {})
        if any(action not in branches for action in actions):
            # Another world may allow actions that were not legal before. Known branches keep their values:
            # the right operand of | wins.
            branches |= self._branches(world, seat, actions) | branches
        allowed = MIN_WIDTH + int(WIDENING * sqrt(node.visits))
        if len(actions) > allowed:
            actions = sorted(actions, key=lambda action: -branches[action].prior)[:allowed]
        exploration = EXPLORATION * sqrt(node.visits + 1)
        unvisited_value = max([branches[action].mean for action in actions]) or 0.5

        def puct(action: Any) -> float:
            branch = branches[action]
            return (branch.mean if branch.visits else unvisited_value) + exploration * branch.prior / (
                1 + branch.visits
            )

        return max(actions, key=puct)

    def _branches(self, world: Any, seat: Seat, actions: Sequence[Any]) -> dict[Any, Branch]:
        """Return new branches whose priors are a softmax of the heuristic's weights."""
        weights = self._heuristic.weigh_fast(world, seat, actions)
        best = max(weights)
        shares = [exp(max(-30.0, (weight - best) / self._heuristic.temperature)) for weight in weights]
        total = sum(shares)
        return {action: Branch(share / total) for action, share in zip(actions, shares, strict=True)}

    def _play(self, world: Any, chosen: Sequence[Choice]) -> Any:
        for seat, action in chosen:
            world = led_to(self._rules, self._rules.decide(world, seat, action, self._luck), world)
        return world

    def _rollout(self, start: Any, world: Any) -> Any:
        """Play on by the heuristic alone until the position can be evaluated."""
        for _ in range(MAX_ROLLOUT):
            decisions = self._rules.decisions(world)
            if not decisions or self._heuristic.settled(start, world):
                break
            seat = decisions[0].seat
            actions = list(self._rules.legal_actions(world, seat))
            world = self._play(world, [(seat, self._rollout_action(world, seat, actions))])
        return world

    def _rollout_action(self, world: Any, seat: Seat, actions: Sequence[Any]) -> Any:
        weights = self._heuristic.weigh_fast(world, seat, actions) if len(actions) > 1 else [0.0]
        return actions[weights.index(max(weights))]

    def _values(self, before: Sequence[float], world: Any) -> list[float]:
        """Return a value from 0 to 1 for each seat: above 0.5 if its lead has grown or it has won."""
        leads = list(self._heuristic.leads(world))
        if (outcome := self._rules.outcome(world)) is not None:
            leads = [
                lead + self._win_bonus(rank, outcome.ranks)
                for lead, rank in zip(leads, outcome.ranks, strict=True)
            ]
        return [
            logistic((now - then) / self._heuristic.lead_scale)
            for now, then in zip(leads, before, strict=True)
        ]

    def _win_bonus(self, rank: int, ranks: Sequence[int]) -> float:
        """Return what a finished game adds to a seat's lead: a win counts more than the points it brought."""
        if rank > 1:
            return -self._heuristic.lead_scale
        return self._heuristic.lead_scale if ranks.count(1) == 1 else 0.0


def logistic(gain: float) -> float:
    """Map a gain to a value between 0 and 1; clamped, because exp overflows beyond about 700."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, gain))))
