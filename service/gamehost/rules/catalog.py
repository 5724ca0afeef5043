"""Every title this service can host. A title joins by standing here."""

from __future__ import annotations

from .kit import AnyRules
from .stone_age import STONE_AGE
from .tides import TIDES
from .tigris import TIGRIS
from .tigris_cards import TIGRIS_CARDS

HOSTED: tuple[AnyRules, ...] = (TIGRIS, TIGRIS_CARDS, TIDES, STONE_AGE)
CATALOG: dict[str, AnyRules] = {rules.title: rules for rules in HOSTED}
