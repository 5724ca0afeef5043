"""The OpenAPI 3.1 document of the REST paths, from the contract and its comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.rpc import error_details_pb2

from gamehost.api.pipeline.dispatch import Dispatch, Method
from gamehost.api.transports.event_stream import CURSOR, JSON_LINES, RESUME_FIELD, SERVER_SENT_EVENTS
from gamehost.api.transports.http import JSON
from gamehost.api.transports.rest.query import is_text
from gamehost.api.transports.rest.routes import RestRoute, routes_of
from shedu.v1 import error_reason_pb2

from .comments import comments
from .schemas import Schema, field_schema, is_required, message_schema, schemas

DETAILS: tuple[Descriptor, ...] = (
    error_details_pb2.ErrorInfo.DESCRIPTOR,
    error_details_pb2.BadRequest.DESCRIPTOR,
    error_details_pb2.RetryInfo.DESCRIPTOR,
    error_details_pb2.QuotaFailure.DESCRIPTOR,
    error_reason_pb2.MissedEvents.DESCRIPTOR,
)
SECURITY = {
    "seatToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "The `seatToken` of JoinGame. Without it the caller is a spectator.",
    },
    "identity": {
        "type": "http",
        "scheme": "bearer",
        "description": "Where the service asks for one: an API key `shedu_key_…`, or an issuer's JWT.",
    },
}


def document(dispatch: Dispatch) -> dict[str, Any]:
    methods = list(dispatch.methods.values())
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Shedu",
            "version": "v1",
            "summary": "Board games as a service.",
            "description": "\n\n".join(described(service.full_name) for service in dispatch.services),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"seatToken": []}, {"identity": []}],
        "tags": [
            {"name": service.name, "description": described(service.full_name)}
            for service in dispatch.services
        ],
        "paths": paths(methods),
        "components": components(methods),
    }


def described(full_name: str) -> str:
    return comments().get(full_name, "")


def paths(methods: list[Method]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for method in methods:
        for rule in routes_of(method):
            found.setdefault(rule.template.text, {})[rule.verb.lower()] = operation(rule)
    return found


def operation(rule: RestRoute) -> dict[str, Any]:
    method = rule.method
    text = described(method.descriptor.full_name)
    found: dict[str, Any] = {
        "operationId": method.name,
        "tags": [method.descriptor.containing_service.name],
        "summary": text.partition(". ")[0].partition("\n")[0].rstrip("."),
        "description": text,
        "parameters": list(parameters(rule)),
        "responses": responses(method),
    }
    if rule.body:
        schema = message_schema(method.descriptor.input_type, closed=True, without=rule.template.variables)
        found["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}}}
    return found


def parameters(rule: RestRoute) -> Iterator[dict[str, Any]]:
    request = rule.method.descriptor.input_type
    for name in rule.template.variables:
        yield parameter("path", name, request.fields_by_name[name], required=True)
    if not rule.body:
        for name, field in query_fields(request, ""):
            if field.full_name.removeprefix(f"{request.full_name}.") not in rule.template.variables:
                yield parameter("query", name, field, required=is_required(field))
    for resume, pattern in ((RESUME_FIELD, "^[0-9]{1,19}$"), (CURSOR, "^[A-Za-z0-9_-]*$")):
        if rule.method.streams and resume in request.fields_by_name:
            schema: Schema = {"type": "string", "pattern": pattern}
            name = request.fields_by_name[resume].json_name
            text = f"The last id seen; the same as `{name}`, and stronger."
            yield {"name": "Last-Event-ID", "in": "header", "description": text, "schema": schema}


def query_fields(message: Descriptor, prefix: str) -> Iterator[tuple[str, FieldDescriptor]]:
    for field in message.fields:
        if is_text(field):
            yield prefix + field.json_name, field
        elif not field.is_repeated and field.message_type is not None:
            yield from query_fields(field.message_type, f"{prefix}{field.json_name}.")


def parameter(place: str, name: str, field: FieldDescriptor, *, required: bool) -> dict[str, Any]:
    schema = field_schema(field)
    description = schema.pop("description", "")
    found: dict[str, Any] = {"name": name, "in": place, "schema": schema}
    if required:
        found["required"] = True
    return {**found, "description": description} if description else found


def responses(method: Method) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{method.response.DESCRIPTOR.full_name}"}
    content: dict[str, Any] = {JSON: {"schema": schema}}
    if method.streams:
        line = {"type": "string", "contentMediaType": JSON, "contentSchema": schema}
        content = {SERVER_SENT_EVENTS: {"schema": event_schema(method, line)}, JSON_LINES: {"schema": line}}
    return {
        "200": {
            "description": described(method.response.DESCRIPTOR.full_name) or "Done.",
            "content": content,
        },
        "4XX": {"$ref": "#/components/responses/Refused"},
        "5XX": {"$ref": "#/components/responses/Failed"},
    }


def event_schema(method: Method, data: Schema) -> Schema:
    """One server-sent event, by its fields; the id is a version, or a cursor where messages have one."""
    cases = [field.name for one_of in method.descriptor.output_type.oneofs for field in one_of.fields]
    names = {"type": "string", "enum": [*cases, "error"]}
    pattern = "^[A-Za-z0-9_-]*$" if CURSOR in method.descriptor.output_type.fields_by_name else "^[0-9]+$"
    properties = {"event": names, "id": {"type": "string", "pattern": pattern}, "data": data}
    return {"type": "object", "properties": properties, "required": ["event", "data"]}


def components(methods: list[Method]) -> dict[str, Any]:
    outward = [method.descriptor.output_type for method in methods]
    # A request itself is shown where it is sent; only its parts are components.
    inward = [
        field.message_type
        for method in methods
        for field in method.descriptor.input_type.fields
        if field.message_type is not None
    ]
    found = schemas((*outward, *DETAILS, *enums_of(methods)), inward)
    found["google.rpc.ErrorInfo"]["properties"]["reason"] |= {"description": reasons()}
    error = {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        "schemas": {**found, "Error": error_schema()},
        "responses": {
            "Refused": {"description": "The call cannot be done as it is.", "content": error},
            "Failed": {"description": "The service cannot do it now.", "content": error},
        },
        "securitySchemes": SECURITY,
    }


def enums_of(methods: list[Method]) -> list[Any]:
    fields = [field for method in methods for field in method.descriptor.input_type.fields]
    return [field.enum_type for field in fields if field.enum_type is not None]


def reasons() -> str:
    enum = error_reason_pb2.ErrorReason.DESCRIPTOR
    lines = [
        f"- `{value.name.removeprefix('ERROR_REASON_')}`: {described(f'{enum.full_name}.{value.name}')}"
        for value in enum.values[1:]
    ]
    return "\n".join(["One of these, or the title's own when the rules refuse:", *lines])


def error_schema() -> Schema:
    inner = {
        "code": {"type": "integer", "description": "The HTTP status."},
        "message": {"type": "string"},
        "status": {"type": "string", "description": "The google.rpc.Code, e.g. `ABORTED`."},
        "details": {"type": "array", "items": {"anyOf": [detail_schema(detail) for detail in DETAILS]}},
    }
    body = {"type": "object", "properties": inner, "required": list(inner)}
    return {
        "description": "What went wrong. The first detail is always an ErrorInfo.",
        "type": "object",
        "properties": {"error": body},
        "required": ["error"],
    }


def detail_schema(detail: Descriptor) -> Schema:
    return {
        "$ref": f"#/components/schemas/{detail.full_name}",
        "properties": {"@type": {"const": f"type.googleapis.com/{detail.full_name}"}},
        "required": ["@type"],
    }
