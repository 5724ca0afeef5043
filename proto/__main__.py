"""`python3 proto`: sets up if need be, then runs `generate.py`, whose arguments it takes."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "service"))

import bootstrap  # noqa: E402

if __name__ == "__main__":
    python = bootstrap.ensure_environment("test")
    bootstrap.exec_program(python, str(FOLDER / "generate.py"), *sys.argv[1:])
