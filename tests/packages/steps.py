"""What the packages of all languages have in common: their steps, and the programs that run them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from support.process import ROOT, Serve

CLIENTS = ROOT / "clients"
LONG = 1800  # seconds; libraries are downloaded and compiled


class StepFailed(Exception):
    """The message has the command and what it printed."""


@dataclass(frozen=True, slots=True)
class Shop:
    """Where a package is built and tried: a folder of its own, and a running service."""

    folder: Path
    serve: Serve

    def made(self, name: str) -> Path:
        """Returns a new, empty folder."""
        folder = self.folder / name
        folder.mkdir(parents=True)
        return folder


class Package(Protocol):
    """A package of one ecosystem. Each step raises StepFailed."""

    name: str
    programs: tuple[str, ...]

    def build(self, shop: Shop) -> Sequence[Path]:
        """Builds the files that would be published."""
        ...

    def check(self, shop: Shop, files: Sequence[Path]) -> str:
        """Runs the checks of the ecosystem; returns their names."""
        ...

    def install(self, shop: Shop, files: Sequence[Path]) -> None:
        """Installs them into an empty environment, as the README says."""
        ...

    def play(self, shop: Shop) -> str:
        """Runs the first example of the README there; returns the last line that it prints."""
        ...


@dataclass(slots=True)
class Tried:
    """How it went; `trouble` is empty if all is well. The seconds are of the steps."""

    files: dict[str, int] = field(default_factory=dict)  # bytes by name
    checks: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    printed: str = ""
    trouble: str = ""


def missing(package: Package) -> list[str]:
    return [name for name in package.programs if not shutil.which(name)]


def run(*command: str | Path, cwd: Path, **settings: str) -> str:
    """Runs a command to its end; returns what it prints on stdout."""
    words = [str(word) for word in command]
    environment = {**os.environ, **settings}
    program = shutil.which(words[0], path=environment["PATH"]) or words[0]
    done = subprocess.run(
        [program, *words[1:]],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    if done.returncode:
        raise StepFailed(f"{' '.join(words)} (exit code {done.returncode})\n{done.stdout}{done.stderr}")
    return done.stdout


def last_line(printed: str) -> str:
    lines = printed.strip().splitlines()
    if not lines:
        raise StepFailed("the example prints nothing")
    return lines[-1]


def demand(condition: bool, problem: str) -> None:
    if not condition:
        raise StepFailed(problem)
