"""Where a Redis keeps what."""

from __future__ import annotations

PING = "shedu:ping"


def key(game: str, part: str) -> str:
    return f"shedu:{{{game}}}:{part}"  # the braces keep the keys of a game in one slot of a cluster


def agenda_key(agenda: str, part: str) -> str:
    return f"shedu:{{agenda:{agenda}}}:{part}"


def book_key(book: str) -> str:
    return f"shedu:book:{book}"


def board_key(board: str, part: str) -> str:
    return f"shedu:board:{{{board}}}:{part}"


def shelf_key(shelf: str) -> str:
    return f"shedu:shelf:{shelf}"
