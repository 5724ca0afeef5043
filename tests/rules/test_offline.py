"""Tests that the rules need only the standard library, and that the sessions of their README work."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from gamehost.rules.catalog import CATALOG
from support.waiting import PATIENCE

SERVICE = Path(__file__).resolve().parents[2] / "service"
README = (SERVICE / "gamehost" / "rules" / "README.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
NEVER = ("grpc", "google", "redis", "shedu", "pydantic", "starlette")


def alone(program: str) -> str:
    """Runs a program with only the standard library and the rules; returns its output."""
    place = f"import sys; sys.path.append({str(SERVICE)!r})\n"
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", place + program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert 0 == done.returncode, done.stderr
    return done.stdout


def test_there_is_nothing_else_to_be_found():
    program = f"import importlib.util as u; print([n for n in {NEVER!r} if u.find_spec(n)])"

    assert "[]\n" == alone(program)


def test_a_game_of_every_title():
    (session,) = [block for block in BLOCKS if "for rules in CATALOG" in block]

    said = alone(session)

    lines = [line.split() for line in said.splitlines()]
    assert list(CATALOG) == [title for title, *_ in lines]
    assert all(int(position) > 20 and reason.isupper() for _, position, reason in lines)


def test_searching_beats_guessing():
    (session,) = [block for block in BLOCKS if "def search" in block]

    said = alone(session)

    assert re.fullmatch(r"searching beats guessing: [23] of 3\n", said)


def test_the_line_that_runs_a_program_needs_no_more_than_the_rules(tmp_path):
    (line,) = re.findall(r"^```sh\n(.*?)\n```", README, re.MULTILINE | re.DOTALL)
    copied = [path.strip("/") for path in re.findall(r"`(service/gamehost/\S+)`", README)]
    for path in copied:
        copy(SERVICE.parent / path, tmp_path / path)
    (session,) = [block for block in BLOCKS if "for rules in CATALOG" in block]
    (tmp_path / "my_search.py").write_text(session)
    command = line.replace("python3", f"{sys.executable} -S -W error")

    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env={}, capture_output=True, text=True, timeout=PATIENCE
    )

    assert ("", 0) == (done.stderr, done.returncode)
    assert list(CATALOG) == [told.split()[0] for told in done.stdout.splitlines()]


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy(source, target)


def test_every_call_of_the_readme_is_there():
    names = re.findall(r"`(\w+)\((?!rules|key)", README)

    assert {"setup", "decide", "evolve", "legal_actions", "imagine"} <= set(names)
    assert all(callable(getattr(rules, name)) for name in names for rules in CATALOG.values())
