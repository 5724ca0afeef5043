"""Writes `requirements/*.txt`: what the service and each extra need, with versions and hashes.

Each file lists the packages of one extra that the service does without, with the hashes of every file of a
release, so that pip accepts the same release on any platform and nothing else. Packages that only some
platforms or versions of Python need are there with a marker: pip refuses to install what is not listed.
No file says where anything was downloaded.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import bootstrap

HEAD = "# Written by `python3 service/bootstrap.py --freeze`.\n"
COMPLETE = "test"  # the extra that holds all others
APART = {"sbom"}  # extras that are also installed without the service, so that their files list all they need
# uv resolves for all platforms and versions of Python at once; pip can only do so for its own.
UNIVERSAL = ("--universal", "--python-version", "3.11", "--fork-strategy", "fewest", "--no-config", "--quiet")
PLAIN = ("--no-annotate", "--no-header")

Pins = dict[str, str]  # a package's name: its lines in a requirements file


def freeze(keep: bool = False) -> None:
    """Raises the pinned versions to the newest that fit, or keeps those that still do."""
    with tempfile.TemporaryDirectory() as folder:
        resolver = Resolver(Path(folder), pinned() if keep else {})
        build = resolver.resolve("build", build_tools())
        everything = resolver.resolve("everything", needs(COMPLETE))
        service = resolver.closure(needs(), everything)
        found = {extra: resolver.closure(needs(extra), everything) for extra in bootstrap.extras()}
        for extra in APART:
            found[extra] = resolver.closure(optional()[extra], everything)
    write("build", build)
    write("service", service)
    for extra, pins in found.items():
        included = [other for other in found if other != extra] if extra == COMPLETE else []
        covered = {name for each in included for name in found[each]}
        if extra not in APART:
            covered |= service.keys()
        write(extra, {name: lines for name, lines in pins.items() if name not in covered}, *included)


class Resolver:
    """uv, in an environment that is thrown away, with the index that pip is set to use."""

    def __init__(self, folder: Path, preferred: Pins) -> None:
        self._folder, self._preferred = folder, preferred
        python = folder / "uv" / "bin" / "python"
        bootstrap.create_environment(folder / "uv")
        subprocess.run([*bootstrap.pip(python), "install", "-q", "uv"], check=True)
        self._program = str(python.with_name("uv"))
        self._settings = {**os.environ, **_index(python)}

    def resolve(self, name: str, requirements: list[str]) -> Pins:
        target = self._folder / f"{name}.txt"
        target.write_text("".join(self._preferred.values()))  # uv keeps what its output pinned before
        self._compile(requirements, "--generate-hashes", "--output-file", str(target))
        return parse(target.read_text())

    def closure(self, requirements: list[str], pins: Pins) -> Pins:
        """Returns the pins that the requirements need, directly or through other packages."""
        target = self._folder / "pins.txt"
        target.write_text("".join(pins.values()))
        listed = self._compile(requirements, "--constraint", str(target))
        return {name: pins[name] for name in parse(listed)}

    def _compile(self, requirements: list[str], *options: str) -> str:
        command = [self._program, "pip", "compile", *UNIVERSAL, *PLAIN, *options, "-"]
        given = "\n".join(requirements)
        done = subprocess.run(
            command, input=given, env=self._settings, stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout


def _index(python: Path) -> dict[str, str]:
    """Returns the environment variables of uv for the index and the certificates in pip's configuration."""
    done = subprocess.run(
        [*bootstrap.pip(python), "config", "list"], capture_output=True, text=True, check=True
    )
    found = dict(re.findall(r"^[^=]*\.([\w-]+)='(.*)'$", done.stdout, re.MULTILINE))
    names = {"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "cert": "SSL_CERT_FILE"}
    return {names[key]: value for key, value in found.items() if key in names}


def needs(extra: str = "") -> list[str]:
    """Returns the requirements of both local packages, and of an extra of the service."""
    service, client = (_project(name)["project"] for name in bootstrap.PROJECTS)
    wanted = [*service["dependencies"], *client["dependencies"], *optional().get(extra, [])]
    return [requirement for requirement in wanted if requirement != client["name"]]


def optional() -> dict[str, list[str]]:
    found: dict[str, list[str]] = _project(bootstrap.PROJECTS[0])["project"]["optional-dependencies"]
    return found


def build_tools() -> list[str]:
    """Returns what builds packages, and pip itself, so that users of `.venv` can install more."""
    return ["pip"] + [
        need for name in bootstrap.PROJECTS for need in _project(name)["build-system"]["requires"]
    ]


def _project(name: str) -> dict[str, Any]:
    return tomllib.loads((bootstrap.ROOT / name).read_text())


def pinned() -> Pins:
    """Returns all pins of the requirements files."""
    files = sorted((bootstrap.ROOT / bootstrap.REQUIREMENTS).glob("*.txt"))
    return {name: lines for file in files for name, lines in parse(file.read_text()).items()}


def parse(text: str) -> Pins:
    """Returns each pin with the lines of its hashes, by name."""
    blocks = re.findall(r"^[A-Za-z0-9].*(?:\n[ \t]+.*)*\n", text, re.MULTILINE)
    return {block.partition("==")[0]: block for block in blocks}


def write(name: str, pins: Pins, *included: str) -> None:
    lines = [HEAD, *(f"-r {each}.txt\n" for each in included), *pins.values()]
    bootstrap.requirements(name).write_text("".join(lines))
