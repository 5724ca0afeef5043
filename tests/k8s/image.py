"""Parses the Dockerfile and performs its steps in folders instead of layers."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import venv
from dataclasses import dataclass, field
from pathlib import Path

from support.interpreters import interpreter_with_pip

from .manifests import ROOT

DOCKERFILE = ROOT / "k8s" / "image" / "Dockerfile"
IGNORED = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
NEEDED_TO_RUN = ("sh", "install")  # programs that the steps of the runtime stage use
ROOT_PATHS = re.compile(r"(?<![\w./])/(src|tools|wheels|usr/share/shedu|var/lib/shedu)\b")


@dataclass
class Stage:
    """A stage: its instructions in order; of those with one value the last counts."""

    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def last(self, instruction: str) -> str:
        return [text for name, text in self.steps if name == instruction][-1]

    def command(self) -> list[str]:
        """Returns entry point and command; only exec forms, since json.loads refuses a shell form."""
        return [*json.loads(self.last("ENTRYPOINT")), *json.loads(self.last("CMD"))]

    def health(self) -> list[str]:
        found: list[str] = json.loads(self.last("HEALTHCHECK").partition("CMD ")[2])
        return found

    def environment(self) -> dict[str, str]:
        words = [word for name, text in self.steps if name == "ENV" for word in shlex.split(text)]
        return dict(word.split("=", 1) for word in words)


def stages() -> list[Stage]:
    text = re.sub(r"^\s*#.*\n", "", DOCKERFILE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    found: list[Stage] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        instruction, _, rest = line.partition(" ")
        if instruction == "FROM":
            found.append(Stage(rest.partition(" AS ")[2]))
        elif found:
            found[-1].steps.append((instruction, rest.strip()))
    return found


class Layer:
    """A folder used as the file system of a stage, with its own `pip` and `python`."""

    def __init__(self, folder: Path, path: str) -> None:
        self.folder, self._path = folder, path
        self.work, self.variables = folder, dict[str, str]()
        venv.EnvBuilder(symlinks=True).create(folder / "venv")
        program = folder / "venv" / "bin" / "pip"
        program.write_text(
            f'#!/bin/sh\nexec {interpreter_with_pip()} -m pip --python {folder}/venv/bin/python "$@"\n'
        )
        program.chmod(0o755)

    def path(self) -> str:
        return f"{self.folder / 'venv' / 'bin'}{os.pathsep}{self._path}"

    def perform(self, stage: Stage) -> None:
        for instruction, text in stage.steps:
            handler = getattr(self, f"_{instruction.lower()}", None)
            if handler:
                handler(self.placed(text))

    def placed(self, text: str) -> str:
        """Replaces absolute paths by paths in the folder."""
        return ROOT_PATHS.sub(lambda match: f"{self.folder}/{match[1]}", text)

    def _workdir(self, text: str) -> None:
        self.work = Path(text)
        self.work.mkdir(parents=True)

    def _env(self, text: str) -> None:
        self.variables |= dict(word.split("=", 1) for word in shlex.split(text))

    def _copy(self, text: str) -> None:
        *sources, target = shlex.split(text)
        for source in sources:
            place = self.work / (Path(target) / Path(source).name if target.endswith("/") else target)
            place.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, place, ignore=IGNORED, dirs_exist_ok=True)
            else:
                shutil.copy(ROOT / source, place)

    def _run(self, text: str) -> None:
        command = re.sub(r"--mount=\S+\s*", "", text)
        kept = {
            name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "HTTP"))
        }
        environment = {**kept, **self.variables, "PATH": self.path()}
        done = subprocess.run(
            ["/bin/sh", "-c", command], cwd=self.work, env=environment, capture_output=True, text=True
        )
        assert 0 == done.returncode, f"{command}\n{done.stdout}{done.stderr}"


def tools(folder: Path) -> Path:
    """Creates a folder with only the needed programs, without a compiler."""
    folder.mkdir()
    for name in NEEDED_TO_RUN:
        (folder / name).symlink_to(str(shutil.which(name)))
    return folder


def seal(folder: Path) -> None:
    """Removes all write permissions from a folder."""
    for place in (folder, *folder.rglob("*")):
        if not place.is_symlink():
            place.chmod(place.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))


def unseal(folder: Path) -> None:
    for place in (folder, *(path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink())):
        place.chmod(place.stat().st_mode | stat.S_IWUSR)


def content(folder: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mtime_ns for path in folder.rglob("*")}
