"""Reads exported games from files."""

from __future__ import annotations

import re
from pathlib import Path

from gamehost.codec.exported_game import (
    ExportedGame,
    InvalidExport,
    RecordedGame,
    parse_export,
    recorded_game,
)
from gamehost.codec.process_codec import CODEC
from gamehost.commands.console import fail


def looks_like_an_id(word: str) -> bool:
    return re.fullmatch(r"[a-z0-9]{20}", word) is not None and not Path(word).exists()


def read_exported(path: Path) -> ExportedGame:
    try:
        return parse_export(path.read_text(encoding="utf-8").split("\n"))
    except OSError as error:
        fail(f"cannot read {path}: {error.strerror}")
    except (InvalidExport, UnicodeDecodeError) as error:
        fail(f"{path}: {error}")


def read_recorded(path: Path) -> RecordedGame:
    exported = read_exported(path)
    try:
        return recorded_game(CODEC, exported)
    except InvalidExport as error:
        fail(f"{path}: {error}")
