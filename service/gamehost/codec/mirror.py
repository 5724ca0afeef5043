"""Translates between dataclasses and the messages that mirror them, field by field, by name.

A mirror is built once, when its title is loaded. Building raises TypeError unless both sides agree: every
field of the dataclass is a field of the message and the other way round. So a field that was added on one
side only fails at start and not in a game. Deprecated fields of a message occur only in old logs; `upgrades`
handles them.

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

SCALAR_TYPES = (bool, int, str, bytes)
COLLECTIONS = (tuple, frozenset)
MOST_MEMOIZED = 4096  # values for each encoder


class Undecodable(ValueError):
    """A message that cannot be decoded: it is malformed, or another release made it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The functions that encode and decode one type of value.

    Two functions may be given for a special, which return what `encode` does, but faster: `to_json` as a
    value for JSON, and `to_bytes` as the bytes of a field, from the value and the tag of the field.
    """

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    to_json: Callable[[Any], Any] | None = None
    to_bytes: Callable[[Any, bytes], bytes] | None = None


SAME = Pair(lambda value: value, lambda value: value)

Specials = Mapping[Any, Pair]
"""Pairs for types that are not mirrored, such as a bit mask that is sent as a list of spaces."""


def mirror(
    kind: Any, message: type[Message], specials: Specials | None = None, memoized: Collection[type] = ()
) -> Pair:
    """Returns the functions that translate between a dataclass, or a union of dataclasses, and a message.

    Values of `memoized` types are encoded once for each object. That pays for values that stay the same for a
    whole game and are part of each of its views, such as options.
    """
    descriptor: Any = message.DESCRIPTOR
    built = MirrorBuilder(specials or {}, memoized).message(kind, descriptor)
    encode_fields = built.encode

    def encode(value: Any) -> Message:
        encoded = encode_fields(value)
        return message(**encoded) if type(encoded) is dict else encoded  # a memoized type gives a message

    return Pair(encode, built.decode)


@cache
def snake(name: str) -> str:
    """The name of a class in snake_case, as its oneof case is named."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def memoized_by_identity(encode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Wraps an encoder so that it encodes each object once and then returns the same message.

    The cache is keyed by identity, because a hash of the value would have to visit all of its fields, as
    encoding does. Callers must not change the message. Protobuf copies a message that is assigned to a field
    of another one, so it can be used as a part of many messages.
    """
    cache: dict[int, tuple[Any, Any]] = {}

    def encode_memoized(value: Any) -> Any:
        found = cache.get(id(value))
        if found is None:
            if len(cache) >= MOST_MEMOIZED:
                cache.clear()
            # The entry holds the value itself: if it were collected, another object could get the same id.
            found = cache[id(value)] = (value, encode(value))
        return found[1]

    return encode_memoized


def _memoized_encoder(encode: Callable[[Any], Any], message: Any) -> Callable[[Any], Any]:
    return memoized_by_identity(lambda value: message(**encode(value)))


class MirrorBuilder:
    """Builds the pairs for a type and all types in it, each of them once.

    Encoders return what the constructor of a message takes for its fields: nested values are dicts, so that
    only the outermost message is constructed in Python. Protobuf constructs the nested ones natively.
    """

    def __init__(self, specials: Specials, memoized: Collection[type]) -> None:
        self._specials, self._memoized = specials, memoized
        self._built: dict[tuple[Any, str], Pair] = {}

    def message(self, kind: Any, descriptor: Any) -> Pair:
        """Returns the pair for a dataclass, or a union of dataclasses, and a message."""
        key = (kind, descriptor.full_name)
        if key not in self._built:
            # A type may contain itself, for example in a union of its own members. While its pair is being
            # built, the inner occurrences get a placeholder that looks `pair` up when it is called, not now.
            self._built[key] = Pair(lambda value: pair.encode(value), lambda value: pair.decode(value))
            build = self._dataclass if is_dataclass(kind) else self._union
            pair = build(kind, descriptor)
            if kind in self._memoized:
                pair = Pair(_memoized_encoder(pair.encode, GetMessageClass(descriptor)), pair.decode)
            self._built[key] = pair
        return self._built[key]

    def _union(self, kind: Any, descriptor: Descriptor) -> Pair:
        """The pair for a union of dataclasses and a message with one oneof."""
        if len(descriptor.oneofs) != 1:
            raise TypeError(f"{descriptor.full_name} must have one oneof to mirror {kind}")
        oneof = descriptor.oneofs[0]
        members = {snake(member.__name__): member for member in union_members(kind)}
        _check_same_names(descriptor.full_name, set(members), current_names(oneof.fields))
        pairs = {
            name: self.message(members[name], descriptor.fields_by_name[name].message_type)
            for name in members
        }
        encoders = {member: (name, pairs[name].encode) for name, member in members.items()}
        oneof_name = oneof.name

        def encode(value: Any) -> dict[str, Any]:
            name, encode_member = encoders[type(value)]
            return {name: encode_member(value)}

        def decode(message: Message) -> Any:
            name = message.WhichOneof(oneof_name)
            if name not in pairs:
                raise Undecodable(f"{descriptor.full_name}: no known case is set")
            return pairs[name].decode(getattr(message, name))

        return Pair(encode, decode)

    def _dataclass(self, kind: Any, descriptor: Descriptor) -> Pair:
        """The pair for a dataclass and a message with the same fields."""
        hints = get_type_hints(kind)
        names = [field.name for field in fields(kind)]
        wire = current_names(descriptor.fields)
        counts = {f"hidden_{name}" for name in names if Hidden in union_members(hints[name])}
        _check_same_names(descriptor.full_name, set(names), wire - counts)
        pairs = [self._field(field, hints[field.name], descriptor) for field in fields(kind)]
        encoders = {name: pair.encode for name, pair in zip(names, pairs, strict=True)}
        decoders = [pair.decode for pair in pairs]

        def decode(message: Message) -> Any:
            return kind(*[decode_field(message) for decode_field in decoders])

        return Pair(_fields_encoder(encoders, {name for name in names if f"hidden_{name}" in wire}), decode)

    def _field(self, field: Field[Any], hint: Any, descriptor: Descriptor) -> Pair:
        """The pair for a field: `encode` takes the value of the field, `decode` takes the whole message."""
        wire = descriptor.fields_by_name[field.name]
        if hint in self._specials:
            special = self._specials[hint]
            return Pair(special.encode, lambda message: special.decode(getattr(message, field.name)))
        kinds = [member for member in union_members(hint) if member not in (NoneType, Hidden)]
        inner: Any = kinds[0] if len(kinds) == 1 else Union[tuple(kinds)]  # noqa: UP007  not known statically
        if wire.is_repeated:
            return self._repeated(field.name, hint, inner, wire)
        return self._single(field, hint, self._element(inner, wire), wire)

    def _repeated(self, name: str, hint: Any, inner: Any, wire: FieldDescriptor) -> Pair:
        """The pair for a tuple or frozenset and a repeated field. A hidden one is sent as its length."""
        collection, element = get_origin(inner), self._element(get_args(inner)[0], wire)
        if collection not in COLLECTIONS:
            raise TypeError(f"{wire.full_name}: repeated, but not a tuple or a frozenset: {hint}")
        encode_item, decode_item, is_set = element.encode, element.decode, collection is frozenset

        def encode(value: Any) -> Any:
            if type(value) is Hidden:
                return None
            # Sets are sorted, so that the same value always gives the same bytes.
            return list(map(encode_item, sorted(value) if is_set else value))

        def decode(message: Message) -> Any:
            return collection(decode_item(item) for item in getattr(message, name))

        if Hidden not in union_members(hint):
            return Pair(encode, decode)
        count = f"hidden_{name}"
        return Pair(
            encode,
            lambda message: Hidden(getattr(message, count)) if message.HasField(count) else decode(message),
        )

    def _single(self, field: Field[Any], hint: Any, element: Pair, wire: FieldDescriptor) -> Pair:
        """The pair for a field that is not repeated; None and hidden values are absent from the message."""
        name, encode_value, decode_value = field.name, element.encode, element.decode
        absent = _absent_value(field, hint)

        def encode(value: Any) -> Any:
            return None if value is None or type(value) is Hidden else encode_value(value)

        def decode(message: Message) -> Any:
            if message.HasField(name):
                return decode_value(getattr(message, name))
            if absent is MISSING:
                raise Undecodable(f"{wire.full_name} is missing")
            return absent

        if not wire.has_presence:
            return Pair(encode_value, lambda message: decode_value(getattr(message, name)))
        return Pair(encode, decode)

    def _element(self, kind: Any, wire: FieldDescriptor) -> Pair:
        """The pair for one value: a scalar, an enum, a message, or a message that wraps a single field."""
        if kind in self._specials:
            return self._specials[kind]
        kind = getattr(kind, "__supertype__", kind)  # the type behind a NewType
        if wire.enum_type is not None:
            return _enum(kind, wire.enum_type)
        if wire.message_type is None:
            if kind not in SCALAR_TYPES:
                raise TypeError(f"{wire.full_name} cannot hold {kind}")
            return SAME
        if is_dataclass(kind) or (union_members(kind) != [kind] and NoneType not in union_members(kind)):
            return self.message(kind, wire.message_type)
        return self._wrapped(kind, wire.message_type)

    def _wrapped(self, kind: Any, descriptor: Descriptor) -> Pair:
        # Protobuf has no repeated field of repeated fields, so an inner tuple is a message with one field. A
        # dataclass with that field is made up, so that `_field` handles it like any other.
        (only,) = descriptor.fields
        wrapper: Any = dataclass(type("Wrapper", (), {"__annotations__": {only.name: kind}}))
        pair = self._field(fields(wrapper)[0], kind, descriptor)
        return Pair(lambda value: {only.name: pair.encode(value)}, pair.decode)


def _fields_encoder(
    encoders: Mapping[str, Callable[[Any], Any]], counted: Collection[str]
) -> Callable[[Any], dict[str, Any]]:
    """Returns the function that encodes the fields of a dataclass by name.

    Its source is generated: a loop over the fields takes twice as long, and scalars, which are most fields,
    are sent as they are without a call. `counted` fields have a length beside them when they are hidden.
    """
    items, scope = [], dict[str, Any](Hidden=Hidden)
    for name, encode_field in encoders.items():
        scope[f"encode_{name}"] = encode_field
        same = encode_field is SAME.encode
        items.append(f"{name!r}: value.{name}" if same else f"{name!r}: encode_{name}(value.{name})")
    lines = [f"encoded = {{{', '.join(items)}}}"]
    for name in counted:
        lines.append(f"if type(value.{name}) is Hidden: encoded['hidden_{name}'] = value.{name}.count")
    body = "\n".join(f"    {line}" for line in [*lines, "return encoded"])
    exec(f"def encode(value):\n{body}", scope)
    encode: Callable[[Any], dict[str, Any]] = scope["encode"]
    return encode


def current_names(declared: Iterable[FieldDescriptor]) -> set[str]:
    """The names of the fields that are not deprecated."""
    return {field.name for field in declared if not field.GetOptions().deprecated}


def union_members(kind: Any) -> list[Any]:
    """The members of a union, or the type itself. A tuple of classes is a union, even of one."""
    if isinstance(kind, tuple):
        return list(kind)
    return list(get_args(kind)) if get_origin(kind) in (Union, UnionType) else [kind]


def _absent_value(field: Field[Any], hint: Any) -> Any:
    """The value of a field that the message does not have; MISSING if the field is required."""
    if NoneType in union_members(hint):
        return None
    if Hidden in union_members(hint):
        return Hidden()
    return field.default


def _enum(kind: Any, descriptor: EnumDescriptor) -> Pair:
    """The pair for an enum. Its values must be the names of the members, with a prefix, and UNSPECIFIED."""
    if not (isinstance(kind, type) and issubclass(kind, Enum)):
        raise TypeError(f"{descriptor.full_name} cannot hold {kind}")
    prefix = snake(descriptor.name).upper() + "_"
    numbers = {member: descriptor.values_by_name[prefix + member.name].number for member in kind}
    if len(numbers) != len(descriptor.values) - 1:  # without UNSPECIFIED
        raise TypeError(f"{descriptor.full_name} has values that {kind.__name__} does not know")
    members = {number: member for member, number in numbers.items()}

    def decode(number: int) -> Any:
        if number not in members:
            raise Undecodable(f"{descriptor.full_name}: {number} is not a known value")
        return members[number]

    return Pair(numbers.__getitem__, decode)


def _check_same_names(message: str, in_dataclass: set[str], in_message: set[str]) -> None:
    if in_dataclass != in_message:
        raise TypeError(f"{message} does not mirror its dataclass: {sorted(in_dataclass ^ in_message)}")
