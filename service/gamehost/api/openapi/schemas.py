"""JSON schemas of the messages of the contract, with the limits of its validation rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import product
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor

from gamehost.api.transports.rest.json_read import RANGES, is_map

from .buf.validate import validate_pb2
from .comments import comments

Schema = dict[str, Any]

WELL_KNOWN: dict[str, Schema] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?s$"},
    "google.protobuf.FieldMask": {"type": "string", "pattern": "^[A-Za-z0-9.,*]*$"},
}
# The JSON Schema keywords of buf.validate rules.
LIMIT_KEYWORDS = {
    "gte": "minimum",
    "gt": "exclusiveMinimum",
    "lte": "maximum",
    "lt": "exclusiveMaximum",
    "min_len": "minLength",
    "max_len": "maxLength",
    "max_bytes": "maxLength",
    "pattern": "pattern",
}
# As ProtoJSON writes them: 64-bit integers are strings, because JavaScript numbers are exact up to 2 ** 53
# only.
SCALAR_SCHEMAS: dict[int, Schema] = {
    FieldDescriptor.CPPTYPE_STRING: {"type": "string"},
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "format": "uint32", "minimum": 0},
    FieldDescriptor.CPPTYPE_INT64: {"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": "string", "format": "uint64", "pattern": "^[0-9]{1,20}$"},
    FieldDescriptor.CPPTYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptor.CPPTYPE_DOUBLE: {"type": "number", "format": "double"},
}

# Fields with presence that every response has. Fields that a read mask can leave out are not among them.
ALWAYS_SET = {
    *(
        f"shedu.v1.{rpc}Response.game"
        for rpc in (
            *(
                "CreateGame",
                "GetGame",
                "JoinGame",
                "LeaveGame",
                "StartGame",
                "AddBot",
                "Resign",
                "ReclaimSeat",
            ),
            *("ForkGame", "Rematch", "RevokeSeatTokens"),
        )
    ),
    *(f"shedu.v1.{rpc}Response.view" for rpc in ("ProposeUndo", "ProposeAbandon", "AnswerProposal")),
    "shedu.v1.GetTitleResponse.title",
    "shedu.v1.GetFairnessResponse.fairness",
    "shedu.v1.LegalAction.action",
    "shedu.v1.LegalAction.text",
    "shedu.v1.Event.event_time",
    "shedu.v1.GameFinished.outcome",
    "shedu.v1.GameCreated.options",
}


def schemas(
    output_types: Iterable[Descriptor], input_types: Iterable[Descriptor], whole_types: Iterable[Descriptor]
) -> dict[str, Schema]:
    """The schemas of all reachable messages and enums.

    Messages that callers send allow no unknown field, since the service refuses those. Messages that it
    returns do: a later version may add fields. Fields that a response always has are required, and so are
    those of `whole_types`, which callers send as they received them. Of other messages that are both sent and
    returned, only the fields are required that a request must have.
    """
    sent = {kind.full_name for kind in reachable(input_types)}
    partial = sent - {kind.full_name for kind in reachable(whole_types)}
    found: dict[str, Schema] = {}
    for kind in reachable((*output_types, *input_types)):
        name = kind.full_name
        if isinstance(kind, EnumDescriptor):
            found[name] = enum_schema(kind)
        else:
            is_required = must_be_sent if name in partial else is_always_present
            found[name] = message_schema(kind, is_required, closed=name in sent)
    return dict(sorted(found.items()))


def reachable(roots: Iterable[Descriptor | EnumDescriptor]) -> Iterator[Descriptor | EnumDescriptor]:
    """Yields the roots and all messages and enums that their fields refer to, each once."""
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
        if not kind.GetOptions().map_entry:  # made by the compiler for map fields; JSON does not show it
            yield kind
        waiting += [
            part for field in kind.fields if (part := field.message_type or field.enum_type) is not None
        ]


def message_schema(
    message: Descriptor,
    is_required: Callable[[FieldDescriptor], bool],
    *,
    closed: bool,
    without: Collection[str] = (),
) -> Schema:
    """The schema of a message; `closed` forbids unknown fields, and fields in `without` are left out.

    A message with a oneof is a `oneOf` of whole objects, each with one case as a required property. Code
    generators make a union of types from it, in which that property tells the cases apart.
    """
    unions = [one_of for one_of in message.oneofs if not is_presence(one_of)]
    cases = {case.name for one_of in unions for case in one_of.fields}
    common = [field for field in message.fields if field.name not in {*cases, *without}]
    variants = [
        variant_facts(message, unions, chosen, closed) | object_schema(common, chosen, is_required, closed)
        for chosen in product(*(cases_of(one_of) for one_of in unions))
    ]
    schema = {"oneOf": variants} if unions else variants[0]
    return without_empty_values({"description": comments().get(message.full_name, ""), **schema})


def object_schema(
    common: Iterable[FieldDescriptor],
    chosen: Iterable[FieldDescriptor | None],
    is_required: Callable[[FieldDescriptor], bool],
    closed: bool,
) -> Schema:
    """The schema of an object with the common fields and the chosen cases of its oneofs."""
    cases = [case for case in chosen if case is not None]
    fields = sorted([*common, *cases], key=lambda field: field.index)
    required = [field.json_name for field in fields if field in cases or is_required(field)]
    return without_empty_values(
        {
            "type": "object",
            "properties": {field.json_name: field_schema(field) for field in fields},
            "required": required,
            "additionalProperties": False if closed else None,
        }
    )


def cases_of(one_of: OneofDescriptor) -> list[FieldDescriptor | None]:
    """The cases of a oneof, and None if it may have none."""
    required = one_of.GetOptions().Extensions[validate_pb2.oneof].required
    return [*one_of.fields] if required else [*one_of.fields, None]


def variant_facts(
    message: Descriptor,
    unions: Iterable[OneofDescriptor],
    chosen: Collection[FieldDescriptor | None],
    closed: bool,
) -> Schema:
    """The title of a variant, from which generators make the name of a class.

    The variant without a case excludes all cases, so that exactly one variant matches.
    """
    absent = [
        field.json_name
        for one_of, case in zip(unions, chosen, strict=True)
        if case is None
        for field in one_of.fields
    ]
    if not chosen:
        return {}
    names = ("none" if case is None else case.json_name for case in chosen)
    title = {"title": ".".join((message.full_name, *names))}
    if not absent:
        return title
    facts: Schema = {**title, "description": "None of the other cases, or one that a later release added."}
    # A closed object has no other property anyway.
    return facts if closed else {**facts, "propertyNames": {"not": {"enum": absent}}}


def without_empty_values(schema: Schema) -> Schema:
    # An object without fields keeps its `properties`, which some generators expect.
    return {key: value for key, value in schema.items() if value not in (None, "", []) or value is False}


def is_presence(one_of: OneofDescriptor) -> bool:
    """Whether the compiler made this oneof for an `optional` field."""
    return len(one_of.fields) == 1 and one_of.name == f"_{one_of.fields[0].name}"


def enum_schema(enum: EnumDescriptor) -> Schema:
    """The schema of an enum, whose description lists the meanings of its values."""
    meanings = [
        f"- `{value.name}`: {meaning}"
        for value in enum.values
        if (meaning := comments().get(f"{enum.full_name}.{value.name}"))
    ]
    description = "\n".join([comments().get(enum.full_name, ""), *meanings])
    return {"description": description, "type": "string", "enum": [value.name for value in enum.values]}


def field_schema(field: FieldDescriptor) -> Schema:
    """The schema of a field with its comment: a value, a list or a map."""
    schema = value_schema(field)
    if is_map(field):
        value = cast(Descriptor, field.message_type).fields_by_name["value"]
        schema = {"type": "object", "additionalProperties": value_schema(value)}
    elif field.is_repeated:
        schema = {"type": "array", "items": schema}
    description = comments().get(field.full_name)
    return {"description": description, **schema} if description else schema


def value_schema(field: FieldDescriptor) -> Schema:
    """The schema of one value of a field."""
    kind = field.message_type or field.enum_type
    if kind is not None:
        return WELL_KNOWN.get(kind.full_name) or {"$ref": f"#/components/schemas/{kind.full_name}"}
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "contentEncoding": "base64"}
    schema = {**SCALAR_SCHEMAS[field.cpp_type], **limits(field)}
    if schema["type"] == "integer":  # validators know no int32: without bounds they would allow any number
        bounds = RANGES[field.cpp_type]
        if "exclusiveMinimum" not in schema:
            schema.setdefault("minimum", bounds[0])
        if "exclusiveMaximum" not in schema:
            schema.setdefault("maximum", bounds[-1])
    return schema


def limits(field: FieldDescriptor) -> Schema:
    """The limits that the contract sets for a field; none for 64-bit integers, which are strings in JSON."""
    rules = validation_rules(field)
    if rules is None or field.cpp_type in (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64):
        return {}
    return {
        LIMIT_KEYWORDS[rule.name]: value for rule, value in rules.ListFields() if rule.name in LIMIT_KEYWORDS
    }


def validation_rules(field: FieldDescriptor) -> Any:
    """The buf.validate rules for the type of a field, such as StringRules; None without any."""
    constraints = field.GetOptions().Extensions[validate_pb2.field]
    kind = constraints.WhichOneof("type")
    return getattr(constraints, kind) if kind else None


def is_always_present(field: FieldDescriptor) -> bool:
    """Whether a response always has the field: JSON shows fields without presence also if they are empty."""
    return not field.has_presence or field.full_name in ALWAYS_SET or must_be_sent(field)


def must_be_sent(field: FieldDescriptor) -> bool:
    """Whether a request without the field breaks one of its rules.

    Fields without presence are validated with their default value, so a rule that the default breaks makes
    the field required.
    """
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
