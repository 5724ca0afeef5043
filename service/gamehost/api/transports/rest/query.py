"""Converts query parameters to the JSON value of a request message."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from gamehost.play.errors import InvalidRequest

from .json_read import fields_by_name, from_text, is_map, printable_name

MAX_PARAMETERS = 100


def query_pairs(query: bytes) -> list[tuple[str, str]]:
    """Returns the decoded names and values; raises InvalidRequest if there are too many."""
    try:
        text = query.decode("ascii")
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except UnicodeDecodeError:
        raise InvalidRequest("query", "is not UTF-8") from None
    except ValueError:
        raise InvalidRequest("query", f"has more than {MAX_PARAMETERS} parameters") from None


def put_text(target: dict[str, Any], descriptor: Descriptor, name: str, text: str) -> None:
    """Sets one parameter; `a.b` is a field of a nested message, and a repeated field collects values."""
    path = field_path(descriptor, name)
    for field in path[:-1]:
        target = target.setdefault(field.name, {})
    leaf = path[-1]
    if leaf.is_repeated:
        target.setdefault(leaf.name, []).append(from_text(leaf, text))
    elif leaf.name in target:
        raise InvalidRequest(dotted(path), "is given twice")
    else:
        target[leaf.name] = from_text(leaf, text)


def dotted(path: tuple[FieldDescriptor, ...]) -> str:
    return ".".join(field.name for field in path)


def field_path(descriptor: Descriptor, name: str) -> tuple[FieldDescriptor, ...]:
    """Returns the fields that a parameter name leads through; raises InvalidRequest if it is unknown."""
    path = known_path(descriptor, name) if len(name) <= 200 else None
    if path is None:
        raise InvalidRequest(printable_name(name), "no such query parameter")
    return path


@cache
def known_parameters(descriptor: Descriptor) -> dict[str, tuple[FieldDescriptor, ...]]:
    return {}


def known_path(descriptor: Descriptor, name: str) -> tuple[FieldDescriptor, ...] | None:
    """Returns the cached path of a parameter name, or None if there is no such field."""
    # Only existing paths are cached. An lru_cache would also keep unknown names, so that callers could evict
    # the useful entries.
    known = known_parameters(descriptor)
    path = known.get(name)
    if path is None:
        path = walk(descriptor, name.split("."))
        if path is not None:
            known[name] = path
    return path


def walk(descriptor: Descriptor, names: list[str]) -> tuple[FieldDescriptor, ...] | None:
    """Follows field names through nested messages; None if they do not end at a field for one text."""
    found: list[FieldDescriptor] = []
    inside: Descriptor | None = descriptor
    for name in names:
        field = fields_by_name(inside).get(name) if inside is not None else None
        if field is None or is_map(field) or (field.is_repeated and field.message_type is not None):
            return None
        found.append(field)
        inside = None if field.is_repeated or is_text(field) else field.message_type
    return tuple(found) if is_text(found[-1]) else None


def is_text(field: FieldDescriptor) -> bool:
    """Whether the field can be written as one text: a scalar, or a well-known type such as Timestamp."""
    return field.message_type is None or field.message_type.full_name.startswith("google.protobuf.")
