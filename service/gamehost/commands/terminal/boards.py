"""Draws views as text, readable without colours and in 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import RenderableType

from shedu.v1 import game_pb2

from . import stone_age, tides, tigris, tigris_cards

Draw = Callable[[Any, Sequence[str]], RenderableType]

BOARDS: Mapping[str, Draw] = {
    "stone_age": stone_age.drawn,
    "tides": tides.drawn,
    "tigris": tigris.drawn,
    "tigris_cards": tigris_cards.drawn,
}


def board(view: game_pb2.View, names: Sequence[str]) -> RenderableType | None:
    """Draw a view with these names of the seats. None before the start, and for a title without a drawing."""
    title = view.WhichOneof("title")
    if title is None or title not in BOARDS:
        return None
    return BOARDS[title](getattr(view, title), names)
