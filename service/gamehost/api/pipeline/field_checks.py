"""Checks that every field of every request must pass, beside the rules of the contract.

Timestamps and durations must be in the range that the wire format defines: the binary transports carry any
number, and libraries raise when they convert one outside of it. Text must not contain control characters,
which reach terminals and logs, nor characters that change the writing direction, which make one name look
like another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

Violation = tuple[str, str]
FieldCheck = Callable[[Any, str], Iterable[Violation]]
"""Takes a message and the path of one of its fields."""

# The bounds of google/protobuf/timestamp.proto and duration.proto: the years 1 to 9999, and 10,000 years.
TIMESTAMP_SECONDS = range(-62_135_596_800, 253_402_300_800)
DURATION_SECONDS = range(-315_576_000_000, 315_576_000_001)
NANOS = 1_000_000_000

CONTROL = "\x00-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\ufeff"
BIDIRECTIONAL = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"
UNSAFE = re.compile(f"[{CONTROL}{BIDIRECTIONAL}]")


def violations(message: Message, path: str = "") -> Iterator[Violation]:
    """Yields the path of every invalid field, and what is wrong with it."""
    for name, check in checks_of(message.DESCRIPTOR):
        yield from check(message, f"{path}.{name}" if path else name)


@cache
def checks_of(descriptor: Descriptor) -> tuple[tuple[str, FieldCheck], ...]:
    """Returns the fields of a message that have to be checked, in the order of their numbers.

    Most messages of a title have neither text nor times and are not looked at. Listing the fields that are
    set instead takes 25 µs more for an action, because descriptors make a new object for each attribute.
    """
    fields: Iterable[FieldDescriptor] = sorted(descriptor.fields, key=lambda field: field.number)
    return tuple((field.name, check_of(field)) for field in fields if must_be_checked(field, frozenset()))


def must_be_checked(field: FieldDescriptor, seen: frozenset[str]) -> bool:
    """Whether a field is, or contains, a text or a time; `seen` are the messages around it."""
    kind = field.message_type
    if kind is None:
        return bool(field.type == FieldDescriptor.TYPE_STRING)
    if kind.full_name in TIME_CHECKS:
        return True
    fields: Iterable[FieldDescriptor] = kind.fields
    inside = seen | {kind.full_name}
    # A message in itself needs no check for that alone: what else it contains decides.
    return kind.full_name not in seen and any(must_be_checked(each, inside) for each in fields)


def check_of(field: FieldDescriptor) -> FieldCheck:
    """Returns the function that yields the violations of a field of a message."""
    if not field.is_repeated:
        return message_check(field) if field.message_type is not None else text_check(field)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return partial(map_violations, field)
    return partial(list_violations, field)


def text_check(field: FieldDescriptor) -> FieldCheck:
    name = field.name
    return lambda message, path: text_violations(getattr(message, name), path)


def message_check(field: FieldDescriptor) -> FieldCheck:
    name = field.name

    def check(message: Any, path: str) -> Iterable[Violation]:
        return value_violations(field, getattr(message, name), path) if message.HasField(name) else ()

    return check


def list_violations(field: FieldDescriptor, message: Any, path: str) -> Iterator[Violation]:
    for index, item in enumerate(getattr(message, field.name)):
        yield from value_violations(field, item, f"{path}[{index}]")


def map_violations(field: FieldDescriptor, message: Any, path: str) -> Iterator[Violation]:
    entry = cast(Descriptor, field.message_type).fields_by_name
    # A map is a repeated message on the wire, and its keys are text that callers chose, too.
    for key, item in getattr(message, field.name).items():
        yield from value_violations(entry["key"], key, path)
        yield from value_violations(entry["value"], item, path)


def value_violations(field: FieldDescriptor, item: Any, path: str) -> Iterable[Violation]:
    """Returns the violations of one value: a submessage, a time or a text."""
    if field.message_type is None:
        return text_violations(item, path) if field.type == FieldDescriptor.TYPE_STRING else ()
    check = TIME_CHECKS.get(field.message_type.full_name)
    if check is None:
        return violations(item, path)
    return () if check(item) else [(path, f"is not a {field.message_type.full_name}")]


def text_violations(text: str, path: str) -> Iterable[Violation]:
    # Printable text has no unsafe characters, and `isprintable` is faster than the search.
    if text.isprintable() or not (found := UNSAFE.search(text)):
        return ()
    return [(path, f"must not contain the character U+{ord(found[0]):04X}")]


def is_timestamp(item: Any) -> bool:
    return item.seconds in TIMESTAMP_SECONDS and 0 <= item.nanos < NANOS


def is_duration(item: Any) -> bool:
    # The contract of Duration: nanos must not have the other sign than seconds.
    same_sign = item.seconds * item.nanos >= 0
    return item.seconds in DURATION_SECONDS and -NANOS < item.nanos < NANOS and same_sign


TIME_CHECKS: dict[str, Callable[[Any], bool]] = {
    "google.protobuf.Timestamp": is_timestamp,
    "google.protobuf.Duration": is_duration,
}
