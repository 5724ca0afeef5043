"""The options of Example Title."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import option


@dataclass(frozen=True, slots=True)
class Options:
    """Rules that a group may agree on."""

    lowest_wins: bool = option(False, "The lowest card of a round takes the point.")
