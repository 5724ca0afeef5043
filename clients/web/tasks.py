"""Builds the bundle of the web client that the service serves.

python3 clients/web               build into service/gamehost/web
python3 clients/web check         the types only
python3 clients/web screenshots   pictures of each title, narrow and wide, into clients/web/screenshots,
                                  and small ones that are committed into clients/web/pictures
python3 clients/web lighthouse    Lighthouse over gallery, form, lobby and the tables of all titles
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path.insert(0, str(ROOT / "proto"))

# A script, not a package: it knows where Node.js is, and installs what package.json pins.
generate: Any = importlib.import_module("generate")


def build(*target: str) -> None:
    generate.install_typescript(FOLDER)
    generate.npm("run", "--silent", "check", folder=FOLDER)
    generate.npm("run", "--silent", "build", "--", *target, folder=FOLDER)


def check() -> None:
    generate.install_typescript(FOLDER)
    generate.npm("run", "--silent", "check", folder=FOLDER)


def with_browser(module: str) -> None:
    sys.path[:0] = [str(FOLDER), str(ROOT / "tests"), str(ROOT / "service")]
    importlib.import_module("programs").require("chromium")
    importlib.import_module(module).main()


def screenshots() -> None:
    with_browser("screenshots")


def lighthouse() -> None:
    with_browser("lighthouse")


TASKS = {"build": build, "check": check, "screenshots": screenshots, "lighthouse": lighthouse}


def main(arguments: list[str]) -> None:
    name, *rest = arguments or ["build"]
    if name not in TASKS:
        sys.exit(__doc__)
    TASKS[name](*rest)


if __name__ == "__main__":
    main(sys.argv[1:])
