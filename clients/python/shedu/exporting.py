"""Writes a finished game as JSON lines: a header, every event as Protobuf JSON, the outcome.

The header is the game's `Game` message without its outcome, with `format` and `formatVersion` before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from google.protobuf import json_format

from .v1 import game_pb2

FORMAT = "shedu-game"
FORMAT_VERSION = 1


def lines(game: game_pb2.Game, events: Iterable[game_pb2.Event]) -> Iterator[str]:
    header = json_format.MessageToDict(game)
    outcome = header.pop("outcome")
    yield _line({"format": FORMAT, "formatVersion": FORMAT_VERSION, **header})
    yield from (_line(json_format.MessageToDict(event)) for event in events)
    yield _line({"outcome": outcome})


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))
