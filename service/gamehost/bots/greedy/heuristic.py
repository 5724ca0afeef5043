"""The heuristic that each title provides, and the greedy bot, which plays by it alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gamehost.bots.bot import QuickChance
from gamehost.rules.kit import AnyRules, Chance, Decision, Seat


class Heuristic(Protocol):
    """Evaluates actions and positions of one title.

    A `world` is a state that `rules.imagine` made from a seat's view. The true state is never passed in.
    """

    worlds: int
    """The number of worlds that the greedy bot averages over. 1 where little is hidden."""

    lead_scale: float
    """A clear gain in the unit of `leads`. Search divides by it before it maps gains to values of 0 to 1."""

    temperature: float
    """The temperature of the softmax that turns weights into the priors of the search: an action that
    weighs less than another by this much gets about a third (1/e) of its prior."""

    def weigh(self, world: Any, seat: Seat, actions: Sequence[Any]) -> Sequence[float]:
        """Return a weight for each action: how good it is for the seat, in any unit, larger is better."""
        ...

    def weigh_fast(self, world: Any, seat: Seat, actions: Sequence[Any]) -> Sequence[float]:
        """Return cheaper weights than `weigh`, for priors and rollouts, where they are needed often."""
        ...

    def leads(self, world: Any) -> Sequence[float]:
        """Return for each seat its estimated lead over the best other seat, roughly in points."""
        ...

    def settled(self, start: Any, world: Any) -> bool:
        """Whether a rollout from `start` may stop in `world`: the round or turn of `start` is complete, so
        that `leads` is meaningful."""
        ...


class GreedyBot:
    """Plays the action with the largest weight, averaged over worlds that fit its view."""

    def __init__(self, rules: AnyRules, heuristic: Heuristic) -> None:
        self._rules, self._heuristic = rules, heuristic

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
        random = QuickChance(chance)
        weights = self.weights(view, decision.seat, actions, random)
        best = max(weights)
        ties = [action for action, weight in zip(actions, weights, strict=True) if weight == best]
        return ties[0] if len(ties) == 1 else random.draw(ties, 1)[0]

    def weights(self, view: Any, seat: Seat, actions: Sequence[Any], chance: Chance) -> list[float]:
        """Return the sum of each action's weights over all imagined worlds."""
        sums = [0.0] * len(actions)
        world, weights = None, list[float]()
        for _ in range(self._heuristic.worlds):
            previous, world = world, self._rules.imagine(view, chance)
            # Where little is hidden, consecutive worlds are often equal; comparing is cheaper than weighing.
            if world != previous:
                weights = list(self._heuristic.weigh(world, seat, actions))
            sums = [total + weight for total, weight in zip(sums, weights, strict=True)]
        return sums
