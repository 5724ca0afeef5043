"""The titles that this service hosts: every folder of `gamehost.titles`.

A title is added by adding its folder; no list names it. The folder has a package `rules` with a constant
`RULES`, and may have further modules, such as `codec` or `greedy`, which `title_part` finds. A folder that
breaks the contract of the kit stops the import with a `BrokenTitle`, whose sentence names the fix.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, TypeVar

from .contract import BrokenTitle, check_names, check_rules
from .kit import AnyRules

PACKAGE = "gamehost.titles"
T = TypeVar("T")


def _hosted() -> Iterator[AnyRules]:
    """Yields the rules of every folder of titles, by name."""
    # Imported by name: the kit must not depend on the titles, which depend on it.
    for found in iter_modules(import_module(PACKAGE).__path__):
        if found.ispkg:
            yield load_rules(found.name)


def load_rules(folder: str) -> AnyRules:
    """Returns the rules of a folder of titles. Raises BrokenTitle."""
    if find_spec(f"{PACKAGE}.{folder}.rules") is None:
        raise BrokenTitle(folder, "rules", f"add a package `rules` to titles/{folder}")
    package = import_module(f"{PACKAGE}.{folder}.rules")
    if not hasattr(package, "RULES"):
        raise BrokenTitle(folder, "RULES", "it is missing; define it in rules/__init__.py")
    return check_rules(folder, package.RULES)


def title_module(title: str, name: str) -> ModuleType | None:
    """Returns an optional module of a title's folder, such as `greedy`, or None if the title has none."""
    path = f"{PACKAGE}.{title}.{name}"
    return import_module(path) if find_spec(path) else None


def title_part(title: str, module: str, constant: str, kind: type[T]) -> T | None:
    """Returns the constant of an optional module, or None if the title has no such module.

    Raises BrokenTitle if the constant is missing or is not of the kind; a protocol is checked by its members.
    """
    found = title_module(title, module)
    if found is None:
        return None
    if not hasattr(found, constant):
        raise BrokenTitle(title, f"{module}.{constant}", f"it is missing; define it in {module}.py")
    value: Any = getattr(found, constant)
    missing = [name for name in _members(kind) if not hasattr(value, name)]
    if missing:
        raise BrokenTitle(title, f"{module}.{constant}", f"it has no `{missing[0]}`, see {kind.__name__}")
    if not _members(kind) and not isinstance(value, kind):
        expected, given = kind.__name__, type(value).__name__
        raise BrokenTitle(title, f"{module}.{constant}", f"it is of type {given}; make it one of {expected}")
    made: T = value
    return made


def _members(kind: type) -> list[str]:
    """The public members that a protocol asks for; none for other classes."""
    if not getattr(kind, "_is_protocol", False):
        return []
    declared = {*vars(kind), *vars(kind).get("__annotations__", {})}
    return sorted(name for name in declared if not name.startswith("_"))


HOSTED: tuple[AnyRules, ...] = tuple(_hosted())
CATALOG: dict[str, AnyRules] = {rules.title: rules for rules in HOSTED}
check_names(CATALOG)
