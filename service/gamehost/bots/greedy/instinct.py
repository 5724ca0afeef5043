"""What the bots of a title judge by, and the bot that follows it without looking further."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gamehost.bots.bot import QuickChance
from gamehost.rules.kit import AnyRules, Chance, Decision, Seat


class Instinct(Protocol):
    """One title's readable heuristic. It looks at worlds that a seat imagines, never at the true one."""

    worlds: int
    """How many worlds one must imagine before an average of weights means something."""

    steady: float
    """A gain, in the unit of `leads`, that is worth having."""

    doubt: float
    """The difference of weights at which an action still deserves a third of the other's attention."""

    def weigh(self, world: Any, seat: Seat, actions: Sequence[Any]) -> Sequence[float]:
        """How good each action looks to the seat, in whatever unit; more is better."""
        ...

    def glance(self, world: Any, seat: Seat, actions: Sequence[Any]) -> Sequence[float]:
        """The same in a hurry, for playing games out in thought."""
        ...

    def leads(self, world: Any) -> Sequence[float]:
        """By seat: how far it seems ahead of the best of the others, in about points."""
        ...

    def settled(self, start: Any, world: Any) -> bool:
        """Whether what was under way in `start` is over in `world`, so that `leads` can judge."""
        ...


class GreedyBot:
    """Imagines worlds that fit its view and takes what looks best in them, on average."""

    def __init__(self, rules: AnyRules, instinct: Instinct) -> None:
        self._rules, self._instinct = rules, instinct

    def decide(
        self,
        view: Any,
        decision: Decision,
        actions: Sequence[Any],
        chance: Chance,
        seen: Sequence[Any] = (),
    ) -> Any:
        if len(actions) == 1:
            return actions[0]
        luck = QuickChance(chance)
        weights = self.weights(view, decision.seat, actions, luck)
        best = max(weights)
        ties = [action for action, weight in zip(actions, weights, strict=True) if weight == best]
        return ties[0] if len(ties) == 1 else luck.draw(ties, 1)[0]

    def weights(self, view: Any, seat: Seat, actions: Sequence[Any], luck: Chance) -> list[float]:
        sums = [0.0] * len(actions)
        world, found = None, list[float]()
        for _ in range(self._instinct.worlds):
            before, world = world, self._rules.imagine(view, luck)
            if world != before:  # where little is hidden they are often the same
                found = list(self._instinct.weigh(world, seat, actions))
            sums = [total + weight for total, weight in zip(sums, found, strict=True)]
        return sums
