"""The options of Tigris & Euphrates: differences between rulebooks, and variants."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gamehost.rules.kit import option

from .material import BoardSide


class BagExhaustion(Enum):
    """The time at which the game ends if the bag has too few tiles for a swap."""

    FINISH_TURN = 1
    """At the end of the turn."""
    IMMEDIATE = 2
    """At once."""


@dataclass(frozen=True, slots=True)
class Options:
    """Rules in which the editions of the rulebook differ, and variants. Every flag is false if left out."""

    board: BoardSide = option(BoardSide.STANDARD, "Which side of the board: 10 or 14 treasures.")  # noqa: RUF009
    civilization_buildings: bool = option(
        False, "Lines of three tiles earn buildings that double tile points."
    )
    english_variant: bool = option(False, "Tiles may be committed only where they decide a conflict.")
    wonder: bool = option(False, "A cross of five tiles may become the wonder.")
    bag_exhaustion: BagExhaustion = option(  # noqa: RUF009
        BagExhaustion.FINISH_TURN, "When a swap finds the bag empty: play the turn out, or end at once."
    )
    open_information: bool = option(
        False,
        "Everyone sees all points, treasures won and the bag's count, which anyone can work out anyway.",
    )
