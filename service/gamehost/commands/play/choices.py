"""Numbered choices, which can be filtered by words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.text import Text

from gamehost.message_text import printable

CHOICES_PER_PAGE = 48
SPACE = re.compile(r"[A-Za-z]\d+")
SHORT_TEXT = 36  # letters that leave room for two columns


@dataclass(frozen=True, slots=True)
class Choices:
    """A list of choices. Filtering does not change their numbers."""

    texts: Sequence[str]

    def named(self, said: str) -> int | None:
        """Return the index of a choice by its number, its full text, or the board space that it ends with."""
        if said.isdecimal():
            return int(said) - 1 if 1 <= int(said) <= len(self.texts) else None
        found = [n for n, text in enumerate(self.texts) if plain(text) == plain(said)]
        if SPACE.fullmatch(said):
            found += [n for n, text in enumerate(self.texts) if plain(text).endswith(f" {plain(said)}")]
        return found[0] if len(found) == 1 else None

    def matching(self, said: str) -> list[int]:
        wanted = said.casefold().split()
        return [n for n, text in enumerate(self.texts) if all(part in text.casefold() for part in wanted)]

    def shown(self, which: Sequence[int], limit: int | None = CHOICES_PER_PAGE) -> RenderableType:
        """Return the choices as text, in columns if they are short."""
        here = which[:limit]
        lines = list(self._lines(here))
        left = len(which) - len(here)
        more = [Text(f"… and {left} more: type a part of what you want, or all", "dim")] if left else []
        if len(lines) > 1 and all(len(line) <= SHORT_TEXT for line in lines):
            return Group(Columns(lines, equal=True, column_first=True, padding=(0, 2)), *more)
        return Group(*lines, *more)

    def _lines(self, which: Sequence[int]) -> Iterator[Text]:
        width = len(str(len(self.texts)))
        for n in which:
            yield Text.assemble((f"{n + 1:>{width}}", "bold cyan"), " ", printable(self.texts[n]))


def plain(text: str) -> str:
    return text.strip().rstrip(".").casefold()
