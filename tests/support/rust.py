"""Builds the Rust client and programs with it, in one folder, so that libraries are compiled once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.process import ROOT

RUST = ROOT / "clients" / "rust"
DRIVER = ROOT / "tests" / "conformance" / "clients" / "rust"
TARGET = Path(sys.prefix) / "rust-target"
PROGRAMS = TARGET / "debug"
# To compile all libraries takes minutes on a busy machine.
BUILD_SECONDS = 1800


class BuildFailed(Exception):
    """The message has the command and what it printed."""


def environment(**settings: str) -> dict[str, str]:
    return {**os.environ, "CARGO_TARGET_DIR": str(TARGET), **settings}


def cargo(*arguments: str, folder: Path = RUST, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs Cargo, which lets only one process at a time build in a folder."""
    return subprocess.run(
        ["cargo", *arguments],
        cwd=folder,
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
        check=False,
    )


def build(*arguments: str, folder: Path) -> None:
    done = cargo("build", "--quiet", *arguments, folder=folder)
    if done.returncode:
        raise BuildFailed(f"cargo build {' '.join(arguments)}\n{done.stdout}{done.stderr}")
