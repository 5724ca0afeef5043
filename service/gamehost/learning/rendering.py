"""Renders a seat's view as text."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from gamehost.codec.titles import TITLES
from gamehost.message_text import SAME_IN_EVERY_VIEW, message_tree
from gamehost.rules.kit import Seat

from .game import Game

WIDTH = 110


def render_text(game: Game, seat: Seat) -> str:
    """Return the seat's view and its prompt as text without colours."""
    page = Console(file=StringIO(), width=WIDTH, color_system=None, highlight=False)
    view = TITLES[game.title].view.encode(game.rules.view(game.state, seat))
    decision = game.decision_of(seat)
    names = [f"seat {number}" for number in range(game.seats)]
    page.print(message_tree(view, f"{game.rules.name}, the view of {names[seat]}", names, SAME_IN_EVERY_VIEW))
    if decision is not None:
        page.print(decision.prompt.english, markup=False)
    assert isinstance(page.file, StringIO)
    return page.file.getvalue()
