"""Tests the programs of the README and the example bot with real services."""

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
KOTLIN = Path(__file__).with_name("kotlin_compiler.xml")
COMPILER = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"
RUN = re.findall(r"```sh\n(java -cp .*?)```", README, re.DOTALL)


@pytest.fixture(scope="module")
def built() -> None:
    class_path()


def played(name: str, folder: Path, serve: Serve) -> str:
    """Runs a program of the README with its command, and returns its output."""
    (folder / f"{name}.java").write_text(PROGRAMS[name])
    [command] = RUN
    command = command.replace("path/to/shedu", str(ROOT)).replace("First.java", f"{name}.java")
    return printed(["sh", "-ec", command], folder, SHEDU_SERVER=serve.address)


def printed(command: list[str], folder: Path, **settings: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **settings},
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


def test_a_bot_in_kotlin_plays(serve: Serve, tmp_path: Path) -> None:
    [program] = re.findall(r"```kotlin\n(.*?)```", README, re.DOTALL)
    (tmp_path / "Bot.kt").write_text(program)
    output = f"-Dmdep.outputFile={tmp_path / 'compiler'}"
    printed(["mvn", "-q", "-B", "-f", str(KOTLIN), "dependency:build-classpath", output], tmp_path)
    compiler = (tmp_path / "compiler").read_text()
    libraries = f"{libraries_of(class_path())}:{compiler}"

    compile_ = ["java", "-cp", compiler, COMPILER, "-no-stdlib", "-no-reflect", "-cp", libraries]
    printed([*compile_, "-d", str(tmp_path / "classes"), "Bot.kt"], tmp_path)
    command = ["java", "-cp", f"{tmp_path / 'classes'}:{libraries}", "BotKt"]
    report = json.loads(printed(command, tmp_path, SHEDU_SERVER=serve.address))

    assert (1, 14, 0) == tuple(report[name] for name in ("games", "decisions", "failures"))


def libraries_of(path: str) -> str:
    """Returns a class path without wildcards, which the Kotlin compiler does not support."""
    jar, folder = path.split(os.pathsep)
    return os.pathsep.join([jar, *map(str, sorted(Path(folder).parent.glob("*.jar")))])


def test_the_dependency_of_the_readme_is_this_jar() -> None:
    [snippet] = re.findall(r"```xml\n(.*?)```", README, re.DOTALL)
    project = xml.parse(JAVA / "pom.xml").getroot()
    names = ("groupId", "artifactId", "version")

    assert {name: project.findtext(f"{{*}}{name}") for name in names} == {
        part.tag: part.text for part in xml.fromstring(snippet)
    }
