"""Tests that a public name of the service is defined in one module, so that a search finds one meaning."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SERVICE = Path(__file__).resolve().parents[1] / "service" / "gamehost"
# Each title may use the words of its rule book, so several titles may define the same name.
TITLES = ("rules", "titles")
SEVERAL_HOMES = {
    "log": "the logger of a module, as is usual in Python",
    "main": "the function that runs a module as a program",
    "register": "every command adds itself to the app with a function of this name",
}


def modules() -> Iterator[Path]:
    for path in sorted(SERVICE.rglob("*.py")):
        if "_pb2" not in path.name and path.relative_to(SERVICE).parts[0] not in TITLES:
            yield path


def names_in(target: ast.expr) -> list[str]:
    return [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]


def is_command_option(node: ast.Assign) -> bool:
    """Whether this is `Title = Annotated[...]`: options are named like parameters, each with its own help."""
    value = node.value
    return (
        isinstance(value, ast.Subscript)
        and isinstance(value.value, ast.Name)
        and value.value.id == "Annotated"
    )


def public_names(path: Path) -> set[str]:
    """Returns the functions, classes and constants that a module defines at its top level."""
    found: list[str] = []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.AnnAssign):
            found += names_in(node.target)
        elif isinstance(node, ast.Assign) and not is_command_option(node):
            found += [name for target in node.targets for name in names_in(target)]
    return {name for name in found if not name.startswith("_")}


def homes() -> dict[str, list[str]]:
    found = defaultdict(list)
    for path in modules():
        for name in public_names(path):
            found[name].append(str(path.relative_to(SERVICE)))
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_every_public_name_has_one_home() -> None:
    assert {} == {name: paths for name, paths in homes().items() if name not in SEVERAL_HOMES}


def test_only_names_with_several_homes_are_exceptions() -> None:
    assert set() == SEVERAL_HOMES.keys() - homes().keys()
