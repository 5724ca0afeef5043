"""What json_format prints, worked out once for each kind of message instead of for each message."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from functools import cache
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

Show = Callable[[Any], Any]

WIDE = (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64)
ODD = (*WIDE, FieldDescriptor.CPPTYPE_FLOAT, FieldDescriptor.CPPTYPE_DOUBLE)


def write(message: Message) -> bytes:
    """Prints zero values too, so that a reader need not know the defaults."""
    descriptor: Any = message.DESCRIPTOR
    shown = printer(descriptor)(message)
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()


@cache
def printer(descriptor: Descriptor) -> Show:
    if descriptor.full_name == "google.protobuf.Timestamp":
        return lambda message: message.ToJsonString()
    if descriptor.file.package.startswith("google."):
        return whatever
    fields = [
        (field.name, field.json_name, field.has_presence, of_field(field)) for field in descriptor.fields
    ]

    def show(message: Any) -> dict[str, Any]:
        shown = {}
        for name, json_name, has_presence, show_field in fields:
            if not has_presence or message.HasField(name):
                value = getattr(message, name)
                shown[json_name] = value if show_field is None else show_field(value)
        return shown

    return show


def of_field(field: FieldDescriptor) -> Show | None:
    """None where the value is shown as it is."""
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        each = of_value(kind.fields_by_name["value"]) or same
        return lambda items: {str(key): each(item) for key, item in items.items()}
    show = of_value(field)
    if field.is_repeated:
        return list if show is None else lambda items: [show(item) for item in items]
    return show


def of_value(field: FieldDescriptor) -> Show | None:
    if (kind := field.message_type) is not None:
        return lambda message: printer(kind)(message)
    if field.enum_type is not None:
        names = {number: value.name for number, value in field.enum_type.values_by_number.items()}
        return lambda number: names.get(number, number)
    if field.cpp_type in WIDE:
        return str
    if field.type == FieldDescriptor.TYPE_BYTES:
        return lambda data: base64.b64encode(data).decode()
    if field.cpp_type in ODD:
        raise TypeError(f"{field.full_name}: the contract has no fractions")
    return None


def same(value: Any) -> Any:
    return value


def whatever(message: Message) -> Any:
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
