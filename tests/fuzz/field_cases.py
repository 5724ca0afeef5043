"""Cases for every field of every request with each of its edge values, which random requests rarely have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gamehost.api.pipeline.dispatch import Method

from . import values
from .request_maker import TIMES, raw

Path = tuple[FieldDescriptor, ...]
TIME_VALUES = [(second, 0) for second in values.SECONDS] + [(1, nano) for nano in {*values.NANOS}]
DEEPEST = 7


@dataclass(frozen=True)
class FieldCase:
    """A field of a method's request, with a value for messages and a value for JSON."""

    method: Method
    path: Path
    value: Any
    json: Any

    @property
    def is_time(self) -> bool:
        kind = self.path[-1].message_type
        return kind is not None and kind.full_name in TIMES

    def put(self, message: Message) -> None:
        target: Any = message
        for field in self.path[:-1]:
            part = getattr(target, field.name)
            target = (part[0] if part else part.add()) if field.is_repeated else part
        target.SetInParent()
        last = self.path[-1]
        if self.is_time:
            moment = getattr(target, last.name)
            moment.SetInParent()
            moment.seconds, moment.nanos = self.value
        elif last.is_repeated:
            getattr(target, last.name).append(self.value)
        else:
            setattr(target, last.name, self.value)

    def put_json(self, tree: dict[str, Any]) -> None:
        for field in self.path[:-1]:
            clear_others(tree, field)
            if field.is_repeated:
                inner = tree[field.json_name] = [{}]
                tree = inner[0]
            else:
                found = tree.pop(field.name, tree.get(field.json_name))
                tree[field.json_name] = found if isinstance(found, dict) else {}
                tree = tree[field.json_name]
        last = self.path[-1]
        clear_others(tree, last)
        tree.pop(last.name, None)
        tree[last.json_name] = [self.json] if last.is_repeated else self.json


def clear_others(tree: dict[str, Any], field: FieldDescriptor) -> None:
    """Removes the other cases of a oneof: two of them would be refused before either is validated."""
    for other in field.containing_oneof.fields if field.containing_oneof else ():
        if other is not field:
            tree.pop(other.name, None)
            tree.pop(other.json_name, None)


@cache
def field_cases_of(method: Method) -> tuple[FieldCase, ...]:
    found = []
    for path in paths(method.request.DESCRIPTOR, ()):
        wire, text = list(wire_values(path[-1])), list(json_values(path[-1]))
        for number in range(max(len(wire), len(text))):
            found.append(FieldCase(method, path, wire[number % len(wire)], text[number % len(text)]))
    return tuple(found)


def ordered(methods: tuple[Method, ...], coin: Random) -> list[FieldCase]:
    """Returns all cases in random order, those of timestamps and durations first, since they are few."""
    field_cases = [field_case for method in methods for field_case in field_cases_of(method)]
    coin.shuffle(field_cases)
    return sorted(field_cases, key=lambda field_case: not field_case.is_time)


def paths(descriptor: Descriptor, before: Path) -> Iterator[Path]:
    for field in descriptor.fields:
        here = (*before, field)
        if field.message_type is None or field.message_type.full_name in TIMES:
            yield here
        elif len(here) < DEEPEST and field not in before:
            yield from paths(field.message_type, here)


def wire_values(field: FieldDescriptor) -> Iterator[Any]:
    if field.message_type is not None:
        yield from TIME_VALUES
    elif field.enum_type is not None:
        yield from (99, -1, 2**31 - 1, -(2**31))
    elif field.type == FieldDescriptor.TYPE_BYTES:
        yield from (b"", b"\0", b"x" * 65, b"\xff" * 300)
    elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        yield from values.TEXTS
    elif field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        yield from (True, False)
    else:
        low, high = values.BOUNDS[field.cpp_type]
        yield from (low, high, low + 1, high - 1, max(low, -1), min(high, 2**53), min(high, 2**53 + 1), 17)


def json_values(field: FieldDescriptor) -> Iterator[Any]:
    if field.message_type is not None:
        yield from TIMES[field.message_type.full_name]
    elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING and field.type != FieldDescriptor.TYPE_BYTES:
        yield from values.TEXTS
        yield from map(raw, ('"\\ud800"', '"\\udc00"', "1", "true", "[]", "{}"))
    else:
        yield from map(raw, values.RAW)
