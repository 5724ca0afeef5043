"""Builds functions that turn dataclasses into the JSON values of their messages.

The same JSON could be had by encoding the dataclass as a message and writing that (`mirror`, `json_write`).
This way skips the message, whose fields take several times as long to read as those of a dataclass: for a
view of Tides 12 µs instead of 123. `tests/codec/test_json_mirror.py` compares both for every title.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection
from dataclasses import fields, is_dataclass
from types import NoneType
from typing import Any, Union, get_args, get_origin, get_type_hints

import orjson
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gamehost.rules.kit import Hidden

from .json_write import INTEGERS_64, unchanged, value_of
from .mirror import Specials, memoized_by_identity, snake, union_members

ToJson = Callable[[Any], Any]


def json_mirror(
    kind: Any, message: type[Message], specials: Specials | None = None, memoized: Collection[type] = ()
) -> ToJson:
    """Returns the function for a dataclass, or a union of them; the arguments are those of `mirror`."""
    return JsonBuilder(specials or {}, memoized).message(kind, message.DESCRIPTOR)


class JsonBuilder:
    """Builds the functions for a type and all types in it, each of them once.

    `mirror` has checked already that dataclass and message agree.
    """

    def __init__(self, specials: Specials, memoized: Collection[type]) -> None:
        self._specials, self._memoized = specials, memoized
        self._built: dict[tuple[Any, str], ToJson] = {}

    def message(self, kind: Any, descriptor: Any) -> ToJson:
        key = (kind, descriptor.full_name)
        if key not in self._built:
            # A type may contain itself: inner occurrences look the function up when they are called.
            self._built[key] = lambda value: self._built[key](value)
            build = self._dataclass if is_dataclass(kind) else self._union
            built = build(kind, descriptor)
            self._built[key] = memoized_fragment(built) if kind in self._memoized else built
        return self._built[key]

    def _union(self, kind: Any, descriptor: Descriptor) -> ToJson:
        by_type: dict[type, tuple[str, ToJson]] = {}
        for member in union_members(kind):
            field: Any = descriptor.fields_by_name[snake(member.__name__)]
            by_type[member] = field.json_name, self.message(member, field.message_type)

        def to_json(value: Any) -> dict[str, Any]:
            name, member_to_json = by_type[type(value)]
            return {name: member_to_json(value)}

        return to_json

    def _dataclass(self, kind: Any, descriptor: Descriptor) -> ToJson:
        """Generates the source of a function that reads each field by name and compiles it.

        A loop over the fields takes twice as long, and this is most of the work of a response over REST.
        """
        hints, names = get_type_hints(kind), {field.name for field in fields(kind)}
        always: list[str] = []  # items of the dictionary that is made first
        rest: list[str] = []  # statements that add what is there only sometimes
        scope: dict[str, Any] = {"Hidden": Hidden}
        for field in descriptor.fields:
            key = f"{field.json_name!r}"
            if field.name not in names:
                if not field.has_presence and not field.name.startswith("hidden_"):
                    always.append(f"{key}: {absent_value(field)!r}")  # deprecated: never set, still written
                continue
            read, convert = f"value.{field.name}", self._field(hints[field.name], field)
            scope[f"convert_{field.name}"] = convert
            written = read if convert is None else f"convert_{field.name}({read})"
            if not field.has_presence and Hidden not in union_members(hints[field.name]):
                always.append(f"{key}: {written}")
            elif field.is_repeated:
                counted: Any = descriptor.fields_by_name[f"hidden_{field.name}"]
                rest.append(f"if type({read}) is Hidden:")
                rest.append(f"    written[{key}] = []; written[{counted.json_name!r}] = {read}.count")
                rest.append(f"else: written[{key}] = {written}")
            elif never_absent(hints[field.name]):
                always.append(f"{key}: {written}")
            else:
                rest.append(f"if {read} is not None and type({read}) is not Hidden:")
                rest.append(f"    written[{key}] = {written}")
        lines = [f"written = {{{', '.join(always)}}}", *rest, "return written"]
        source = "def to_json(value):\n" + "\n".join(f"    {line}" for line in lines)
        # Only names and defaults of fields of the contract get into the source, never a value of a caller.
        exec(source, scope)
        built: ToJson = scope["to_json"]
        return built

    def _field(self, hint: Any, field: FieldDescriptor) -> ToJson | None:
        """The conversion of the value of a field that is there; None if it is written as it is."""
        if hint in self._specials:
            return self._special(hint)
        kinds = [member for member in union_members(hint) if member not in (NoneType, Hidden)]
        inner: Any = kinds[0] if len(kinds) == 1 else Union[tuple(kinds)]  # noqa: UP007  not known statically
        if not field.is_repeated:
            return self._element(inner, field)
        convert, is_set = self._element(get_args(inner)[0], field), get_origin(inner) is frozenset
        if is_set:
            return sorted if convert is None else lambda values: [convert(value) for value in sorted(values)]
        # orjson writes tuples as they are.
        return None if convert is None else lambda values: [convert(value) for value in values]

    def _element(self, kind: Any, field: FieldDescriptor) -> ToJson | None:
        if kind in self._specials:
            return self._special(kind)
        kind = getattr(kind, "__supertype__", kind)
        if field.enum_type is not None:
            prefix = snake(field.enum_type.name).upper() + "_"
            # A method of the dictionary itself: a function around it would add a call for each value.
            return {member: prefix + member.name for member in kind}.__getitem__
        if field.message_type is None:
            return scalar_to_json(field)
        if is_dataclass(kind) or (union_members(kind) != [kind] and NoneType not in union_members(kind)):
            return self.message(kind, field.message_type)
        # An inner tuple, or an item that may be missing, is a message with a single field.
        (only,) = field.message_type.fields
        convert, name = self._field(kind, only) or unchanged, only.json_name
        if never_absent(kind):
            return lambda value: {name: convert(value)}
        return lambda value: {} if value is None or type(value) is Hidden else {name: convert(value)}

    def _special(self, kind: Any) -> ToJson:
        pair = self._specials[kind]
        return pair.to_json or (lambda value: written(pair.encode(value)))


def memoized_fragment(to_json: ToJson) -> ToJson:
    """Writes each object once; afterwards its text is copied into the JSON around it."""
    return memoized_by_identity(lambda value: orjson.Fragment(orjson.dumps(to_json(value))))


def written(encoded: Any) -> Any:
    """The JSON value of what a special encoder returns: a message or a list of messages."""
    return [value_of(each) for each in encoded] if isinstance(encoded, list) else value_of(encoded)


def never_absent(hint: Any) -> bool:
    return not {NoneType, Hidden} & set(union_members(hint))


def absent_value(field: FieldDescriptor) -> Any:
    return [] if field.is_repeated else field.default_value


def scalar_to_json(field: FieldDescriptor) -> ToJson | None:
    if field.cpp_type in INTEGERS_64:
        return str
    if field.type == FieldDescriptor.TYPE_BYTES:
        return lambda data: base64.b64encode(data).decode()
    return None
