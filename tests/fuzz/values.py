"""Edge values of fields, and values beyond them."""

from __future__ import annotations

from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

SECONDS = (0, 1, -1, 60, 86_400, -62_135_596_800, -62_135_596_801, 253_402_300_799, 253_402_300_800)
SECONDS += (315_576_000_000, 315_576_000_001, -315_576_000_001, 9_223_372_036_854, 2**63 - 1, -(2**63))
NANOS = (0, 0, 0, 1, -1, 999_999_999, 1_000_000_000, -999_999_999, 2**31 - 1, -(2**31))

TEXTS = (
    "", "a", "tides", "tigris", "stone_age", "tigris_cards", "random", "greedy", "\0", "a\0b", "\r\n",
    "\x1b[31m", "\x7f", "\u202eabc\u202c", "\u2066x\u2069", "\u200e", "\u061c", "\u2028", "\ufeff", "é",
    "e\u0301", "👩\u200d👧", "\U0010ffff", "\ufffe", "%00", "../../etc/passwd", "' OR 1=1 --", "{a}", "*",
    "?", "${jndi:x}", "null", "NaN", "-0", "1e400", "0x10", "1_000", "٣", "shedu_seat_x.y.z",
    "key:alice", "jwt:\n", "a" * 19, "a" * 20, "a" * 41, "A-_" * 21, "x" * 256, "x" * 513, "é" * 300,
    "x" * 5_000,
)  # fmt: skip
LONG = "x" * 70_000  # more than a request may have

TIMES = (
    "", "now", "1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z", "10000-01-01T00:00:00Z", "2026-02-30T00:00:00Z",
    "2026-01-01T00:00:00", "2026-01-01T00:00:00+99:99", "2026-01-01T00:00:60Z", "-1-01-01T00:00:00Z",
    "2026-01-01T00:00:00.1234567891Z", "1970-01-01t00:00:00z", "٣",
    "1970-01-01T00:00:00.000000001-18:00",
)  # fmt: skip
DURATIONS = (
    "", "s", "1s", "60s", "-1s", "1.5s", "1", "1m", "0.0000000001s", "315576000000s", "315576000001s",
    "NaNs", "infs", "1e400s", "-0s", " 1s", "9223372036854775808s", "1.s", "٣s",
)  # fmt: skip

# JSON values that no library writes.
RAW = (
    "1e400", "-1e400", "-0", "-0.0", "1.5", "1.0", "1e3", "1E+2", "123456789012345678901234567890",
    "1e-400", "9007199254740993", "18446744073709551615", "18446744073709551616",
    "-9223372036854775809", "NaN", "Infinity", "-Infinity", "true", "null", "[]", "{}", "[[]]", '""',
    '"1.5"', '"1e2"', '" 1"', '"0x1"', '"NaN"', '"\\ud800"', '"\\udc00x"', '"\\u0000"', '"\\u202e"',
    "[" * 400 + "]" * 400, '{"a":' * 200 + "1" + "}" * 200, "01", "+1", "1.", ".5", "'x'", "tru",
    '{"a":1,"a":2}', "1" * 5_000, "\x00", '"\t"', "/* */1",
)  # fmt: skip

BOUNDS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
SMALL = (0, 1, 2, 3, 4, 7, 16, 17, 100, 1001)


def text(coin: Random) -> str:
    return LONG if coin.random() < 0.005 else coin.choice(TEXTS)


def number(field: FieldDescriptor, coin: Random) -> int:
    """Returns a number that the wire can encode, mostly a small one."""
    low, high = BOUNDS[field.cpp_type]
    if coin.random() < 0.7:
        return coin.choice(SMALL)
    return coin.choice((low, high, low + 1, high - 1, max(low, -1), min(high, 2**53), min(high, 2**53 + 1)))


def enumerated(field: FieldDescriptor, coin: Random) -> int:
    known = [value.number for value in field.enum_type.values] if field.enum_type else [0]
    return coin.choice(known) if coin.random() < 0.8 else coin.choice((99, -1, 2**31 - 1, -(2**31)))


def scalar(field: FieldDescriptor, coin: Random) -> Any:
    if field.enum_type is not None:
        return enumerated(field, coin)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return coin.randbytes(coin.choice((0, 1, 32, 64, 65, 300)))
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return text(coin)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return coin.random() < 0.5
    return number(field, coin)
