"""The facts about each title that the laws need, from `tests/titles/<title>/facts.py`."""

from __future__ import annotations

from importlib import import_module

from gamehost.rules.catalog import CATALOG

from .title_facts import Facts

FACTS: dict[str, Facts] = {title: import_module(f"titles.{title}.facts").FACTS for title in CATALOG}
