"""Reads protobuf messages from JSON.

json_format is not used because it is lenient, and because its errors do not name the field in a form that can
be returned to a caller. Here every error is an InvalidRequest with the path of the field.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn, cast

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from gamehost.play.errors import InvalidRequest

BODY = "body"
# The JSON forms of well-known types, for error messages.
JSON_FORMS = {"google.protobuf.FieldMask": "must be names of fields in camelCase, separated by commas"}
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,19})", re.ASCII)
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)

RANGES = {
    FieldDescriptor.CPPTYPE_INT32: range(-(2**31), 2**31),
    FieldDescriptor.CPPTYPE_INT64: range(-(2**63), 2**63),
    FieldDescriptor.CPPTYPE_UINT32: range(2**32),
    FieldDescriptor.CPPTYPE_UINT64: range(2**64),
}


def parse_json(body: bytes) -> object:
    """Parses a body; raises InvalidRequest if it is not standard JSON.

    Unlike `json.loads` it refuses NaN, Infinity and duplicate keys.
    """
    try:
        return DECODER.decode(body.decode())
    except UnicodeDecodeError:
        raise InvalidRequest(BODY, "is not UTF-8") from None
    except RecursionError:  # a body of 64 KiB has room for 64,000 brackets
        raise InvalidRequest(BODY, "is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise InvalidRequest(BODY, f"is not JSON: {error.msg} at character {error.pos}") from None
    except ValueError:  # Python refuses to convert integers of more than 4300 digits
        raise InvalidRequest(BODY, "has a number with too many digits") from None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns the pairs as a dictionary; raises InvalidRequest if a key occurs twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in names if names.count(name) > 1)
        raise InvalidRequest(printable_name(duplicate), "is given twice")
    return found


def refuse_constant(name: str) -> NoReturn:
    raise InvalidRequest(BODY, f"is not JSON: {name}")


# `json.loads` would build a decoder with these hooks anew for each body, which takes as long as decoding it.
DECODER = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=refuse_constant)


def read_message(kind: type[Message], value: object) -> Message:
    """Returns the message for parsed JSON; fields may have their JSON or their protobuf names."""
    message = kind()
    fill(message, value, "")
    return message


def fill(message: Message, value: object, path: str) -> None:
    """Sets the fields of `message`; `path` is where it is in the request, for errors."""
    if not isinstance(value, dict):
        raise InvalidRequest(path or BODY, "must be an object")
    known, seen = known_fields(message.DESCRIPTOR), set()
    for name, item in value.items():
        field = known.get(name)
        if field is None:
            raise InvalidRequest(joined(path, printable_name(name)), "no such field")
        here = joined(path, field.name)
        if field.name in seen:
            raise InvalidRequest(here, "is given twice")  # once by each of its two names
        seen.add(field.name)
        if item is not None:
            if field.one_of is not None and message.WhichOneof(field.one_of) is not None:
                raise InvalidRequest(here, f"only one of {field.one_of} may be set")
            field.put(message, field.descriptor, item, here)


@cache
def fields_by_name(descriptor: Descriptor) -> dict[str, FieldDescriptor]:
    fields: Iterable[FieldDescriptor] = descriptor.fields
    return {name: field for field in fields for name in (field.name, field.json_name)}


@dataclass(frozen=True, slots=True)
class KnownField:
    """A field, and the function that sets it.

    Descriptors make a new object for each of their attributes. Reading what is needed of them once makes an
    action of three levels 30 µs cheaper.
    """

    descriptor: FieldDescriptor
    name: str
    one_of: str | None
    put: Callable[[Any, FieldDescriptor, object, str], None]


@cache
def known_fields(descriptor: Descriptor) -> dict[str, KnownField]:
    """Returns the fields of a message by their names and JSON names."""
    return {
        name: KnownField(
            field, field.name, field.containing_oneof.name if field.containing_oneof else None, put_of(field)
        )
        for name, field in fields_by_name(descriptor).items()
    }


def put_of(field: FieldDescriptor) -> Callable[[Any, FieldDescriptor, object, str], None]:
    """Returns the function that sets this field of a message."""
    if is_map(field):
        return put_map
    if field.is_repeated:
        return put_repeated
    return put_scalar if field.message_type is None else put_message


def put_message(message: Any, field: FieldDescriptor, item: object, path: str) -> None:
    part = getattr(message, field.name)
    part.SetInParent()  # an empty object sets the field too
    fill_message(part, item, path)


def put_scalar(message: Any, field: FieldDescriptor, item: object, path: str) -> None:
    setattr(message, field.name, scalar(field, item, path))


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def put_repeated(message: Any, field: FieldDescriptor, items: object, path: str) -> None:
    if not isinstance(items, list):
        raise InvalidRequest(path, "must be an array")
    target = getattr(message, field.name)
    for index, item in enumerate(items):
        here = f"{path}[{index}]"
        if field.message_type is not None:
            fill_message(target.add(), item, here)
        else:
            target.append(scalar(field, item, here))


def put_map(message: Any, field: FieldDescriptor, items: object, path: str) -> None:
    if not isinstance(items, dict):
        raise InvalidRequest(path, "must be an object")
    target = getattr(message, field.name)
    entry = cast(Descriptor, field.message_type).fields_by_name
    for name, item in items.items():
        here = f"{path}[{printable_name(name)}]"
        key = scalar(entry["key"], from_text(entry["key"], name), here)
        if entry["value"].message_type is not None:
            fill_message(target[key], item, here)
        else:
            target[key] = scalar(entry["value"], item, here)


def fill_message(message: Message, item: object, path: str) -> None:
    """Sets the fields of a message; well-known types, which have their own JSON forms, use json_format."""
    if not is_well_known(message.DESCRIPTOR):
        return fill(message, item, path)
    try:
        json_format.ParseDict(cast(Any, item), message)
    except (json_format.ParseError, ValueError, TypeError, AttributeError, OverflowError):
        kind = message.DESCRIPTOR.full_name
        raise InvalidRequest(path, JSON_FORMS.get(kind, f"is not a {kind}")) from None


@cache
def is_well_known(descriptor: Descriptor) -> bool:
    return descriptor.full_name.startswith("google.protobuf.")


def from_text(field: FieldDescriptor, text: str) -> object:
    """Returns the JSON value for a text from a query or a path; `scalar` checks it later."""
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL and text in ("true", "false"):
        return text == "true"
    if field.enum_type is not None and INTEGER.fullmatch(text):
        return int(text)
    return text


def scalar(field: FieldDescriptor, item: object, path: str) -> Any:
    return SCALAR_READERS[field.cpp_type](field, item, path)


def string(field: FieldDescriptor, item: object, path: str) -> str | bytes:
    if not isinstance(item, str):
        raise InvalidRequest(path, "must be a string")
    try:
        encoded = item.encode()
    except UnicodeEncodeError:  # JSON can escape them, UTF-8 and protobuf cannot hold them
        raise InvalidRequest(path, "contains an unpaired surrogate") from None
    return base64_bytes(encoded, path) if field.type == FieldDescriptor.TYPE_BYTES else item


def base64_bytes(encoded: bytes, path: str) -> bytes:
    """Decodes standard or URL-safe base64, with or without padding, as the JSON mapping requires."""
    try:
        standard = encoded.translate(bytes.maketrans(b"-_", b"+/")).rstrip(b"=")
        return base64.b64decode(standard + b"=" * (-len(standard) % 4), validate=True)
    except binascii.Error:
        raise InvalidRequest(path, "is not base64") from None


def boolean(_field: FieldDescriptor, item: object, path: str) -> bool:
    if not isinstance(item, bool):
        raise InvalidRequest(path, "must be true or false")
    return item


def integer(field: FieldDescriptor, item: object, path: str) -> int:
    """Accepts 5, "5" and 5.0, as the JSON mapping of protobuf does."""
    if isinstance(item, str) and INTEGER.fullmatch(item):
        item = int(item)
    if isinstance(item, float) and item.is_integer():
        item = int(item)
    if isinstance(item, bool) or not isinstance(item, int):  # bool is a subclass of int
        raise InvalidRequest(path, "must be a whole number")
    bounds = RANGES[field.cpp_type]
    if item not in bounds:
        raise InvalidRequest(path, f"must be from {bounds[0]} to {bounds[-1]}")
    return item


def real(_field: FieldDescriptor, item: object, path: str) -> float:
    if isinstance(item, str) and (NUMBER.fullmatch(item) or item in ("NaN", "Infinity", "-Infinity")):
        return float(item)
    if isinstance(item, bool) or not isinstance(item, int | float) or abs(item) > 1.8e308:
        raise InvalidRequest(path, "must be a number")
    return float(item)


@cache
def numbers_by_name(kind: EnumDescriptor) -> dict[str, int]:
    """Returns the numbers of an enum by name."""
    # The mapping of the descriptor itself raises UnicodeEncodeError for a key with an unpaired surrogate.
    return {name: int(value.number) for name, value in kind.values_by_name.items()}


def enumerated(field: FieldDescriptor, item: object, path: str) -> int:
    """Accepts the name of a value or any int32; unknown numbers are left to the validation."""
    kind = cast(EnumDescriptor, field.enum_type)
    known = numbers_by_name(kind)
    if isinstance(item, str) and item in known:
        return known[item]
    if (
        isinstance(item, bool)
        or not isinstance(item, int)
        or item not in RANGES[FieldDescriptor.CPPTYPE_INT32]
    ):
        raise InvalidRequest(path, f"is not a {kind.full_name}")
    return item


SCALAR_READERS: dict[int, Callable[[FieldDescriptor, object, str], Any]] = {
    FieldDescriptor.CPPTYPE_STRING: string,
    FieldDescriptor.CPPTYPE_BOOL: boolean,
    FieldDescriptor.CPPTYPE_INT32: integer,
    FieldDescriptor.CPPTYPE_INT64: integer,
    FieldDescriptor.CPPTYPE_UINT32: integer,
    FieldDescriptor.CPPTYPE_UINT64: integer,
    FieldDescriptor.CPPTYPE_FLOAT: real,
    FieldDescriptor.CPPTYPE_DOUBLE: real,
    FieldDescriptor.CPPTYPE_ENUM: enumerated,
}


def joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def printable_name(name: str) -> str:
    """Returns a caller's text in a form that is short and valid UTF-8, for an error message."""
    return name[:80].encode("utf-8", "replace").decode()
