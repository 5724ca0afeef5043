"""Prints the tables of the README: `python -m gamehost.learning.markdown`.

They are generated from the encodings that titles have of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamehost.message_text import NO_VALUE
from gamehost.rules.catalog import CATALOG, title_module

from .encoding import Encoding
from .encodings import ENCODINGS


def markdown_row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def observation_table(encoding: Encoding) -> str:
    lines = [markdown_row(("from", "slice", "shape", "meaning")), markdown_row(["---"] * 4)]
    for start, part in encoding.starts():
        shape = " × ".join(map(str, part.shape))
        lines.append(markdown_row((start, f"`{part.name}`", shape, part.meaning)))
    return "\n".join(lines)


def action_table(encoding: Encoding) -> str:
    lines = [markdown_row(("from", "action", "count", "order")), markdown_row(["---"] * 4)]
    start = 0
    for block in encoding.blocks:
        lines.append(markdown_row((start, f"`{block.name}`", len(block.actions), block.meaning or NO_VALUE)))
        start += len(block.actions)
    return "\n".join(lines)


def encoding_section(encoding: Encoding) -> str:
    return "\n\n".join(
        (
            f"### `{encoding.title}`, encoding version {encoding.version}",
            f"Observation: {encoding.size} numbers.",
            observation_table(encoding),
            f"Actions: {len(encoding.actions)}.",
            action_table(encoding),
        )
    )


def main() -> None:
    own = (title for title in CATALOG if title_module(title, "encoding"))
    print("\n\n".join(encoding_section(ENCODINGS[title]) for title in own))


if __name__ == "__main__":
    main()
