"""Tests that the contract is linted, formatted and compatible with earlier ones.

A change that breaks the wire or JSON is allowed only together with a new version line of the Python client: a
higher minor version below 1.0, a higher major one after it.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUF = Path(sys.executable).parent / "buf"
DESCRIPTORS = "clients/python/shedu/descriptors.binpb"
CLIENT = "clients/python/pyproject.toml"


def buf(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BUF, *arguments],
        cwd=ROOT / "proto",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def test_the_contract_passes_lint() -> None:
    done = buf("lint")

    assert (0, "") == (done.returncode, done.stdout)


def test_the_contract_is_formatted() -> None:
    done = buf("format", "--diff", "--exit-code")

    assert (0, "") == (done.returncode, done.stdout), "run `python3 proto`"


def test_the_contract_breaks_nobody(tmp_path: Path) -> None:
    earlier = [commit for commit in (newest_release(), previous_contract()) if commit]
    if not earlier:
        pytest.skip("NOT CHECKED: git knows no earlier contract here (no history, or a shallow clone)")

    findings = [breaks(commit, tmp_path / "earlier.binpb") for commit in earlier]

    assert "" == "".join(findings)


def breaks(commit: str, image: Path) -> str:
    """Returns the breaking changes since an earlier contract; empty if a new version line began since."""
    if version_line(git("show", f"{commit}:{CLIENT}")) != version_line((ROOT / CLIENT).read_bytes()):
        return ""
    image.write_bytes(git("show", f"{commit}:{DESCRIPTORS}"))
    return buf("breaking", "--against", str(image)).stdout


def newest_release() -> str | None:
    tag = git("describe", "--tags", "--abbrev=0", "--match", "v*").decode().strip()
    return tag if tag and git("show", f"{tag}:{DESCRIPTORS}") else None


def previous_contract() -> str | None:
    """Returns the last commit with another contract: HEAD before committing a change, its parent afterwards.

    The committed descriptors stand for the contract, because the sources of an old commit need not compile.
    """
    today = (ROOT / DESCRIPTORS).read_bytes()
    commits = git("log", "--format=%H", "--", DESCRIPTORS).decode().split()
    contracts = ((commit, git("show", f"{commit}:{DESCRIPTORS}")) for commit in commits)
    return next((commit for commit, contract in contracts if contract not in (b"", today)), None)


def version_line(pyproject: bytes) -> list[str]:
    major, minor, *_ = str(tomllib.loads(pyproject.decode())["project"]["version"]).split(".")
    return [major, minor] if major == "0" else [major]


def git(*arguments: str) -> bytes:
    command = ["git", "-c", "safe.directory=*", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).stdout
