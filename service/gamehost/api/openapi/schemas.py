"""JSON schemas of the contract's messages, with the limits that the contract states."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor

from buf.validate import validate_pb2
from gamehost.api.transports.rest.json_read import RANGES, is_map

from .comments import comments

Schema = dict[str, Any]

WELL_KNOWN: dict[str, Schema] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?s$"},
}
LIMITS = {
    "gte": "minimum",
    "gt": "exclusiveMinimum",
    "lte": "maximum",
    "lt": "exclusiveMaximum",
    "min_len": "minLength",
    "max_len": "maxLength",
    "max_bytes": "maxLength",
    "pattern": "pattern",
}
SCALARS: dict[int, Schema] = {
    FieldDescriptor.CPPTYPE_STRING: {"type": "string"},
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "format": "uint32", "minimum": 0},
    FieldDescriptor.CPPTYPE_INT64: {"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": "string", "format": "uint64", "pattern": "^[0-9]{1,20}$"},
    FieldDescriptor.CPPTYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptor.CPPTYPE_DOUBLE: {"type": "number", "format": "double"},
}


def schemas(outward: Iterable[Descriptor], inward: Iterable[Descriptor]) -> dict[str, Schema]:
    """Every message and enum within reach; those that callers send allow no unknown field."""
    closed = {kind.full_name for kind in reachable(inward)}
    found: dict[str, Schema] = {}
    for kind in reachable((*outward, *inward)):
        if isinstance(kind, EnumDescriptor):
            found[kind.full_name] = enum_schema(kind)
        else:
            found[kind.full_name] = message_schema(kind, closed=kind.full_name in closed)
    return dict(sorted(found.items()))


def reachable(roots: Iterable[Descriptor | EnumDescriptor]) -> Iterator[Descriptor | EnumDescriptor]:
    seen: set[str] = set()
    waiting = list(roots)
    while waiting:
        kind = waiting.pop()
        if kind.full_name in seen or kind.full_name in WELL_KNOWN:
            continue
        seen.add(kind.full_name)
        if isinstance(kind, EnumDescriptor):
            yield kind
            continue
        if not kind.GetOptions().map_entry:
            yield kind
        waiting += [
            part for field in kind.fields if (part := field.message_type or field.enum_type) is not None
        ]


def message_schema(message: Descriptor, *, closed: bool, without: Collection[str] = ()) -> Schema:
    fields = [field for field in message.fields if field.name not in without]
    schema: Schema = {
        "type": "object",
        "properties": {field.json_name: field_schema(field) for field in fields},
    }
    required = [field.json_name for field in fields if is_required(field)]
    choices = [choice(one_of) for one_of in message.oneofs if not is_presence(one_of)]
    return without_nothing(
        {
            "description": comments().get(message.full_name, ""),
            **schema,
            "required": required,
            "allOf": choices,
            "additionalProperties": False if closed else None,
        }
    )


def without_nothing(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if value not in (None, "", []) or value is False}


def is_presence(one_of: OneofDescriptor) -> bool:
    """Whether the compiler made it for an `optional` field."""
    return len(one_of.fields) == 1 and one_of.name == f"_{one_of.fields[0].name}"


def choice(one_of: OneofDescriptor) -> Schema:
    """At most one of the cases, or exactly one."""
    cases: list[Schema] = [{"required": [field.json_name]} for field in one_of.fields]
    required = one_of.GetOptions().Extensions[validate_pb2.oneof].required
    return {"oneOf": cases if required else [*cases, {"not": {"anyOf": list(cases)}}]}


def enum_schema(enum: EnumDescriptor) -> Schema:
    meanings = [
        f"- `{value.name}`: {meaning}"
        for value in enum.values
        if (meaning := comments().get(f"{enum.full_name}.{value.name}"))
    ]
    description = "\n".join([comments().get(enum.full_name, ""), *meanings])
    return {"description": description, "type": "string", "enum": [value.name for value in enum.values]}


def field_schema(field: FieldDescriptor) -> Schema:
    schema = value_schema(field)
    if is_map(field):
        value = cast(Descriptor, field.message_type).fields_by_name["value"]
        schema = {"type": "object", "additionalProperties": value_schema(value)}
    elif field.is_repeated:
        schema = {"type": "array", "items": schema}
    description = comments().get(field.full_name)
    return {"description": description, **schema} if description else schema


def value_schema(field: FieldDescriptor) -> Schema:
    kind = field.message_type or field.enum_type
    if kind is not None:
        return WELL_KNOWN.get(kind.full_name) or {"$ref": f"#/components/schemas/{kind.full_name}"}
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "contentEncoding": "base64"}
    schema = {**SCALARS[field.cpp_type], **limits(field)}
    if schema["type"] == "integer":
        schema.setdefault("minimum", RANGES[field.cpp_type][0])
        schema.setdefault("maximum", RANGES[field.cpp_type][-1])
    return schema


def limits(field: FieldDescriptor) -> Schema:
    """A 64-bit number is a string in JSON, where numeric limits have no place."""
    rules = validation_rules(field)
    if rules is None or field.cpp_type in (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64):
        return {}
    return {LIMITS[rule.name]: value for rule, value in rules.ListFields() if rule.name in LIMITS}


def validation_rules(field: FieldDescriptor) -> Any:
    constraints = field.GetOptions().Extensions[validate_pb2.field]
    kind = constraints.WhichOneof("type")
    return getattr(constraints, kind) if kind else None


def is_required(field: FieldDescriptor) -> bool:
    """Whether leaving it out breaks one of its own rules."""
    if field.GetOptions().Extensions[validate_pb2.field].required:
        return True
    rules = validation_rules(field)
    if rules is None or field.has_presence or field.is_repeated:
        return False
    given = {rule.name: value for rule, value in rules.ListFields()}
    return (
        given.get("min_len", 0) > 0
        or ("pattern" in given and not re.search(given["pattern"], ""))
        or (field.enum_type is not None and 0 in given.get("not_in", ()))
    )
