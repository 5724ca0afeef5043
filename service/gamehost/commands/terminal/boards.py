"""Draws views as text, readable without colours and in 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType

from shedu.v1 import game_pb2

from .title import TERMINALS


def board(view: game_pb2.View, names: Sequence[str]) -> RenderableType | None:
    """Draw a view with these names of the seats. None before the start, and for a title without a drawing."""
    title = view.WhichOneof("title")
    if title is None or title not in TERMINALS or (draw := TERMINALS[title].draw) is None:
        return None
    return draw(getattr(view, title), names)
