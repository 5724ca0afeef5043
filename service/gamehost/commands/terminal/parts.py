"""Helpers for the drawings of several titles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from gamehost.message_text import printable

SPHERES = ("red", "blue", "green", "black")
STYLES = {"red": "bold red", "blue": "bold bright_blue", "green": "bold green", "black": "bold"}
LEADERS = {"red": "priest", "blue": "farmer", "green": "trader", "black": "king"}
LETTERS = {"red": "R", "blue": "B", "green": "G", "black": "K"}


def word(kind: Any, number: int) -> str:
    """Return the name of an enum value in words, without the prefix of the enum."""
    prefix = "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in kind.DESCRIPTOR.name)
    return str(kind.Name(number)).removeprefix(f"{prefix.lstrip('_')}_").lower().replace("_", " ")


def text_table(columns: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> Table:
    """Return a table. Cells are escaped, because names come from other players and may hold control codes."""
    table = Table(*columns, box=None, header_style="dim underline", padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*(Text(printable(cell)) if isinstance(cell, str) else cell for cell in row))
    return table


def counted(kinds: Sequence[str], amounts: Sequence[int]) -> str:
    """Return text such as "R2 G1", or a dash for nothing."""
    there = zip(kinds, amounts, strict=False)
    return " ".join(f"{kind}{amount}" for kind, amount in there if amount) or "–"


def labelled_line(label: str, text: str) -> Text:
    return Text.assemble((f"{label}: ", "dim"), printable(text))
