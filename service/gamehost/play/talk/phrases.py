"""The phrases of each title: its own ones, after those of all titles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from gamehost.rules.catalog import title_part
from gamehost.rules.phrases import COMMON_PHRASES, Phrase


@cache
def phrases_of(title: str) -> Sequence[Phrase]:
    """Return the phrases that can be said in games of a title, in the order in which to show them."""
    own: tuple[Phrase, ...] = title_part(title, "phrases", "PHRASES", tuple) or ()
    return (*COMMON_PHRASES, *own)


def phrase_of(title: str, phrase_id: str) -> Phrase | None:
    """Return a phrase of a title by its id."""
    return next((phrase for phrase in phrases_of(title) if phrase.id == phrase_id), None)
