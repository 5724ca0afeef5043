"""Checks that every field of every request must pass, beside the rules of the contract.

Timestamps and durations must be in the range that the wire format defines: the binary transports carry any
number, and libraries raise when they convert one outside of it. Text must not contain control characters,
which reach terminals and logs, nor characters that change the writing direction, which make one name look
like another.
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
    """Yields the path of every invalid field, and what is wrong with it."""
    for field, value in message.ListFields():
        here = f"{path}.{field.name}" if path else field.name
        if not field.is_repeated:
            yield from value_violations(field, value, here)
        elif isinstance(value, Mapping):
            entry = cast(Descriptor, field.message_type).fields_by_name
            # A map is a repeated message on the wire, and its keys are text that callers chose, too.
            for key, item in value.items():
                yield from value_violations(entry["key"], key, here)
                yield from value_violations(entry["value"], item, here)
        else:
            for index, item in enumerate(value):
                yield from value_violations(field, item, f"{here}[{index}]")


def value_violations(field: FieldDescriptor, item: Any, path: str) -> Iterator[Violation]:
    """Yields the violations of one value: a submessage, a time or a text."""
    if field.message_type is not None:
        check = TIME_CHECKS.get(field.message_type.full_name)
        if check is None:
            yield from violations(item, path)
        elif not check(item):
            yield path, f"is not a {field.message_type.full_name}"
    elif field.type == FieldDescriptor.TYPE_STRING and (found := UNSAFE.search(item)):
        yield path, f"must not contain the character U+{ord(found[0]):04X}"


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
