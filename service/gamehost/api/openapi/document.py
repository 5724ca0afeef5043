"""Builds the OpenAPI 3.1 document of the REST paths from the contract and its comments.

Nothing is written by hand, so the document cannot differ from what the service accepts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.rpc import error_details_pb2

from gamehost.api.pipeline.dispatch import Dispatch, Method
from gamehost.api.transports.event_stream import CURSOR, JSON_LINES, RESUME_FIELD, SERVER_SENT_EVENTS
from gamehost.api.transports.http import JSON
from gamehost.api.transports.rest.query import is_text
from gamehost.api.transports.rest.routes import RestRoute, routes_of
from shedu.v1 import error_reason_pb2, game_pb2

from .comments import comments
from .examples import example_of, examples
from .schemas import Schema, field_schema, message_schema, must_be_sent, schemas
from .webhooks import EVENT, webhooks

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
        "description": "The `seatToken` that JoinGame returned. Without it the caller is a spectator.",
    },
    "identity": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API key `shedu_key_…` or a JWT, if the service requires an identity.",
    },
}


def document(dispatch: Dispatch) -> dict[str, Any]:
    """The OpenAPI document of the services of the dispatch."""
    methods = [method for method in dispatch.methods.values() if list(routes_of(method))]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Shedu",
            "version": "v1",
            "summary": "Board games as a service.",
            "description": "\n\n".join(comment_of(service.full_name) for service in dispatch.services),
            "contact": {"name": "The developers of Shedu"},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"seatToken": []}, {"identity": []}],
        "tags": [
            {"name": service.name, "description": comment_of(service.full_name)}
            for service in dispatch.services
        ],
        "paths": paths(methods),
        "webhooks": webhooks(),
        "components": components(methods),
    }


def comment_of(full_name: str) -> str:
    return comments().get(full_name, "")


def paths(methods: list[Method]) -> dict[str, Any]:
    """The path items: an operation for every REST route of the methods."""
    found: dict[str, Any] = {}
    for method in methods:
        for route in routes_of(method):
            found.setdefault(documented_path(route), {})[route.verb.lower()] = operation(route)
    return found


def documented_path(route: RestRoute) -> str:
    """The path with variables in camel case, as names are spelled in queries and bodies."""
    path = route.template.text
    fields = route.method.descriptor.input_type.fields_by_name
    for name in route.template.variables:
        path = path.replace(f"{{{name}}}", f"{{{fields[name].json_name}}}")
    return path


def operation(route: RestRoute) -> dict[str, Any]:
    """The operation of a route. Its summary is the first sentence of the rpc's comment."""
    method = route.method
    text = comment_of(method.descriptor.full_name)
    found: dict[str, Any] = {
        "operationId": method.name,
        "tags": [method.descriptor.containing_service.name],
        "summary": text.partition(". ")[0].partition("\n")[0].rstrip("."),
        "description": text,
        "parameters": list(parameters(route)),
        "responses": responses(method),
    }
    if route.body:
        schema = message_schema(
            method.descriptor.input_type, must_be_sent, closed=True, without=route.template.variables
        )
        content = {"schema": schema, "example": body_example(route)}
        found["requestBody"] = {"required": True, "content": {JSON: content}}
    return found


def body_example(route: RestRoute) -> dict[str, Any]:
    """The recorded request without what stands in the path."""
    fields = route.method.descriptor.input_type.fields_by_name
    in_path = {fields[name].json_name for name in route.template.variables}
    recorded: dict[str, Any] = example_of(route.method.name, "request") or {}
    return {name: value for name, value in recorded.items() if name not in in_path}


def parameters(route: RestRoute) -> Iterator[dict[str, Any]]:
    """Path parameters, query parameters unless there is a body, and the header to resume a stream."""
    request = route.method.descriptor.input_type
    sent: dict[str, Any] = example_of(route.method.name, "request") or {}
    for name in route.template.variables:
        field = request.fields_by_name[name]
        yield parameter("path", field.json_name, field, sent, required=True)
    if not route.body:
        for name, field in query_fields(request, ""):
            if field.full_name.removeprefix(f"{request.full_name}.") not in route.template.variables:
                yield parameter("query", name, field, sent, required=must_be_sent(field))
    for resume, pattern in ((RESUME_FIELD, "^[0-9]{1,19}$"), (CURSOR, "^[A-Za-z0-9_-]*$")):
        if route.method.streams and resume in request.fields_by_name:
            schema: Schema = {"type": "string", "pattern": pattern}
            name = request.fields_by_name[resume].json_name
            text = f"The last id received. It has the meaning of `{name}` and takes precedence over it."
            yield {"name": "Last-Event-ID", "in": "header", "description": text, "schema": schema}


def query_fields(message: Descriptor, prefix: str) -> Iterator[tuple[str, FieldDescriptor]]:
    """The fields that can be query parameters, with dotted names for fields of submessages."""
    for field in message.fields:
        if is_text(field):
            yield prefix + field.json_name, field
        elif not field.is_repeated and field.message_type is not None:
            yield from query_fields(field.message_type, f"{prefix}{field.json_name}.")


def parameter(
    location: str, name: str, field: FieldDescriptor, sent: dict[str, Any], *, required: bool
) -> dict[str, Any]:
    """A path or query parameter, with its value in the recorded request `sent`."""
    schema = field_schema(field)
    # A parameter has its description beside its schema, not in it.
    description = schema.pop("description", "")
    found: dict[str, Any] = {"name": name, "in": location, "schema": schema}
    if required:
        found["required"] = True
    if name in sent:
        found["example"] = sent[name]
    return {**found, "description": description} if description else found


def responses(method: Method) -> dict[str, Any]:
    """The responses of a method; streams come as server-sent events or as JSON lines."""
    schema = {"$ref": f"#/components/schemas/{method.response.DESCRIPTOR.full_name}"}
    content: dict[str, Any] = {JSON: {"schema": schema, "example": example_of(method.name, "response")}}
    if method.streams:
        line = {"type": "string", "contentMediaType": JSON, "contentSchema": schema}
        content = {
            SERVER_SENT_EVENTS: {"schema": event_schema(method, line), "example": event_example(method)},
            JSON_LINES: {"schema": line, "example": line_example(method)},
        }
    return {
        "200": {
            "description": comment_of(method.response.DESCRIPTOR.full_name) or "Success.",
            "content": content,
        },
        "4XX": {"$ref": "#/components/responses/Refused"},
        "5XX": {"$ref": "#/components/responses/Failed"},
    }


def line_example(method: Method) -> str:
    return json.dumps(example_of(method.name, "response"), separators=(",", ":"))


def event_example(method: Method) -> dict[str, Any]:
    """The recorded message as an event, as `event_stream` sends it."""
    message: dict[str, Any] = example_of(method.name, "response") or {}
    cases = [field for one_of in method.descriptor.output_type.oneofs for field in one_of.fields]
    names = [field.name for field in cases if field.json_name in message]
    return {"event": names[0] if names else "error", "data": line_example(method)}


def event_schema(method: Method, data: Schema) -> Schema:
    """The schema of one server-sent event. Its id is a version, or a cursor if messages have one."""
    cases = [field.name for one_of in method.descriptor.output_type.oneofs for field in one_of.fields]
    names = {"type": "string", "enum": [*cases, "error"]}
    pattern = "^[A-Za-z0-9_-]*$" if CURSOR in method.descriptor.output_type.fields_by_name else "^[0-9]+$"
    properties = {"event": names, "id": {"type": "string", "pattern": pattern}, "data": data}
    return {"type": "object", "properties": properties, "required": ["event", "data"]}


def components(methods: list[Method]) -> dict[str, Any]:
    """The shared schemas and responses, and the security schemes."""
    output_types = [*(method.descriptor.output_type for method in methods), EVENT]
    # A request is described inline, because its path variables are left out there. Only its parts are shared.
    input_types = [
        field.message_type
        for method in methods
        for field in method.descriptor.input_type.fields
        if field.message_type is not None
    ]
    found = schemas((*output_types, *DETAILS, *enums_of(methods)), input_types, [game_pb2.Action.DESCRIPTOR])
    for detail in DETAILS:
        found[detail.full_name] = packed(detail, found[detail.full_name])
    found["google.rpc.ErrorInfo"]["properties"]["reason"] |= {"description": reasons()}
    error = {"schema": {"$ref": "#/components/schemas/Error"}}
    refused, failed = (
        {JSON: {**error, "example": examples()["errors"][name]}} for name in ("Refused", "Failed")
    )
    return {
        "schemas": {**found, "Error": error_schema()},
        "responses": {
            "Refused": {"description": "The request is refused.", "content": refused},
            "Failed": {"description": "The service failed to answer.", "content": failed},
        },
        "securitySchemes": SECURITY,
    }


def enums_of(methods: list[Method]) -> list[Any]:
    """The enums of request fields, which inline schemas of requests and parameters refer to."""
    fields = [field for method in methods for field in method.descriptor.input_type.fields]
    return [field.enum_type for field in fields if field.enum_type is not None]


def reasons() -> str:
    """The error reasons with their comments, as a list."""
    enum = error_reason_pb2.ErrorReason.DESCRIPTOR
    lines = [
        f"- `{value.name.removeprefix('ERROR_REASON_')}`: {comment_of(f'{enum.full_name}.{value.name}')}"
        for value in enum.values[1:]
    ]
    return "\n".join(["One of these, or a reason of the title if its rules refuse the action:", *lines])


def error_schema() -> Schema:
    """The schema of the error body, see `status.error_body`."""
    inner = {
        "code": {"type": "integer", "description": "The HTTP status."},
        "message": {"type": "string"},
        "status": {"type": "string", "description": "The google.rpc.Code, e.g. `ABORTED`."},
        "details": {"type": "array", "items": detail_schema()},
    }
    body = {"type": "object", "properties": inner, "required": list(inner)}
    return {
        "description": "An error. Its first detail is always an ErrorInfo.",
        "type": "object",
        "properties": {"error": body},
        "required": ["error"],
    }


def detail_schema() -> Schema:
    """The schema of an error detail: one of the messages, which `@type` tells apart."""
    references = {type_url(detail): f"#/components/schemas/{detail.full_name}" for detail in DETAILS}
    return {
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "@type", "mapping": references},
    }


def packed(detail: Descriptor, schema: Schema) -> Schema:
    """The schema of a message that is packed in Any, which JSON marks with `@type`."""
    return {
        **schema,
        "properties": {"@type": {"type": "string", "const": type_url(detail)}, **schema["properties"]},
        "required": ["@type", *schema.get("required", ())],
    }


def type_url(detail: Descriptor) -> str:
    return f"type.googleapis.com/{detail.full_name}"
