"""Random sources that prefer actions which are rare in random games."""

from __future__ import annotations

import random
from typing import Any

from gamehost.titles.tigris_cards.rules.actions import (
    BuildShip,
    EndTurn,
    ExchangeTreasure,
    LayCard,
    LayLink,
    TakeIncome,
    TakePoint,
)


class Favouring(random.Random):
    """Picks an action of its preferred kind, sometimes any action."""

    likes: tuple[type, ...] = ()
    faith = 0.9

    def choice(self, seq: Any) -> Any:
        if self.random() < self.faith:
            for kind in self.likes:
                if liked := [item for item in seq if isinstance(item, kind)]:
                    return super().choice(liked)
        return super().choice(seq)


class Idle(Favouring):
    likes = (EndTurn,)
    faith = 1.0


class Trading(Favouring):
    """Links columns as soon as it can and takes every treasure."""

    likes = (ExchangeTreasure, LayLink, BuildShip, TakePoint, TakeIncome, LayCard)
    faith = 0.8
