"""Node.js and npm, as the generator of the contract finds them."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from support.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


@cache
def generator() -> Any:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "proto" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def install(folder: Path) -> None:
    """Installs the packages that package.json pins, if they are missing."""
    generator().install_typescript(folder)


def npm(folder: Path, *arguments: str) -> None:
    generator().npm(*arguments, folder=folder)


def program() -> str:
    """Returns the path of Node.js."""
    found = shutil.which("node", path=generator().node()["PATH"])
    assert found is not None, "there is no Node.js"
    return found


def node(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program(), *arguments],
        env={**generator().node(), **settings},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def built(package: Path, name: str, sources: list[Path], build: Callable[[Path], None]) -> Path:
    """Returns a folder with the output of `build` for these sources and packages.

    It is kept beside the packages and made again only when one of them has changed. Processes that run at the
    same time make it once.
    """
    install(package)
    kept = package / "node_modules" / ".cache" / name
    kept.mkdir(parents=True, exist_ok=True)
    with generator().bootstrap.install_lock(kept):
        found = kept / _digest([*sources, package / "node_modules" / ".package-lock.json"])
        if not found.exists():
            for outdated in kept.iterdir():
                shutil.rmtree(outdated)
            # A build that fails or is interrupted must not be taken for a finished one.
            unfinished = Path(tempfile.mkdtemp(dir=kept))
            build(unfinished)
            unfinished.rename(found)
    return found


def _digest(sources: list[Path]) -> str:
    """Returns a digest of the names and contents of these files and folders."""
    digest = hashlib.sha256()
    for path in sorted(file for source in sources for file in _files(source)):
        content = path.read_bytes()
        digest.update(f"{os.path.relpath(path, ROOT)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _files(source: Path) -> list[Path]:
    if source.is_file():
        return [source]
    return [path for path in source.rglob("*") if path.is_file()]
