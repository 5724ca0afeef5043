"""Node.js and npm, as the generator of the contract finds them."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def generator() -> Any:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "proto" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def install(folder: Path) -> None:
    """The packages that package.json pins."""
    generator().install_typescript(folder)


def npm(folder: Path, *arguments: str) -> None:
    generator().npm(*arguments, folder=folder)


def node(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**generator().node(), **settings}
    program = shutil.which("node", path=environment["PATH"])
    assert program is not None, "there is no Node.js"
    return subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, check=False)
