"""Consoles of the commands, and `fail`, which ends a command with an error."""

from __future__ import annotations

from typing import NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from gamehost.message_text import printable as printable

out, err = Console(emoji=False), Console(stderr=True, emoji=False)


def fail(why: str) -> NoReturn:
    """Print an error and exit with code 2."""
    err.print("[bold red]shedu:[/]", escape(printable(why)), highlight=False, soft_wrap=True)
    raise typer.Exit(2)
