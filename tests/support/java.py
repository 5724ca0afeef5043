"""Builds the jar of the Java client, and compiles programs with it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.node import generator
from support.process import ROOT

JAVA = ROOT / "clients" / "java"
CONTRACT = JAVA / "target" / "contract.sha256"  # digest of the sources of the generated classes
SOURCES = JAVA / "target" / "sources.sha256"  # digest of the sources of the jar
# Without colours and progress bars. The tests of the client are run separately.
PACKAGE = ("mvn", "-q", "-B", "package", "-DskipTests")


class BuildFailed(Exception):
    """The message has the command and what it printed."""


@contextmanager
def build_folder() -> Iterator[None]:
    """Locks the build folder of Maven for one process.

    It is emptied after a change of the contract: Maven would compile generated classes of messages that the
    contract no longer has.
    """
    with generator().bootstrap.install_lock(JAVA):
        contract = _digest(JAVA / "pom.xml", *(ROOT / "proto").rglob("*.proto"))
        if not _is_stamped(CONTRACT, contract):
            shutil.rmtree(CONTRACT.parent, ignore_errors=True)
            CONTRACT.parent.mkdir()
            CONTRACT.write_text(contract)
        yield


def class_path() -> str:
    """Builds the jar, unless it is there for these sources, and returns it with its libraries."""
    with build_folder():
        sources = _digest(*(JAVA / "src" / "main").rglob("*.java"))
        if not _is_stamped(SOURCES, sources):
            run(*PACKAGE, cwd=JAVA)
            SOURCES.write_text(sources)
    # A release puts jars with the sources and the documentation beside it.
    (jar,) = (JAVA / "target").glob("shedu-client-*[0-9].jar")
    return os.pathsep.join([str(jar), str(JAVA / "target" / "lib" / "*")])


def _digest(*files: Path) -> str:
    told = (f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}" for file in sorted(files))
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def _is_stamped(stamp: Path, digest: str) -> bool:
    return stamp.exists() and stamp.read_text() == digest


def compile_program(folder: Path, *sources: Path) -> str:
    """Compiles programs into a folder, and returns the class path to run them with."""
    libraries = class_path()
    run("javac", "-d", str(folder), "-cp", libraries, *map(str, sources), cwd=folder)
    return os.pathsep.join([str(folder), libraries])


def run(*command: str, cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise BuildFailed(f"{' '.join(command)}\n{done.stdout}")
