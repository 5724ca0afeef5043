"""The options of the card game."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import option


@dataclass(frozen=True, slots=True)
class Options:
    """Rules that the rulebook leaves open. Options that are left out have their defaults."""

    leader_colour_must_differ: bool = option(
        True, "A leader may not stand on a card of its own colour, treasures aside."
    )
    voluntary_withdrawal: bool = option(True, "An own leader may be taken back as an action.")
    income_per_ship: bool = option(False, "A leader earns one card for each ship, not one in all.")
