"""The REST transport: routes from the google.api.http annotations of the contract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

from google.api import annotations_pb2, http_pb2
from google.protobuf.message import Message
from starlette.types import Receive, Scope, Send

from gamehost.api.pipeline.call import Call
from gamehost.api.pipeline.dispatch import Dispatch, Method, log
from gamehost.api.pipeline.status import RpcError, internal, method_not_found, status_of
from gamehost.api.transports.event_stream import CURSOR, LAST_EVENT_ID, RESUME_FIELD, EventStream, framing
from gamehost.api.transports.http import (
    JSON,
    ClientGone,
    header,
    peer,
    read_body,
    respond_error,
)
from gamehost.api.transports.whole_response import headers, respond_at_once
from gamehost.codec.encoded import write_json
from gamehost.play.errors import InvalidRequest, Unavailable

from . import json_read, query
from .path_template import Template, split_verb, template

RESPONSE_HEADERS = headers(
    (b"content-type", JSON.encode()),
    (b"x-content-type-options", b"nosniff"),
    # Not to be stored by caches: it may contain seat tokens, or what only this caller may see.
    (b"cache-control", b"no-store"),
)


@dataclass(frozen=True)
class RestRoute:
    """One HTTP binding of a method; `body` is "*", the name of a field, or empty."""

    method: Method
    verb: str
    template: Template
    body: str

    @property
    def key(self) -> tuple[str, str, int]:
        """The part of a path that all its requests share, unless a variable spans several segments."""
        return self.verb, self.template.verb, self.template.slashes


class RestApp:
    """The ASGI application of all REST paths."""

    def __init__(self, dispatch: Dispatch) -> None:
        self.dispatch = dispatch
        self.routes = [route for method in dispatch.methods.values() for route in routes_of(method)]
        # By HTTP method, custom verb and number of slashes: one or two routes are left to be matched instead
        # of fifty, which saves 10 µs for a path in the middle.
        self._routes = {
            key: [route for route in self.routes if route.key == key]
            for key in {route.key for route in self.routes}
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            route, variables = self._find_or_count(scope)
            await self._serve(route, variables, scope, receive, send)
        except RpcError as error:
            await respond_error(send, error)
        except (InvalidRequest, Unavailable) as error:
            await respond_error(send, RpcError(status_of(error)))
        except ClientGone:
            return
        except Exception:
            log.exception("error in the REST transport")
            await respond_error(send, RpcError(internal()))

    def _find_or_count(self, scope: Scope) -> tuple[RestRoute, dict[str, str]]:
        """Finds the route; counts unknown paths against the rate limits, as the dispatch counts rpcs."""
        try:
            return self.find(scope)
        except RpcError:
            self.dispatch.count(peer(scope))
            raise

    async def _body_or_count(self, scope: Scope, receive: Receive) -> bytes:
        """Returns the body; a body that is too large never reaches the dispatch and is counted here."""
        try:
            with self.dispatch.drain_deadline.limit():
                return await read_body(scope, receive)
        except RpcError as too_large:
            try:
                self.dispatch.count(peer(scope))
            except RpcError as exceeded:  # the rest of the body is still unread, so this closes as well
                raise RpcError(exceeded.status, exceeded.http, **too_large.headers) from None
            raise

    def find(self, scope: Scope) -> tuple[RestRoute, dict[str, str]]:
        """Returns the route and its path variables; raises RpcError with 404, or 405."""
        path, verb = split_verb(raw_path(scope))
        for route in self._routes.get((scope["method"], verb, path.count("/")), ()):
            if (variables := route.template.match(path, verb)) is not None:
                return route, variables
        allowed = []
        for route in self.routes:
            variables = route.template.match(path, verb)
            if variables is not None and route.verb == scope["method"]:
                return route, variables
            if variables is not None:
                allowed.append(route.verb)
        missing = method_not_found(f"{scope['method']} {scope['path']}")
        raise RpcError(missing, 405, Allow=", ".join(allowed)) if allowed else RpcError(missing, 404)

    async def _serve(
        self, route: RestRoute, variables: dict[str, str], scope: Scope, receive: Receive, send: Send
    ) -> None:
        body = await self._body_or_count(scope, receive)
        read = partial(request_of, route, variables, scope, body)
        call = Call(
            authorization=header(scope, b"authorization"),
            transport="rest",
            peer=peer(scope),
            traceparent=header(scope, b"traceparent"),
        )
        if route.method.streams:
            frame = framing(header(scope, b"accept") or "")
            messages = self.dispatch.stream(route.method, read, call)
            return await EventStream(frame, send, receive).run(messages)
        body = await self.dispatch.unary(route.method, read, call, write_json)
        return await respond_at_once(scope, send, RESPONSE_HEADERS, body)


def routes_of(method: Method) -> Iterator[RestRoute]:
    """Yields the HTTP bindings of a method, the additional ones included."""
    annotation = method.descriptor.GetOptions().Extensions[annotations_pb2.http]
    for binding in (annotation, *annotation.additional_bindings):
        verb = binding.WhichOneof("pattern")
        if verb is not None:
            yield RestRoute(method, http_verb(binding), template(http_path(binding)), binding.body)


def http_verb(binding: http_pb2.HttpRule) -> str:
    return binding.custom.kind if binding.HasField("custom") else str(binding.WhichOneof("pattern")).upper()


def http_path(binding: http_pb2.HttpRule) -> str:
    if binding.response_body:
        raise ValueError("response_body is not supported")
    path: str = (
        binding.custom.path
        if binding.HasField("custom")
        else getattr(binding, str(binding.WhichOneof("pattern")))
    )
    return path


def raw_path(scope: Scope) -> str:
    """Returns the undecoded path; test clients may send the decoded one only."""
    # Latin-1 maps each byte to one character, so nothing is lost before the segments are decoded.
    raw: bytes | None = scope.get("raw_path")
    return raw.decode("latin-1") if raw is not None else quote(scope["path"], safe="/:")


def request_of(route: RestRoute, variables: dict[str, str], scope: Scope, body: bytes) -> Message:
    """Merges body, query and path into one JSON value and reads the request message from it."""
    value = body_value(route, scope, body) if route.body else {}
    descriptor = route.method.descriptor.input_type
    from_path: dict[str, Any] = {}
    for name, text in variables.items():
        query.put_text(from_path, descriptor, name, text)
    for name, text in query.query_pairs(scope["query_string"]) if scope["query_string"] else ():
        put_parameter(route, value, name, text)
    resume(route, value, scope)
    merge(value, from_path, "", descriptor)
    return json_read.read_message(route.method.request, value)


def body_value(route: RestRoute, scope: Scope, body: bytes) -> dict[str, Any]:
    check_body_headers(scope)
    if not body:
        raise InvalidRequest(json_read.BODY, "must be a JSON object, but is empty")
    value = json_read.parse_json(body)
    if route.body != "*":
        return {route.body: value}
    if not isinstance(value, dict):
        raise InvalidRequest(json_read.BODY, "must be an object")
    return value


def check_body_headers(scope: Scope) -> None:
    media_type = (header(scope, b"content-type") or "").partition(";")[0].strip().lower()
    # Pages of other origins cannot send this type without a CORS preflight, which a form would avoid.
    if media_type != JSON:
        raise RpcError(status_of(InvalidRequest("Content-Type", f"must be {JSON}")), 415)
    if (header(scope, b"content-encoding") or "identity").lower() != "identity":
        raise RpcError(status_of(InvalidRequest("Content-Encoding", "must be identity")), 415)


def put_parameter(route: RestRoute, value: dict[str, Any], name: str, text: str) -> None:
    """Sets a query parameter; raises InvalidRequest for fields that belong in the path or the body."""
    path = query.field_path(route.method.descriptor.input_type, name)
    if route.body == "*":
        raise InvalidRequest(query.dotted(path), "belongs in the body, not in the query")
    if query.dotted(path) in route.template.variables or path[0].name == route.body:
        raise InvalidRequest(query.dotted(path), "is not a query parameter")
    query.put_text(value, route.method.descriptor.input_type, name, text)


def resume(route: RestRoute, value: dict[str, Any], scope: Scope) -> None:
    """Continues a stream after the event in the Last-Event-ID header."""
    # A browser that reconnects repeats its original URL. The header is newer than a cursor in the query and
    # replaces it.
    seen = header(scope, LAST_EVENT_ID)
    fields = route.method.descriptor.input_type.fields_by_name
    if seen and route.method.streams and CURSOR in fields:
        value[CURSOR] = seen
    elif seen and route.method.streams and RESUME_FIELD in fields:
        if not json_read.INTEGER.fullmatch(seen):
            raise InvalidRequest("Last-Event-ID", "must be a version")
        value[RESUME_FIELD] = seen


def merge(value: dict[str, Any], from_path: dict[str, Any], prefix: str, descriptor: Any) -> None:
    """Adds the variables of the path; raises InvalidRequest if the body has another value for one of them."""
    for name, item in from_path.items():
        here = json_read.joined(prefix, name)
        field = descriptor.fields_by_name[name]
        key = field.json_name if field.json_name in value else name
        if isinstance(item, dict):
            merge(value.setdefault(key, {}), item, here, field.message_type)
        elif value.setdefault(key, item) != item:
            raise InvalidRequest(here, "differs from the path")
