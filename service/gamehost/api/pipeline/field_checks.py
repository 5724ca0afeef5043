"""Checks that hold for every field of every request, whatever the contract says about it.

Moments and durations must be ones that the wire format defines: on the binary transports any number can stand
there, and libraries raise when they convert it. Text must show as what it is: control characters reach
terminals and logs, and characters that change the direction of writing let one name look like another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

Violation = tuple[str, str]

# The bounds of google/protobuf/timestamp.proto and duration.proto: the years 1 to 9999, and 10,000 years.
TIMESTAMP_SECONDS = range(-62_135_596_800, 253_402_300_800)
DURATION_SECONDS = range(-315_576_000_000, 315_576_000_001)
NANOS = 1_000_000_000

CONTROL = "\x00-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\ufeff"
BIDIRECTIONAL = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"
UNSAFE = re.compile(f"[{CONTROL}{BIDIRECTIONAL}]")


def violations(message: Message, path: str = "") -> Iterator[Violation]:
    """Every field that is wrong, by its path, and why."""
    for field, value in message.ListFields():
        here = f"{path}.{field.name}" if path else field.name
        if not field.is_repeated:
            yield from of_item(field, value, here)
        elif isinstance(value, Mapping):
            entry = cast(Descriptor, field.message_type).fields_by_name
            for key, item in value.items():
                yield from of_item(entry["key"], key, here)
                yield from of_item(entry["value"], item, here)
        else:
            for index, item in enumerate(value):
                yield from of_item(field, item, f"{here}[{index}]")


def of_item(field: FieldDescriptor, item: Any, path: str) -> Iterator[Violation]:
    if field.message_type is not None:
        check = MOMENTS.get(field.message_type.full_name)
        if check is None:
            yield from violations(item, path)
        elif not check(item):
            yield path, f"is not a {field.message_type.full_name}"
    elif field.type == FieldDescriptor.TYPE_STRING and (found := UNSAFE.search(item)):
        yield path, f"has the character U+{ord(found[0]):04X}, which is not text to show"


def is_timestamp(item: Any) -> bool:
    return item.seconds in TIMESTAMP_SECONDS and 0 <= item.nanos < NANOS


def is_duration(item: Any) -> bool:
    same_sign = item.seconds * item.nanos >= 0
    return item.seconds in DURATION_SECONDS and -NANOS < item.nanos < NANOS and same_sign


MOMENTS: dict[str, Callable[[Any], bool]] = {
    "google.protobuf.Timestamp": is_timestamp,
    "google.protobuf.Duration": is_duration,
}
