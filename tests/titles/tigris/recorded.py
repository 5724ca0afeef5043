"""The games of Tigris & Euphrates that `golden.record` records."""

from __future__ import annotations

from gamehost.titles.tigris.rules import TIGRIS
from gamehost.titles.tigris.rules import events as tigris
from gamehost.titles.tigris.rules.material import BoardSide
from gamehost.titles.tigris.rules.options import BagExhaustion
from golden.wanted import Wanted, ends_by, flipped, tells_of

from .coins import Heaping, Lazy, Paving, Restless

GAMES = (
    Wanted("few_treasures", "traders link the treasures", 2, {}, ends_by("FEW_TREASURES"), Paving),
    Wanted("standstill", "five rounds with nothing done", 2, {}, ends_by("STANDSTILL"), Lazy),
    Wanted(
        "bag_exhausted",
        "a swap finds the bag empty, and that is the end",
        3,
        {"bag_exhaustion": BagExhaustion.IMMEDIATE, "board": BoardSide.ADVANCED},
        ends_by("BAG_EXHAUSTED"),
        Restless,
    ),
    Wanted(
        "every_variant",
        "buildings, monuments, the wonder, revolts and wars",
        2,
        flipped(TIGRIS),
        tells_of(
            tigris.BuildingRaised,
            tigris.BuildingReturned,
            tigris.MonumentBuilt,
            tigris.WonderBuilt,
            tigris.ConflictWon,
            tigris.KingdomsJoined,
        ),
        Heaping,
    ),
)
