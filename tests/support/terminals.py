"""Reads the output of a program on a pseudo terminal."""

from __future__ import annotations

import os


def everything(terminal: int) -> str:
    """Reads a terminal until its other side is closed."""
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(terminal)
    return b"".join(parts).decode()
