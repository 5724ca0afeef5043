"""Help for players: the commands, and the rules of the title from the catalog."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gamehost.commands.terminal.parts import text_table
from gamehost.message_text import printable
from shedu.v1 import catalog_service_pb2

INPUTS = (
    ("a number", "plays that choice; so do all of its words, or its space (D7)"),
    ("some words", "show only the choices with them"),
    ("all", "shows all choices"),
    ("b", "draws the board again"),
    ("?", "this and the rules; help TE-20 tells one rule, help war those with the word"),
    ("u", "takes your last action back, at once or if the others agree"),
    ("r", "gives up"),
    ("q", "leaves; play on with --continue"),
)


def help_text(title: catalog_service_pb2.Title, about: str) -> RenderableType:
    """Return all help, one rule by its id, or the rules that contain a word."""
    found = rules_about(title, about)
    if about and not found:
        return Text(f"no rule of {title.display_name} speaks of {printable(about)}")
    rules = text_table(("rule", "what it says"), [(rule.rule_id, rule.text) for rule in found])
    return rules if about else Group(text_table(("you type", "and it"), INPUTS), Text(""), rules)


def rules_about(title: catalog_service_pb2.Title, about: str) -> Sequence[catalog_service_pb2.Rule]:
    named = [rule for rule in title.rules if rule.rule_id.casefold() == about.casefold()]
    return named or [rule for rule in title.rules if about.casefold() in rule.text.casefold()]


def rule_text(title: catalog_service_pb2.Title, rule_id: str) -> str:
    return next((rule.text for rule in title.rules if rule.rule_id == rule_id), "")
