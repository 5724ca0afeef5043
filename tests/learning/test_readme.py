"""The README beside the environments: its examples run and its tables are true."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gamehost.learning
from gamehost.cli import app
from gamehost.learning.encodings import ENCODINGS
from gamehost.learning.single import id_of
from gamehost.learning.tables import chapter

README = (Path(gamehost.learning.__file__).parent / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
BLOCKED = "import sys; sys.modules['{}'] = None; import gamehost; {}"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """The folder in which the README's own command has written its file."""
    folder = tmp_path_factory.mktemp("dataset")
    (command,) = re.findall(r"`shedu (simulate .*? --out games\.parquet)`", README)
    with contextlib.chdir(folder):
        done = CliRunner().invoke(app, [*command.split(), "--jobs", "1"])
    assert done.exit_code == 0, done.output
    return folder


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_runs(number, capsys, request, monkeypatch):
    names = {"__name__": "example"}
    if "games.parquet" in EXAMPLES[number]:
        monkeypatch.chdir(request.getfixturevalue("dataset"))

    exec(compile(EXAMPLES[number], f"example {number}", "exec"), names)

    if "examples" in names:
        assert len(names["examples"]) > 100

    if "wins" in names:
        assert names["wins"] > 0.6, "the policy has learnt next to nothing"


def test_there_is_an_example_of_imitation():
    assert 1 == sum("example(row)" in example for example in EXAMPLES)


def test_there_is_an_example_of_training():
    assert 1 == sum("wins = " in example for example in EXAMPLES)


@pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=ENCODINGS)
def test_tables_tell_what_the_encodings_do(encoding):
    assert chapter(encoding) in README, "run `python -m gamehost.learning.tables` and put its words there"
    assert f"`{id_of(encoding.title)}`" in README


@pytest.mark.parametrize("missing", ["gymnasium", "numpy", "pettingzoo"])
def test_without_the_extra_the_rest_works_and_a_message_tells_how_to_get_it(missing):
    command = [sys.executable, "-c", BLOCKED.format(missing, "import gamehost.cli, gamehost.learning")]

    done = subprocess.run(command, env={"PYTHONPATH": ":".join(sys.path)}, capture_output=True, text=True)

    assert f"gamehost.learning needs {missing}, which is not installed" in done.stderr
    assert "python3 service/bootstrap.py --extra rl" in done.stderr


def test_nothing_heavy_comes_with_the_environments():
    script = "import gamehost.learning, sys; print('torch' in sys.modules, 'pandas' in sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": ":".join(sys.path)}, capture_output=True, text=True
    )

    assert "False False" == done.stdout.strip()
