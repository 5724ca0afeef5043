"""The options of Stone Age."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import option

from .material import TieBreak


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game."""

    max_rounds: int = option(50, "The game ends after this many rounds, if nothing else ends it before.")
    tie_break: TieBreak = option(  # noqa: RUF009  a field
        TieBreak.SEQUENCE, "Ties go by food track, then tools, then people, or by the sum of the three."
    )
