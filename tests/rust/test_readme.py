"""Tests the programs of the README, each in an empty folder, with a real service."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from support.process import ROOT, Serve
from support.rust import BUILD_SECONDS, RUST, environment

README = (RUST / "README.md").read_text()
PROGRAMS = re.findall(r"```rust\n(.*?)```", README, re.DOTALL)


def run(command: list[str], folder: Path, **settings: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def played(program: str, folder: Path, **settings: str) -> str:
    """Sets up a program with the commands of the README, runs it, and returns its output."""
    [setup] = re.findall(r"```sh\n(cargo init.*?)```", README, re.DOTALL)
    run(["sh", "-ec", setup.replace("path/to/shedu", str(ROOT))], folder)
    (folder / "src" / "main.rs").write_text(program)
    # Dependencies have no debug information in the builds of the client, either, so they are not built again.
    return run(["cargo", "run", "--quiet"], folder, CARGO_PROFILE_DEV_DEBUG="false", **settings)


def test_the_first_program_plays_a_game(serve: Serve, tmp_path: Path) -> None:
    printed = played(PROGRAMS[0], tmp_path, SHEDU_SERVER=serve.address)

    assert re.fullmatch(r"ROUNDS_PLAYED \[\d+, \d+\]", printed.splitlines()[-1]), printed


def test_the_program_with_errors_names_reason_and_rule(serve: Serve, tmp_path: Path) -> None:
    printed = played(PROGRAMS[1], tmp_path, SHEDU_SERVER=serve.address)

    assert ["WRONG_KIND_OF_ACTION TT-2", "DECISION_ANSWERED 1"] == printed.splitlines()


def test_the_bot_plays_and_reports(serve: Serve, tmp_path: Path) -> None:
    report = json.loads(played(PROGRAMS[2], tmp_path, SHEDU_SERVER=serve.address))

    assert (2, 28, 0, 0) == tuple(report[name] for name in ("games", "decisions", "failures", "lost"))
    assert report["answering_ms"]["p50"] > 0


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_the_programs_are_formatted(number: int) -> None:
    command = ["rustfmt", "--edition", "2024", "--config-path", str(RUST)]
    done = subprocess.run(command, input=PROGRAMS[number], capture_output=True, text=True, check=True)

    assert PROGRAMS[number] == done.stdout
