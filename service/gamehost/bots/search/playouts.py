"""The level `search` for a title without a heuristic: games are played on at random, to their end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamehost.rules.kit import AnyRules, Seat

from .bot import SearchBot
from .budget import Budget
from .tree import Search, logistic


class NoHeuristic:
    """Prefers no action and no position: a title without a module `greedy` says nothing about them."""

    worlds, lead_scale, temperature = 1, 1.0, 1.0

    def weigh(self, world: Any, seat: Seat, actions: Sequence[Any]) -> Sequence[float]:
        return [0.0] * len(actions)

    weigh_fast = weigh

    def leads(self, world: Any) -> Sequence[float]:
        return ()

    def settled(self, start: Any, world: Any) -> bool:
        return False


class PlayoutSearch(Search):
    """Search whose rollouts are random games, valued by how they end."""

    def _rollout_action(self, world: Any, seat: Seat, actions: Sequence[Any]) -> Any:
        return self._luck.draw(actions, 1)[0] if len(actions) > 1 else actions[0]

    def _values(self, before: Sequence[float], world: Any) -> list[float]:
        """Return for each seat a value from 0 to 1, by its rank and its lead as a share of the best score."""
        outcome = self._rules.outcome(world)
        if outcome is None:  # the rollout was cut short
            return [0.5] * max(self._rules.seats)
        most = max(1, *map(abs, outcome.scores))
        rivals = [outcome.scores[:seat] + outcome.scores[seat + 1 :] for seat in range(len(outcome.scores))]
        leads = [(own - max(others)) / most for own, others in zip(outcome.scores, rivals, strict=True)]
        bonuses = [self._win_bonus(rank, outcome.ranks) for rank in outcome.ranks]
        return [logistic(lead + bonus) for lead, bonus in zip(leads, bonuses, strict=True)]


class PlayoutBot(SearchBot):
    """Plays the action after which random games end best."""

    search = PlayoutSearch

    def __init__(self, rules: AnyRules, budget: Budget) -> None:
        super().__init__(rules, NoHeuristic(), budget)
