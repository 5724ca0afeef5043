"""The titles that this service hosts: every folder of `gamehost.titles`.

A title is added by adding its folder; no list names it. The folder has a package `rules` with a constant
`RULES`,
and may have further modules, such as `codec` or `greedy`, which `title_module` finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType

from .kit import AnyRules

PACKAGE = "gamehost.titles"


def _hosted() -> Iterator[AnyRules]:
    """Yields the rules of every folder of titles, by name."""
    # Imported by name: the kit must not depend on the titles, which depend on it.
    for found in iter_modules(import_module(PACKAGE).__path__):
        if found.ispkg:
            yield import_module(f"{PACKAGE}.{found.name}.rules").RULES


def title_module(title: str, name: str) -> ModuleType | None:
    """Returns an optional module of a title's folder, such as `greedy`, or None if the title has none."""
    path = f"{PACKAGE}.{title}.{name}"
    return import_module(path) if find_spec(path) else None


HOSTED: tuple[AnyRules, ...] = tuple(_hosted())
CATALOG: dict[str, AnyRules] = {rules.title: rules for rules in HOSTED}
