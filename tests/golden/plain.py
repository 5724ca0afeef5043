"""Converts dataclasses to plain JSON and back: the class name under "_", enums by name, sets sorted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints


def to_plain(value: Any) -> Any:
    if is_dataclass(value):
        members = {each.name: to_plain(getattr(value, each.name)) for each in fields(value)}
        return {"_": type(value).__name__, **members}
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, frozenset):
        return [to_plain(item) for item in sorted(value)]
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    return value


def from_plain(kind: Any, plain: Any) -> Any:
    """Converts `plain` to a value of the annotated type `kind`."""
    kind = getattr(kind, "__supertype__", kind)
    origin = get_origin(kind)
    if origin in (UnionType, Union):
        return from_plain(choose(get_args(kind), plain), plain)
    if origin in (tuple, frozenset):
        return origin(map(from_plain, item_kinds(kind, len(plain)), plain))
    if is_dataclass(kind):
        hints = type_hints(kind)
        return kind(**{name: from_plain(hints[name], item) for name, item in plain.items() if name != "_"})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind[plain]
    return plain


@cache
def type_hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def item_kinds(kind: Any, count: int) -> Iterable[Any]:
    """Returns the type of each item: the same for tuple[T, ...] and frozenset[T], others for tuple[A, B]."""
    kinds = get_args(kind)
    return kinds if len(kinds) == count and ... not in kinds else [kinds[0]] * count


def choose(kinds: tuple[Any, ...], plain: Any) -> Any:
    """Returns the member of a union that `plain` was made from."""
    match plain:
        case {"_": name}:
            return next(kind for kind in kinds if getattr(kind, "__name__", None) == name)
        case None:
            return NoneType
        case list():
            return next(kind for kind in kinds if get_origin(kind) in (tuple, frozenset))
        case _:
            return next(kind for kind in kinds if kind is not NoneType and not is_dataclass(kind))
