"""The names of keys in Redis. They are part of the data format and never change."""

from __future__ import annotations

PING = "shedu:ping"


def game_key(game: str, part: str) -> str:
    # The braces put all keys of a game into one slot of a cluster. Scripts with several keys need that.
    return f"shedu:{{{game}}}:{part}"


def schedule_key(schedule: str, part: str) -> str:
    return f"shedu:{{agenda:{schedule}}}:{part}"


def registry_key(registry: str) -> str:
    return f"shedu:book:{registry}"


def board_key(board: str, part: str) -> str:
    return f"shedu:board:{{{board}}}:{part}"


def map_key(name: str, part: str) -> str:
    return f"shedu:map:{{{name}}}:{part}"


def list_key(list_name: str) -> str:
    return f"shedu:shelf:{list_name}"
