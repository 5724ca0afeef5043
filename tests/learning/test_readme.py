"""Tests that the examples in the README of the environments run and that its tables are right."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from unittest.mock import patch

import pytest

import gamehost.learning
from bots.seasons import inline
from gamehost.learning.encodings import ENCODINGS
from gamehost.learning.markdown import encoding_section
from gamehost.learning.seat_env import id_of
from gamehost.rules.catalog import CATALOG, title_module
from support.process import shedu_here
from support.waiting import PATIENCE

README = (Path(gamehost.learning.__file__).parent / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
NEEDED = ("numpy", "gymnasium", "pettingzoo")  # in the order in which they are imported


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """Runs the command of the README with fewer games; returns the folder of its file."""
    folder = tmp_path_factory.mktemp("dataset")
    (command,) = re.findall(r"`shedu (simulate .*? --games) 20 (.*? --out games\.parquet)`", README)
    with contextlib.chdir(folder), patch("gamehost.simulate.play_all", inline):
        done = shedu_here(*" 3 ".join(command).split(), "--jobs", "1")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_runs(number, capsys, request, monkeypatch):
    names = {"__name__": "example"}
    if "games.parquet" in EXAMPLES[number]:
        monkeypatch.chdir(request.getfixturevalue("dataset"))

    exec(compile(EXAMPLES[number], f"example {number}", "exec"), names)

    if "examples" in names:
        assert len(names["examples"]) > 20

    if "wins" in names:
        assert names["wins"] > 0.6, "the policy has learnt almost nothing"


def test_there_is_an_example_of_imitation():
    assert 1 == sum("example(row)" in example for example in EXAMPLES)


def test_there_is_an_example_of_training():
    assert 1 == sum("wins = " in example for example in EXAMPLES)


OWN = [ENCODINGS[title] for title in CATALOG if title_module(title, "encoding")]


@pytest.mark.parametrize("encoding", OWN, ids=lambda encoding: encoding.title)
def test_tables_tell_what_the_encodings_do(encoding):
    assert encoding_section(encoding) in README, (
        "run `python -m gamehost.learning.markdown` and put its output there"
    )
    assert f"`{id_of(encoding.title)}`" in README


def printed(program):
    """Runs a program in a new interpreter, and returns its output."""
    command = [sys.executable, "-c", textwrap.dedent(program)]
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert 0 == done.returncode, done.stderr
    return done.stdout


def test_without_the_extra_the_rest_works_and_a_message_tells_how_to_get_it():
    said = printed(
        f"""
        import sys

        sys.modules.update(dict.fromkeys({NEEDED}))
        import gamehost.cli

        for missing in {NEEDED}:
            try:
                import gamehost.learning
            except ImportError as error:
                print(error)
            del sys.modules[missing]
        """
    )

    assert [
        f"gamehost.learning needs {missing}, which is not installed: python3 service/bootstrap.py --extra rl"
        for missing in NEEDED
    ] == said.splitlines()


def test_nothing_heavy_comes_with_the_environments():
    program = "import gamehost.learning, sys; print('torch' in sys.modules, 'pandas' in sys.modules)"

    assert "False False\n" == printed(program)
