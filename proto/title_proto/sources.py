"""The source of the modules of a title's rules: names of types, and the strings that document them.

A class is documented by its docstring. A field, a member of an enum and a type that has a name (such as
`Phase = Acting | Swapping`) are documented by a string on the next line.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import resolve_name


@dataclass(frozen=True, slots=True)
class Alias:
    """A type that has a name: the module and the expression that define it, and its documentation."""

    module: str
    name: str
    expression: ast.expr
    doc: str


class Source:
    """The source of one module."""

    def __init__(self, module: str) -> None:
        self.module = module
        loaded = sys.modules[module]
        self._package = loaded.__package__ or ""
        self._body = ast.parse(inspect.getsource(loaded)).body

    def class_doc(self, name: str) -> str:
        found = self._class(name)
        return (ast.get_docstring(found) or "") if found else ""

    def member_docs(self, name: str) -> dict[str, str]:
        """The documentation of the fields of a dataclass, or of the members of an enum, by name."""
        found = self._class(name)
        return {target: doc for target, _, doc in _assignments(found.body) if doc} if found else {}

    def alias(self, name: str) -> Alias | None:
        """The assignment that gives a type its name, here or where it is imported from."""
        for target, expression, doc in _assignments(self._body):
            if target == name and expression is not None:
                return Alias(self.module, name, expression, doc)
        for node in self._body:
            if isinstance(node, ast.ImportFrom):
                for imported in node.names:
                    if (imported.asname or imported.name) == name:
                        module = resolve_name("." * node.level + (node.module or ""), self._package)
                        return source(module).alias(imported.name)
        return None

    def _class(self, name: str) -> ast.ClassDef | None:
        classes = (node for node in self._body if isinstance(node, ast.ClassDef))
        return next((node for node in classes if node.name == name), None)


@cache
def source(module: str) -> Source:
    """The source of a module, which is imported unless it is."""
    import_module(module)
    return Source(module)


def _assignments(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.expr | None, str]]:
    """Names that are assigned or annotated, what is assigned, and the string below if there is one."""
    for node, below in zip(body, [*body[1:], None], strict=True):
        doc = ""
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            doc = inspect.cleandoc(below.value.value) if isinstance(below.value.value, str) else ""
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value, doc
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value, doc
