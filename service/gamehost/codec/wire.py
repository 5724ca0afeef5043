"""Parts of messages as bytes.

The bytes of a message are those of its fields, one after the other in any order. So a message can be put
together from parts that are encoded already, without parsing them or copying objects.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from google.protobuf.message import Message

LENGTH_DELIMITED = 2


def varint(number: int) -> bytes:
    """An unsigned number, seven bits a byte, lowest first."""
    if number < 0x80:
        return SMALL[number]
    return _long_varint(number)


@lru_cache(4096)
def _long_varint(number: int) -> bytes:
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


SMALL = tuple(bytes([number]) for number in range(0x80))


def with_length(content: bytes) -> bytes:
    """Returns the content of a field with its length before it."""
    return varint(len(content)) + content


def part(message: type[Message], field: str) -> Callable[[bytes], bytes]:
    """Returns the function that makes a field, or one item of a repeated field, from its content."""
    descriptor: Any = message.DESCRIPTOR
    # The tag never changes, so it is computed here and not for each message.
    tag = varint(descriptor.fields_by_name[field].number << 3 | LENGTH_DELIMITED)
    small, long = SMALL, _long_varint

    def write(content: bytes) -> bytes:
        # Without a call of `varint`: a move writes 40 parts.
        size = len(content)
        return tag + (small[size] if size < 0x80 else long(size)) + content

    return write


def number(message: type[Message], field: str) -> Callable[[int], bytes]:
    """Returns the function that makes a field of an unsigned number."""
    descriptor: Any = message.DESCRIPTOR
    tag = varint(descriptor.fields_by_name[field].number << 3)
    small, long = [tag + each for each in SMALL], _long_varint
    return lambda value: small[value] if value < 0x80 else tag + long(value)
