"""Draws views as text, readable without colours and in 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType

from gamehost.message_text import SAME_IN_EVERY_VIEW, message_tree
from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_pb2

from .title import TERMINALS


def board(view: game_pb2.View, names: Sequence[str]) -> RenderableType | None:
    """Draw a view with these names of the seats. None before the start.

    Of a title without a drawing the fields are printed.
    """
    title = view.WhichOneof("title")
    if title is None:
        return None
    fields = getattr(view, title)
    draw = TERMINALS[title].draw if title in TERMINALS else None
    if draw:
        return draw(fields, names)
    return message_tree(fields, CATALOG[title].name, names, SAME_IN_EVERY_VIEW)
