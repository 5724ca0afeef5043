"""Where a Redis keeps what."""

from __future__ import annotations

PING = "shedu:ping"


def game_key(game: str, part: str) -> str:
    return f"shedu:{{{game}}}:{part}"  # the braces keep the keys of a game in one slot of a cluster


def schedule_key(agenda: str, part: str) -> str:
    return f"shedu:{{agenda:{agenda}}}:{part}"


def registry_key(book: str) -> str:
    return f"shedu:book:{book}"


def board_key(board: str, part: str) -> str:
    return f"shedu:board:{{{board}}}:{part}"


def list_key(shelf: str) -> str:
    return f"shedu:shelf:{shelf}"
