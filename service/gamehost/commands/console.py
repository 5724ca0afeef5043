"""Where commands print, and how they fail."""

from __future__ import annotations

from typing import NoReturn

import typer
from rich.console import Console
from rich.markup import escape

out, err = Console(), Console(stderr=True)


def printable(words: str) -> str:
    """Words of strangers without what would command the terminal."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in words)


def fail(why: str) -> NoReturn:
    err.print("[bold red]shedu:[/]", escape(printable(why)), highlight=False, soft_wrap=True)
    raise typer.Exit(2)
