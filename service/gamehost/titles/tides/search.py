"""The level `search` of Tides of Time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gamehost.bots.search.bot import SearchBot
from gamehost.rules.kit import Chance, Decision

from . import endgame


class TidesSearchBot(SearchBot):
    """Solves the third round of Tides of Time exactly instead of searching it."""

    def decide(
        self,
        view: Any,
        decision: Decision,
        actions: Sequence[Any],
        chance: Chance,
        seen: Sequence[Any] = (),
    ) -> Any:
        if len(actions) > 1 and endgame.is_endgame(view):
            return endgame.choose(view, actions, chance)
        return super().decide(view, decision, actions, chance, seen)


SEARCH_BOT: Final = TidesSearchBot
