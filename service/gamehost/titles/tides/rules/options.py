"""The options of Tides of Time: rules that the rulebook leaves open."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import option


@dataclass(frozen=True, slots=True)
class Options:
    """Rules that the rulebook leaves open. Every option is true if left out."""

    nest_wins_zero_zero: bool = option(True, "King's Nest also wins a tie at nothing to nothing.")
    molehill_counts_printed_cards: bool = option(
        True, "The Molehill looks at printed cards, before the Roof of the World doubles."
    )
    sets_use_doubled_amounts: bool = option(
        True, "The Mana Well and the Sky Pillars count sets over doubled amounts."
    )
    maze_scores_once: bool = option(True, "The Maze of the Damned scores at most once.")
    port_needs_a_scoring_card: bool = option(
        True, "The Sapphire Port scores only if its owner has a scoring card."
    )
