"""The encoding of every title that has one."""

from __future__ import annotations

from typing import Final

from gamehost.rules.catalog import CATALOG, title_module

from .encoding import Encoding

ENCODINGS: Final[dict[str, Encoding]] = {
    title: found.ENCODING for title in CATALOG if (found := title_module(title, "encoding"))
}
