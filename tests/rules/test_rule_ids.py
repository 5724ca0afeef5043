"""Tests that every rule of every title has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

from .playouts import TITLES

FOLDER = Path(__file__).parent.parent / "titles"


@TITLES
def test_every_rule_is_named_by_a_test(rules):
    sources = "\n".join(path.read_text() for path in (FOLDER / rules.title).glob("test_*.py"))
    named = {f"{book}-{number}" for book, number in re.findall(r"(?<![A-Z])([A-Z]{2})[-_](\d+)", sources)}

    assert set() == set(rules.texts) - named
