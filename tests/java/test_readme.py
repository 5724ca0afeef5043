"""The programs of the README and the example bot, as their authors run them, against real services."""

from __future__ import annotations

import json
import os
import re
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from support.java import JAVA, class_path
from support.process import ROOT, Serve
from support.waiting import PATIENCE

README = (JAVA / "README.md").read_text()
PROGRAMS = {
    name: text
    for text in re.findall(r"```java\n(.*?)```", README, re.DOTALL)
    for name in re.findall(r"public class (\w+)", text)
}
RUN = re.findall(r"```sh\n(java -cp .*?)```", README, re.DOTALL)


@pytest.fixture(scope="module")
def built() -> None:
    class_path()


def played(name: str, folder: Path, serve: Serve) -> str:
    """What a program of the README prints that is run by its command."""
    (folder / f"{name}.java").write_text(PROGRAMS[name])
    [command] = RUN
    done = subprocess.run(
        ["sh", "-ec", command.replace("path/to/shedu", str(ROOT)).replace("First.java", f"{name}.java")],
        cwd=folder,
        env={**os.environ, "SHEDU_SERVER": serve.address},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


@pytest.mark.usefixtures("built")
def test_the_first_program_plays_a_game(serve: Serve, tmp_path: Path) -> None:
    printed = played("First", tmp_path, serve)

    assert re.fullmatch(r"ROUNDS_PLAYED \[\d+, \d+\]", printed.splitlines()[-1]), printed


@pytest.mark.usefixtures("built")
def test_the_program_with_errors_names_reason_and_rule(serve: Serve, tmp_path: Path) -> None:
    printed = played("Errors", tmp_path, serve)

    assert ["WRONG_KIND_OF_ACTION TT-2", "DECISION_ANSWERED 1"] == printed.splitlines()


@pytest.mark.usefixtures("built")
def test_the_bot_plays_and_reports(serve: Serve, tmp_path: Path) -> None:
    report = json.loads(played("LastBot", tmp_path, serve))

    assert (2, 28, 0, 0) == tuple(report[name] for name in ("games", "decisions", "failures", "lost"))
    assert report["answering_ms"]["p50"] > 0


def test_the_dependency_of_the_readme_is_this_jar() -> None:
    [snippet] = re.findall(r"```xml\n(.*?)```", README, re.DOTALL)
    project = xml.parse(JAVA / "pom.xml").getroot()
    names = ("groupId", "artifactId", "version")

    assert {name: project.findtext(f"{{*}}{name}") for name in names} == {
        part.tag: part.text for part in xml.fromstring(snippet)
    }
