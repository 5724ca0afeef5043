"""The bot that looks ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamehost.rules.kit import AnyRules, Chance, Decision

from ..greedy.instinct import Instinct
from . import last_tide
from .budget import Budget
from .tree import Search


class SearchBot:
    def __init__(self, rules: AnyRules, instinct: Instinct, budget: Budget) -> None:
        self._rules, self._instinct, self._budget = rules, instinct, budget

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
        search = Search(self._rules, self._instinct, decision.seat, chance, seen)
        return search.best(view, actions, self._budget)


class TidesSearchBot(SearchBot):
    """Solves the third round instead of searching it."""

    def decide(
        self,
        view: Any,
        decision: Decision,
        actions: Sequence[Any],
        chance: Chance,
        seen: Sequence[Any] = (),
    ) -> Any:
        if len(actions) > 1 and last_tide.is_last_tide(view):
            return last_tide.choose(view, actions, chance)
        return super().decide(view, decision, actions, chance, seen)
