"""Reading exported games."""

from __future__ import annotations

import re
from pathlib import Path

from gamehost.codec.export import BadExport, Exported, Recorded, parse, recorded
from gamehost.codec.titles import TITLES
from gamehost.codec.wire import WireCodec

from .console import fail

CODEC = WireCodec(TITLES)


def looks_like_an_id(word: str) -> bool:
    return re.fullmatch(r"[a-z0-9]{20}", word) is not None and not Path(word).exists()


def read_exported(path: Path) -> Exported:
    try:
        return parse(path.read_text(encoding="utf-8").split("\n"))
    except OSError as error:
        fail(f"cannot read {path}: {error.strerror}")
    except (BadExport, UnicodeDecodeError) as error:
        fail(f"{path}: {error}")


def read(path: Path) -> Recorded:
    exported = read_exported(path)
    try:
        return recorded(CODEC, exported)
    except BadExport as error:
        fail(f"{path}: {error}")
