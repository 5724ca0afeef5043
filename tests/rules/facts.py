"""What the laws must be told about each title, because no law can guess it."""

from __future__ import annotations

from . import stone_age_facts, tides_facts, tigris_cards_facts, tigris_facts
from .title_facts import Facts

FACTS: dict[str, Facts] = {
    "stone_age": stone_age_facts.FACTS,
    "tides": tides_facts.FACTS,
    "tigris": tigris_facts.FACTS,
    "tigris_cards": tigris_cards_facts.FACTS,
}
