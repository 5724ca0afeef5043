"""Tests of the repository: its layout, the length of functions and files, and forbidden text."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOP_LEVEL = {"pyproject.toml", "README.md", "LICENSE", "proto", "service", "clients", "tests", "k8s"}
LONGEST_FUNCTION = 40
LONGEST_FILE = 400
IMPURE = {"asyncio", "datetime", "logging", "os", "random", "time", "uuid"}
# Shedu is built on other machines, with other paths and package sources.
FOREIGN = re.compile(r"(?<![\w.~})])/(?:work|root|home|Users|opt|tmp)/\w")
# Lock files of these tools always contain download addresses; test_supply.py checks all others.
LOCK_FILES = {"Cargo.lock", "uv.lock", "poetry.lock", "yarn.lock", "pnpm-lock.yaml"}


def files() -> list[Path]:
    """Returns all files that are in git or not ignored by it."""
    command = [
        "git",
        "-c",
        "safe.directory=*",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip(f"NOT CHECKED: git does not know this folder ({listed.stderr.strip()})")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def written_code() -> list[Path]:
    """Returns the Python files that are neither tests nor generated."""
    folders = (ROOT / "service", ROOT / "clients" / "python", ROOT / "proto")
    paths = [path for folder in folders for path in folder.rglob("*.py")]
    return [path for path in paths if "_pb2" not in path.name and "build" not in path.parts]


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def imported(path: Path) -> Iterator[str]:
    """Yields the top-level names of packages that a module imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]


def test_the_top_level_stays_tidy() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in files()}

    assert set() == {name for name in names if not name.startswith(".")} - TOP_LEVEL


def test_no_file_speaks_of_the_machine_it_was_written_on() -> None:
    findings = []
    for path in files():
        if path == Path(__file__) or b"\0" in (content := path.read_bytes()):
            continue
        lines = content.decode().splitlines()
        findings += [
            f"{path.relative_to(ROOT)}:{n}: {line}" for n, line in enumerate(lines, 1) if FOREIGN.search(line)
        ]

    assert [] == findings


def test_versions_are_pinned_without_saying_where_they_were_downloaded() -> None:
    assert set() == {path.name for path in files()} & LOCK_FILES


def test_functions_fit_on_a_screen() -> None:
    lengths = {
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}": (function.end_lineno or 0)
        - function.lineno
        + 1
        for path in written_code()
        for function in functions(path)
    }

    assert {} == {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION}


def test_files_are_short() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in written_code()}

    assert {} == {name: length for name, length in lengths.items() if length > LONGEST_FILE}


def test_the_rules_import_only_the_pure_part_of_the_standard_library() -> None:
    allowed = (set(sys.stdlib_module_names) - IMPURE) | {"gamehost"}
    paths = (ROOT / "service" / "gamehost" / "rules").rglob("*.py")

    findings = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in paths
        for name in imported(path)
        if name not in allowed
    }

    assert set() == findings


def test_the_rules_of_every_title_have_the_same_modules() -> None:
    """The docstring of `gamehost.titles` lists them; chapters of a rule book are additional modules."""
    titles = ROOT / "service" / "gamehost" / "titles"
    docstring = ast.get_docstring(ast.parse((titles / "__init__.py").read_text())) or ""
    shared = re.findall(r"^    (\w+) ", docstring, re.MULTILINE)
    template = ROOT / "service" / "title_template"
    folders = [template, *(path for path in titles.iterdir() if (path / "rules").is_dir())]

    missing = {
        f"{folder.name}/rules/{name}.py"
        for folder in folders
        for name in shared
        if not (folder / "rules" / f"{name}.py").exists()
    }

    assert len(shared) >= 16
    assert len(folders) >= 5
    assert set() == missing


def test_whatever_is_to_be_installed_can_be() -> None:
    """Our packages are on no index, so docs and messages name the command that works in a clone."""
    texts = [path.read_text() for path in files() if path.suffix in {".md", ".py", ".toml", ".yaml"}]
    optional = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

    named = {extra for text in texts for extra in re.findall(r"bootstrap\.py --extra (\w+)", text)}

    assert named <= set(optional)
    assert {"data", "otel", "plot", "rl"} <= named
    assert [] == [found for text in texts for found in re.findall(r"pip install '?shedu.*", text)]


def test_the_command_that_installs_an_extra_does(tmp_path: Path) -> None:
    command = [sys.executable, ROOT / "service/bootstrap.py", "--extra"]

    done = subprocess.run([*command, "rl"], cwd=tmp_path, capture_output=True, text=True)
    refused = subprocess.run([*command, "rll"], cwd=tmp_path, capture_output=True, text=True)

    assert (0, "rl is installed for .venv/bin/python\n") == (done.returncode, done.stdout)
    assert 2 == refused.returncode
    assert "invalid choice: 'rll'" in refused.stderr


def test_who_tests_has_every_extra() -> None:
    """The environment of the tests counts as one with every extra."""
    optional = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

    assert {need for needs in optional.values() for need in needs} == set(optional["test"])
