"""The Java client as others get it: a jar with its libraries, and programs compiled against it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from support.node import generator
from support.process import ROOT

JAVA = ROOT / "clients" / "java"
# Without colours and the bars of downloads. Tests of the client itself are run on their own.
PACKAGE = ("mvn", "-q", "-B", "package", "-DskipTests")


class BuildFailed(Exception):
    """The message has the command and what it printed."""


def class_path() -> str:
    """Builds the jar, unless it is there for these sources, and returns it with its libraries."""
    with generator().bootstrap.one_at_a_time(JAVA):
        run(*PACKAGE, cwd=JAVA)
    (jar,) = (JAVA / "target").glob("shedu-client-*.jar")
    return os.pathsep.join([str(jar), str(JAVA / "target" / "lib" / "*")])


def compile_program(folder: Path, *sources: Path) -> str:
    """Compiles programs into a folder, and returns the class path to run them with."""
    libraries = class_path()
    run("javac", "-d", str(folder), "-cp", libraries, *map(str, sources), cwd=folder)
    return os.pathsep.join([str(folder), libraries])


def run(*command: str, cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise BuildFailed(f"{' '.join(command)}\n{done.stdout}")
