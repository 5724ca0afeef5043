"""The level `search`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamehost.rules.kit import AnyRules, Chance, Decision

from ..greedy.heuristic import Heuristic
from .budget import Budget
from .tree import Search


class SearchBot:
    """Plays the action that tree search prefers when the budget is spent."""

    search: type[Search] = Search

    def __init__(self, rules: AnyRules, heuristic: Heuristic, budget: Budget) -> None:
        self._rules, self._heuristic, self._budget = rules, heuristic, budget

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
        search = self.search(self._rules, self._heuristic, decision.seat, chance, seen)
        return search.best(view, actions, self._budget)
