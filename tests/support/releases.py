"""The release before this one, out of the history of the repository."""

from __future__ import annotations

import json
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from support.process import ROOT

PREVIOUS = ROOT / "tests/golden/releases/previous.json"


def previous_commit() -> str:
    commit: str = json.loads(PREVIOUS.read_text())["commit"]
    return commit


def previous_release(folder: Path) -> Path:
    """Its sources, laid out in a folder; fails loudly where the history does not have them."""
    commit = previous_commit()
    packed = git("archive", "--format=tar", commit, "service", "clients/python")
    if packed.returncode:
        shallow = git("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
        why = "this clone is shallow: `git fetch --unshallow`" if shallow else packed.stderr.decode().strip()
        pytest.fail(f"the previous release, commit {commit} of {PREVIOUS.name}, is not in the history: {why}")
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as sources:
        sources.extractall(folder, filter="data")
    return folder


def git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
