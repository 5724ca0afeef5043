"""Dataclasses and the messages that mirror them, field by field, by name.

A mirror is worked out once, when its title is loaded, and refuses to exist unless both sides
agree: every field of the dataclass is a field of the message and the other way round. A field of the
message that is deprecated stands in old logs only, and is left to `lifts`.

| Python                          | Protobuf                                                        |
|---------------------------------|-----------------------------------------------------------------|
| int, str, bool, bytes           | a scalar                                                        |
| Enum member RED of Color        | COLOR_RED                                                       |
| dataclass                       | message                                                         |
| union of dataclasses            | message with one oneof; the case is the class in snake_case     |
| T or None                       | optional T                                                      |
| tuple[T, ...], frozenset[T]     | repeated T                                                      |
| the same inside another tuple   | message with a single field                                     |
| T or Hidden                     | optional T, absent when hidden                                  |
| tuple[T, ...] or Hidden         | repeated T xs, optional uint32 hidden_xs                        |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from gamehost.rules.kit import Hidden

SCALARS = (bool, int, str, bytes)
ORDERED = (tuple, frozenset)
MOST_MEMOIZED = 4096


class Undecodable(ValueError):
    """A message that no dataclass mirrors: made by another release, or by nobody."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A value's two directions."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


SAME = Pair(lambda value: value, lambda value: value)

Specials = Mapping[Any, Pair]
"""Types with a form of their own on the wire, such as a bit mask that travels as a list of spaces."""


def mirror(
    kind: Any, message: type[Message], specials: Specials | None = None, lasting: Collection[type] = ()
) -> Pair:
    """The pair of functions between a dataclass, or a union of them, and a message.

    Values of `lasting` types are shown again and again for as long as their game goes on: they are
    encoded once.
    """
    descriptor: Any = message.DESCRIPTOR
    woven = MirrorBuilder(specials or {}, lasting).message(kind, descriptor)
    inside = woven.encode

    def encode(value: Any) -> Message:
        given = inside(value)
        return message(**given) if type(given) is dict else given

    return Pair(encode, woven.decode)


@cache
def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def memoized_by_identity(encode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same object gives the same message; what goes into another message is copied there."""
    known: dict[int, tuple[Any, Any]] = {}

    def encode_once(value: Any) -> Any:
        found = known.get(id(value))
        if found is None:
            if len(known) >= MOST_MEMOIZED:
                known.clear()
            found = known[id(value)] = (value, encode(value))  # holding the value keeps its id its own
        return found[1]

    return encode_once


def _memoized_encoder(encode: Callable[[Any], Any], make: Any) -> Callable[[Any], Any]:
    return memoized_by_identity(lambda value: make(**encode(value)))


class MirrorBuilder:
    """Weaves pairs, each type once, so that types may contain themselves.

    Encoded values are what a message's constructor takes for its fields: nested ones are dicts, so that
    only the outermost message is built here.
    """

    def __init__(self, specials: Specials, lasting: Collection[type]) -> None:
        self._specials, self._lasting = specials, lasting
        self._woven: dict[tuple[Any, str], Pair] = {}

    def message(self, kind: Any, descriptor: Any) -> Pair:
        key = (kind, descriptor.full_name)
        if key not in self._woven:
            late = Pair(lambda value: done.encode(value), lambda value: done.decode(value))
            self._woven[key] = late
            weave = self._dataclass if is_dataclass(kind) else self._union
            done = weave(kind, descriptor)
            if kind in self._lasting:
                done = Pair(_memoized_encoder(done.encode, GetMessageClass(descriptor)), done.decode)
            self._woven[key] = done
        return self._woven[key]

    def _union(self, kind: Any, descriptor: Descriptor) -> Pair:
        if len(descriptor.oneofs) != 1:
            raise TypeError(f"{descriptor.full_name} must have one oneof to mirror {kind}")
        oneof = descriptor.oneofs[0]
        members = {snake(member.__name__): member for member in _members(kind)}
        _agree(descriptor.full_name, set(members), in_use(oneof.fields))
        pairs = {
            name: self.message(members[name], descriptor.fields_by_name[name].message_type)
            for name in members
        }
        writers = {member: (name, pairs[name].encode) for name, member in members.items()}
        tag = oneof.name

        def encode(value: Any) -> dict[str, Any]:
            name, write = writers[type(value)]
            return {name: write(value)}

        def decode(message: Message) -> Any:
            name = message.WhichOneof(tag)
            if name not in pairs:
                raise Undecodable(f"{descriptor.full_name}: nothing known is set")
            return pairs[name].decode(getattr(message, name))

        return Pair(encode, decode)

    def _dataclass(self, kind: Any, descriptor: Descriptor) -> Pair:
        hints = get_type_hints(kind)
        names = [field.name for field in fields(kind)]
        wire = in_use(descriptor.fields)
        companions = {f"hidden_{name}" for name in names if Hidden in _members(hints[name])}
        _agree(descriptor.full_name, set(names), wire - companions)
        parts = [self._part(field, hints[field.name], descriptor) for field in fields(kind)]
        writes = [
            (name, part.encode)
            for name, part in zip(names, parts, strict=True)
            if part.encode is not SAME.encode
        ]
        reads = [part.decode for part in parts]
        hides = [name for name in names if f"hidden_{name}" in wire]

        def encode(value: Any) -> dict[str, Any]:
            given = {name: getattr(value, name) for name in names}
            for name in hides:
                if type(hidden := given[name]) is Hidden:
                    given[f"hidden_{name}"] = hidden.count
            for name, write in writes:
                given[name] = write(given[name])
            return given

        def decode(message: Message) -> Any:
            return kind(*[read(message) for read in reads])

        return Pair(encode, decode)

    def _part(self, field: Field[Any], hint: Any, descriptor: Descriptor) -> Pair:
        """One field: encode gives what the message's constructor takes, decode reads the message."""
        wire = descriptor.fields_by_name[field.name]
        if hint in self._specials:
            special = self._specials[hint]
            return Pair(special.encode, lambda message: special.decode(getattr(message, field.name)))
        kinds = [member for member in _members(hint) if member not in (NoneType, Hidden)]
        inner: Any = kinds[0] if len(kinds) == 1 else Union[tuple(kinds)]  # noqa: UP007  built, not written
        if wire.is_repeated:
            return self._repeated(field.name, hint, inner, wire)
        return self._single(field, hint, self._element(inner, wire), wire)

    def _repeated(self, name: str, hint: Any, inner: Any, wire: FieldDescriptor) -> Pair:
        order, element = get_origin(inner), self._element(get_args(inner)[0], wire)
        if order not in ORDERED:
            raise TypeError(f"{wire.full_name}: repeated, but not a tuple or a frozenset: {hint}")
        write, read, sort = element.encode, element.decode, order is frozenset

        def encode(value: Any) -> Any:
            if type(value) is Hidden:
                return None
            return list(map(write, sorted(value) if sort else value))

        def decode(message: Message) -> Any:
            return order(read(item) for item in getattr(message, name))

        if Hidden not in _members(hint):
            return Pair(encode, decode)
        count = f"hidden_{name}"
        return Pair(
            encode,
            lambda message: Hidden(getattr(message, count)) if message.HasField(count) else decode(message),
        )

    def _single(self, field: Field[Any], hint: Any, element: Pair, wire: FieldDescriptor) -> Pair:
        name, write, read = field.name, element.encode, element.decode
        absent = _absent(field, hint, wire)

        def encode(value: Any) -> Any:
            return None if value is None or type(value) is Hidden else write(value)

        def decode(message: Message) -> Any:
            if message.HasField(name):
                return read(getattr(message, name))
            if absent is MISSING:
                raise Undecodable(f"{wire.full_name} is missing")
            return absent

        if not wire.has_presence:
            return Pair(write, lambda message: read(getattr(message, name)))
        return Pair(encode, decode)

    def _element(self, kind: Any, wire: FieldDescriptor) -> Pair:
        """One value: a scalar, an enum, a message, or a message that wraps a single field."""
        if kind in self._specials:
            return self._specials[kind]
        kind = getattr(kind, "__supertype__", kind)
        if wire.enum_type is not None:
            return _enum(kind, wire.enum_type)
        if wire.message_type is None:
            if kind not in SCALARS:
                raise TypeError(f"{wire.full_name} cannot hold {kind}")
            return SAME
        if is_dataclass(kind) or (_members(kind) != [kind] and NoneType not in _members(kind)):
            return self.message(kind, wire.message_type)
        return self._wrapped(kind, wire.message_type)

    def _wrapped(self, kind: Any, descriptor: Descriptor) -> Pair:
        (only,) = descriptor.fields
        wrapper: Any = dataclass(type("Wrapper", (), {"__annotations__": {only.name: kind}}))
        part = self._part(fields(wrapper)[0], kind, descriptor)
        return Pair(lambda value: {only.name: part.encode(value)}, part.decode)


def in_use(declared: Iterable[FieldDescriptor]) -> set[str]:
    return {field.name for field in declared if not field.GetOptions().deprecated}


def _members(kind: Any) -> list[Any]:
    return list(get_args(kind)) if get_origin(kind) in (Union, UnionType) else [kind]


def _absent(field: Field[Any], hint: Any, wire: FieldDescriptor) -> Any:
    """What a field that is not on the wire stands for."""
    if NoneType in _members(hint):
        return None
    if Hidden in _members(hint):
        return Hidden()
    return field.default


def _enum(kind: Any, descriptor: EnumDescriptor) -> Pair:
    if not (isinstance(kind, type) and issubclass(kind, Enum)):
        raise TypeError(f"{descriptor.full_name} cannot hold {kind}")
    prefix = snake(descriptor.name).upper() + "_"
    numbers = {member: descriptor.values_by_name[prefix + member.name].number for member in kind}
    if len(numbers) != len(descriptor.values) - 1:
        raise TypeError(f"{descriptor.full_name} has values that {kind.__name__} does not know")
    members = {number: member for member, number in numbers.items()}

    def decode(number: int) -> Any:
        if number not in members:
            raise Undecodable(f"{descriptor.full_name}: {number} is not a known value")
        return members[number]

    return Pair(numbers.__getitem__, decode)


def _agree(where: str, ours: set[str], theirs: set[str]) -> None:
    if ours != theirs:
        raise TypeError(f"{where} does not mirror its dataclass: {sorted(ours ^ theirs)}")
