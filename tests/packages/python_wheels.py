"""The wheels of the Python client and of the service."""

from __future__ import annotations

import re
import shutil
import sys
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

from packages.steps import CLIENTS, Shop, demand, last_line, run
from support.interpreters import interpreter_with_pip
from support.process import ROOT, Serve

PINS = Path(__file__).with_name("requirements.txt")
BUILT = shutil.ignore_patterns("build", "*.egg-info", "node_modules", "target", ".*")


def pip(*arguments: str | Path, cwd: Path) -> None:
    run(interpreter_with_pip(), "-m", "pip", "-q", "--disable-pip-version-check", *arguments, cwd=cwd)


def environment(folder: Path) -> Path:
    """Creates an empty environment; returns its folder of programs."""
    venv.EnvBuilder(symlinks=True).create(folder)
    return folder / "bin"


def wheel(shop: Shop, source: Path, *parts: str) -> Path:
    """Builds a wheel from a copy, since setuptools writes beside the sources."""
    copy, target = shop.made(f"source-{source.name}"), shop.made(f"wheel-{source.name}")
    for part in parts:
        if (source / part).is_dir():
            shutil.copytree(source / part, copy / part, ignore=BUILT)
        else:
            shutil.copy(source / part, copy / part)
    pip("wheel", "--no-deps", "--wheel-dir", target, copy, cwd=copy)
    (found,) = target.glob("*.whl")
    return found


def client_wheel(shop: Shop) -> Path:
    return wheel(shop, CLIENTS / "python", "shedu", "pyproject.toml", "README.md", "LICENSE")


def checked_wheels(shop: Shop, files: Sequence[Path]) -> str:
    tools = environment(shop.folder / "twine")
    pip("--python", tools / "python", "install", "--require-hashes", "-r", PINS, cwd=shop.folder)
    run(tools / "twine", "check", "--strict", *files, cwd=shop.folder)
    for file in files:
        names = zipfile.ZipFile(file).namelist()
        demand(any(name.endswith("licenses/LICENSE") for name in names), f"{file.name} has no LICENSE")
        top = {name.split("/")[0] for name in names if ".dist-info" not in name}
        demand(len(top) == 1, f"{file.name} has the top-level packages {sorted(top)}")
    return "twine check --strict, LICENSE, one top-level package"


class ClientWheel:
    name = "python client"
    programs = ()

    def build(self, shop: Shop) -> Sequence[Path]:
        return [client_wheel(shop)]

    def check(self, shop: Shop, files: Sequence[Path]) -> str:
        return checked_wheels(shop, files)

    def install(self, shop: Shop, files: Sequence[Path]) -> None:
        programs = environment(shop.folder / "home")
        pip("--python", programs / "python", "install", "--only-binary=:all:", *files, cwd=shop.folder)

    def play(self, shop: Shop) -> str:
        return played(shop, CLIENTS / "python" / "README.md", shop.serve)


def played(shop: Shop, readme: Path, serve: Serve) -> str:
    """Runs the first session in Python of a README with the environment `home`."""
    example = re.findall(r"```python\n(.*?)```", readme.read_text(), re.DOTALL)[0]
    program = shop.folder / "first.py"
    program.write_text(example.replace("localhost:50051", serve.address))
    return last_line(run(shop.folder / "home" / "bin" / "python", "-I", program, cwd=shop.folder))


class ServiceWheel:
    """The service; its first example is the session of the front page, against the installed service."""

    name = "python service"
    programs = ()

    def build(self, shop: Shop) -> Sequence[Path]:
        service = wheel(shop, ROOT, "service", "pyproject.toml", "README.md", "LICENSE")
        return [service, client_wheel(shop)]

    def check(self, shop: Shop, files: Sequence[Path]) -> str:
        return checked_wheels(shop, files)

    def install(self, shop: Shop, files: Sequence[Path]) -> None:
        python = environment(shop.folder / "home") / "python"
        pip("--python", python, "install", "--only-binary=:all:", *files, cwd=shop.folder)

    def play(self, shop: Shop) -> str:
        serve = Serve(shop.made("serving"), forked=False)
        serve.command[:3] = [str(shop.folder / "home" / "bin" / "shedu")]
        serve.environment = {"HOME": str(shop.folder), "PATH": sys.exec_prefix}
        with serve:
            return played(shop, ROOT / "README.md", serve)
