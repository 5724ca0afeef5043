"""Every title this service can host. A title joins by standing here."""

from __future__ import annotations

from .kit import AnyRules
from .stone_age import STONE_AGE
from .tides import TIDES

CATALOG: dict[str, AnyRules] = {rules.title: rules for rules in (TIDES, STONE_AGE)}
