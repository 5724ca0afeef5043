"""The wire format of each type of a dataclass, as the table in `gamehost.codec.mirror` defines it.

Types are read from the source, because a union or a tuple that has a name there gives it to its message.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from types import UnionType
from typing import Annotated, Any, NewType, Union, get_origin

from gamehost.rules.kit import Hidden

from .declarations import TitleProblem
from .sources import source

SCALARS = {int: "uint32", bool: "bool", str: "string", bytes: "bytes"}
SIGNED = "SignedInt"
WireTypes = Mapping[Any, Any]
"""For types that a title encodes by itself: the types that are on the wire instead."""


@dataclass(frozen=True, slots=True)
class Scalar:
    type: str


@dataclass(frozen=True, slots=True)
class Single:
    """An enum or a dataclass."""

    kind: type


@dataclass(frozen=True, slots=True)
class Choice:
    """A union of dataclasses."""

    members: tuple[type, ...]
    name: str
    doc: str


@dataclass(frozen=True, slots=True)
class Many:
    """A tuple or a frozenset."""

    item: Shape
    name: str
    doc: str


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value or None."""

    inner: Shape


@dataclass(frozen=True, slots=True)
class Secret:
    """A value or Hidden."""

    inner: Shape


Shape = Scalar | Single | Choice | Many | Maybe | Secret


class ShapeReader:
    """Reads the types of the fields of one title."""

    def __init__(self, title: str, wire_types: WireTypes) -> None:
        self._title, self._wire_types = title, wire_types

    def field(self, kind: type, name: str) -> Shape:
        """The shape of a field of a dataclass. Raises TitleProblem for a type that cannot be mirrored."""
        owner = next(base for base in kind.__mro__ if name in vars(base).get("__annotations__", {}))
        annotation = owner.__annotations__[name]
        if not isinstance(annotation, str):
            message = "begin its module with `from __future__ import annotations`, so that types keep names"
            raise TitleProblem(f"title {self._title}, {kind.__name__}.{name}: {message}")
        where = f"title {self._title}, {kind.__name__}.{name}"
        return _Reader(where, self._wire_types).read(
            ast.parse(annotation, mode="eval").body, owner.__module__
        )


class _Reader:
    def __init__(self, where: str, wire_types: WireTypes) -> None:
        self._where, self._wire_types = where, wire_types

    def read(self, node: ast.expr, module: str, name: str = "", doc: str = "") -> Shape:
        match node:
            case ast.Constant(str(text)):
                return self.read(ast.parse(text, mode="eval").body, module, name, doc)
            case ast.BinOp(op=ast.BitOr()):
                return self._union(_members(node), module, name, doc)
            case ast.Subscript():
                return self._subscript(node, module, name, doc)
            case ast.Name() | ast.Attribute():
                return self._named(node, module)
            case _:
                raise self._unknown(ast.unparse(node))

    def _subscript(self, node: ast.Subscript, module: str, name: str, doc: str) -> Shape:
        whole, origin = self._value(node, module), self._value(node.value, module)
        if whole in self._wire_types:
            return self._value_shape(self._wire_types[whole])
        match origin, node.slice:
            case builtin, ast.Tuple(elts=[item, ast.Constant(value)]) if builtin is tuple and value is ...:
                return Many(self.read(item, module), name, doc)
            case annotated, ast.Tuple(elts=[item, *_]) if annotated is Annotated:
                return self.read(item, module, name, doc)  # its other arguments are for Python alone
            case builtin, item if builtin is frozenset:
                return Many(self.read(item, module), name, doc)
            case builtin, _ if builtin is tuple:
                raise self._unknown(ast.unparse(node), "write a dataclass, or `tuple[X, ...]` for a list")
        raise self._unknown(ast.unparse(node))

    def _named(self, node: ast.Name | ast.Attribute, module: str) -> Shape:
        value = self._value(node, module)
        if value in self._wire_types:
            return self._value_shape(self._wire_types[value])
        if isinstance(node, ast.Name) and node.id == SIGNED:
            return Scalar("int32")
        if isinstance(value, NewType):
            value = value.__supertype__
        if value in SCALARS:
            return Scalar(SCALARS[value])
        if (
            isinstance(value, type)
            and (is_dataclass(value) or issubclass(value, Enum))
            and value is not Hidden
        ):
            return Single(value)
        alias = source(module).alias(node.id) if isinstance(node, ast.Name) else None
        if alias is not None and (get_origin(value) in (tuple, frozenset) or _is_union(value)):
            return self.read(alias.expression, alias.module, alias.name, alias.doc)
        raise self._unknown(ast.unparse(node))

    def _union(self, nodes: list[ast.expr], module: str, name: str, doc: str) -> Shape:
        values = [self._value(node, module) for node in nodes]
        kinds = [node for node, value in zip(nodes, values, strict=True) if value not in (None, Hidden)]
        if len(kinds) == 1:
            inner = self.read(kinds[0], module)
        else:
            inner = Choice(self._flat_members(kinds, module), name, doc)
        if None in values and Hidden in values:
            raise self._unknown(
                " | ".join(map(ast.unparse, nodes)), "it is either absent or hidden, not both"
            )
        if None in values and isinstance(inner, Many):
            raise self._unknown(
                " | ".join(map(ast.unparse, nodes)), "a list cannot be absent; leave it empty"
            )
        return Maybe(inner) if None in values else Secret(inner) if Hidden in values else inner

    def _flat_members(self, nodes: list[ast.expr], module: str) -> tuple[type, ...]:
        members: list[type] = []
        for node in nodes:
            match self.read(node, module):
                case Single(kind) if is_dataclass(kind):
                    members.append(kind)
                case Choice(more):
                    members += more
                case _:
                    raise self._unknown(
                        ast.unparse(node), "a union is of dataclasses, or of one type and None"
                    )
        return tuple(members)

    def _value(self, node: ast.expr, module: str) -> Any:
        text = ast.unparse(node)
        try:
            return eval(text, vars(sys.modules[module]))
        except Exception:
            raise self._unknown(text, f"{module} does not define it when it is loaded") from None

    def _value_shape(self, kind: Any) -> Shape:
        """The shape of a type of `WIRE_TYPES`, which is a value and not source."""
        if get_origin(kind) in (tuple, frozenset):
            return Many(self._value_shape(kind.__args__[0]), "", "")
        if kind in SCALARS:
            return Scalar(SCALARS[kind])
        if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, Enum)):
            return Single(kind)
        raise self._unknown(str(kind))

    def _unknown(self, text: str, fix: str = "") -> TitleProblem:
        fix = fix or "use int, bool, str, bytes, an Enum, a dataclass, or a tuple or union of them"
        return TitleProblem(f"{self._where}: `{text}` cannot be mirrored: {fix}.")


def _members(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_members(node.left), *_members(node.right)]
    return [node]


def _is_union(value: Any) -> bool:
    return isinstance(value, UnionType) or get_origin(value) is Union
