"""The level `random`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamehost.rules.kit import Chance, Decision


class RandomBot:
    """Plays any legal action, each with the same probability."""

    def decide(
        self,
        view: Any,
        decision: Decision,
        actions: Sequence[Any],
        chance: Chance,
        seen: Sequence[Any] = (),
    ) -> Any:
        return chance.draw(actions, 1)[0]
