"""The Connect and gRPC-Web transports, on top of connectrpc. No other module imports that package."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from connectrpc.code import Code
from connectrpc.codec import Codec
from connectrpc.errors import ConnectError
from connectrpc.interceptor import MetadataInterceptor
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf.message import Message
from google.rpc import code_pb2, status_pb2
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse
from protobuf.wkt import Any as ConnectAny
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from gamehost.api.pipeline import metrics
from gamehost.api.pipeline.call import Call, Read
from gamehost.api.pipeline.dispatch import MAX_REQUEST_BYTES, Dispatch, Method, read_binary
from gamehost.api.pipeline.status import (
    RpcError,
    code_name,
    method_not_found,
    status,
    status_of,
    too_large_status,
)
from gamehost.codec.encoded import serialize, write_json
from gamehost.play.errors import InvalidRequest

from .connect_unary import (
    UnaryFormat,
    content_type_of_plain_call,
    is_whole_body,
    receive_again,
    unary_format,
)
from .grpc_web_text import is_grpc_web_text, serve_text
from .http import ClientGone, decodes_as_utf8, header, peer, respond_error
from .reflection import METHOD_NAME, Reflection
from .rest import json_read
from .whole_response import respond_at_once

ConnectContext = RequestContext[Any, Any]

CONNECT_CODES = {number: Code[name] for name, number in code_pb2.Code.items() if name in Code.__members__}
CONNECT_CODES[code_pb2.CANCELLED] = Code.CANCELED

IDEMPOTENCY = {
    0: IdempotencyLevel.UNKNOWN,
    1: IdempotencyLevel.NO_SIDE_EFFECTS,
    2: IdempotencyLevel.IDEMPOTENT,
}


# connectrpc also accepts native gRPC, which needs HTTP/2 trailers. uvicorn cannot send trailers, so such a
# call would fail halfway; it is refused with 415 before connectrpc sees it.
GRPC = "application/grpc"
MEDIA_TYPES = (
    "must be application/json, application/proto, application/grpc-web, application/grpc-web-text "
    "or application/connect+json"
)
READ_MAX_BYTES = 4 * MAX_REQUEST_BYTES
SERVER_FAULTS = {Code.INTERNAL, Code.UNKNOWN}
CLIENT_ENDED = {Code.CANCELED, Code.DEADLINE_EXCEEDED}  # the caller disconnected, or its deadline passed


# The error of a call that was served without connectrpc, for connectrpc to write. Each request has a task of
# its own, and so a context of its own.
FAILED: ContextVar[status_pb2.Status | None] = ContextVar("failed", default=None)


class UndecodedCodec(Codec[Message, Any]):
    """Passes requests on undecoded. The dispatch decodes them, so errors are the same on every transport."""

    def __init__(
        self, name: str, read: Callable[[type[Message], bytes], Message], write: Callable[[Any], bytes]
    ) -> None:
        self._name, self._read, self._write = name, read, write

    def name(self) -> str:
        return self._name

    def encode(self, message: Any) -> bytes:
        # The dispatch has written the response of a unary call already.
        return message if isinstance(message, bytes) else self._write(message)

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        return UndecodedRequest(partial(self._read, message_class, bytes(data)), self._write)


@dataclass(frozen=True, slots=True)
class UndecodedRequest:
    """A request that the dispatch decodes, and how the response is written in the same format."""

    read: Read
    write: Callable[[Any], bytes]


def read_json(kind: type[Message], data: bytes) -> Message:
    """Returns the message that a JSON body represents; raises RpcError if the body is too large."""
    if len(data) > MAX_REQUEST_BYTES:
        raise RpcError(too_large_status(MAX_REQUEST_BYTES), 413)
    return json_read.read_message(kind, json_read.parse_json(data))


PLAIN_FORMATS = {
    each.content_type: each
    for each in (
        unary_format(b"application/proto", read_binary, serialize),
        unary_format(b"application/json", read_json, write_json),
    )
}


class ConnectService(ConnectASGIApplication[Dispatch]):
    """The ASGI app of one service."""

    def __init__(self, dispatch: Dispatch, service: str) -> None:
        self._path, self._dispatch = f"/{service}", dispatch
        self.methods = [method for method in dispatch.methods.values() if method.service == service]
        super().__init__(
            service=dispatch,
            endpoints=self._endpoints_of,
            # Wider than the limit of the dispatch, so that most requests that are too large reach it and get
            # its typed error. This limit bounds what connectrpc decompresses.
            read_max_bytes=READ_MAX_BYTES,
            codecs=[
                UndecodedCodec("proto", read_binary, serialize),
                UndecodedCodec("json", read_json, write_json),
            ],
            interceptors=[TypedErrors(dispatch)],
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses the requests that connectrpc cannot handle, and passes on the others."""
        # connectrpc decodes header values as UTF-8 and fails on other bytes.
        if not all(decodes_as_utf8(value) for _, value in scope["headers"]):
            problem = InvalidRequest("headers", "must be UTF-8")
            await self._refuse(scope, send, RpcError(status_of(problem)))
        elif is_grpc(header(scope, b"content-type") or ""):
            await self._refuse(scope, send, error_for_status(415, scope))
        elif is_grpc_web_text(scope):
            await self._serve_text(scope, receive, send)
        elif plain := PLAIN_FORMATS.get(content_type_of_plain_call(scope) or b""):
            await self._serve_plain(plain, scope, receive, send)
        else:
            await self._serve(scope, receive, send)

    async def _serve_plain(self, plain: UnaryFormat, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a plain unary call without connectrpc, which writes the response only if the call fails."""
        method, received = self._dispatch.methods.get(scope["path"]), await receive()
        again = receive_again(received, receive)
        if method is None or method.streams or not is_whole_body(received, READ_MAX_BYTES):
            await self._serve(scope, again, send)
            return
        call = Call(
            authorization=header(scope, b"authorization"),
            transport="connect",
            peer=peer(scope),
            traceparent=header(scope, b"traceparent"),
        )
        read = partial(plain.read, method.request, received.get("body", b""))
        try:
            body = await self._dispatch.unary(method, read, call, plain.write)
        except RpcError as error:
            FAILED.set(error.status)
            await self._serve(scope, again, send)
            return
        await respond_at_once(scope, send, plain.headers, body)

    async def _serve_text(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await serve_text(self._serve, scope, receive, send)
        except RpcError as error:
            await self._refuse(scope, send, error)
        except ClientGone:
            return

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Replaces the 404, 405 and 415 responses of connectrpc, which have no body, by typed errors."""
        replaced = False

        async def typed_send(message: AsgiMessage) -> None:
            nonlocal replaced
            if message.get("status", 200) >= 400 and b"content-type" not in dict(message["headers"]):
                replaced = True
                headers = {name.decode().title(): value.decode() for name, value in message["headers"]}
                await self._refuse(scope, send, error_for_status(message["status"], scope, **headers))
            elif not replaced:  # the empty body that follows a replaced response is dropped
                await send(message)

        await super().__call__(cast(Any, scope), cast(Any, receive), cast(Any, typed_send))

    async def _refuse(self, scope: Scope, send: Send, error: RpcError) -> None:
        if scope["method"] != "OPTIONS":  # which PageLimit has counted
            error = error_or_limit(self._dispatch, peer(scope), error)
        count(scope["path"].rpartition("/")[2], error)
        await respond_error(send, error)

    @property
    def path(self) -> str:
        return self._path

    def _endpoints_of(self, dispatch: Dispatch) -> Mapping[str, Any]:
        return {method.path: endpoint(dispatch, method) for method in self.methods}


class ReflectionService(ConnectService):
    """The ASGI app of server reflection, version v1 or v1alpha.

    Over HTTP/1.1 a client sends all its questions before it reads the answers.
    """

    def __init__(self, dispatch: Dispatch, service: str) -> None:
        self._reflection = Reflection(dispatch)
        super().__init__(dispatch, service)

    def _endpoints_of(self, _dispatch: Dispatch) -> Mapping[str, Any]:
        info: MethodInfo[Any, Any] = MethodInfo(
            name=METHOD_NAME,
            service_name=self._path[1:],
            input=ServerReflectionRequest,
            output=ServerReflectionResponse,
            idempotency_level=IdempotencyLevel.UNKNOWN,
            stream_type=StreamType.BIDI_STREAM,
        )
        return {f"{self._path}/{METHOD_NAME}": Endpoint.bidi_stream(info, cast(Any, self._reflect))}

    async def _reflect(
        self, requests: AsyncIterator[UndecodedRequest], context: ConnectContext
    ) -> AsyncIterator[Message]:
        try:
            decoded = (request.read() async for request in requests)
            async for answer in self._reflection.answers(decoded, context.client_address or ""):
                yield answer
        except InvalidRequest as error:
            raise connect_error(status_of(error)) from None
        except RpcError as error:
            raise connect_error(error.status) from None


class TypedErrors(MetadataInterceptor[None]):
    """Adds details to errors that connectrpc itself raises for requests that it cannot decompress or frame.

    connectrpc reports some malformed requests as server faults. They are reported as invalid requests here.
    """

    def __init__(self, dispatch: Dispatch) -> None:
        self._dispatch = dispatch

    async def on_start(self, _context: ConnectContext) -> None:
        return None

    async def on_end(self, _token: None, context: ConnectContext, error: Exception | None, /) -> None:
        # Errors that have details come from the dispatch, which has counted them.
        if not isinstance(error, ConnectError) or error.details or error.code in CLIENT_ENDED:
            return
        refusal = RpcError(typed_status(error))
        refusal = error_or_limit(self._dispatch, context.client_address or "", refusal)
        count(context.method.name, refusal)
        raise connect_error(refusal.status) from error


def typed_status(error: ConnectError) -> status_pb2.Status:
    """Returns the status, with details, for an error that connectrpc raised itself."""
    if error.code is Code.RESOURCE_EXHAUSTED:
        return too_large_status(MAX_REQUEST_BYTES)
    status = status_of(InvalidRequest("body", error.message))
    if error.code not in SERVER_FAULTS:
        status.code = code_pb2.Code.Value(error.code.name)
    return status


def is_grpc(content_type: str) -> bool:
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type == GRPC or media_type.startswith(f"{GRPC}+")


def error_for_status(status: int, scope: Scope, **headers: str) -> RpcError:
    """Returns the typed error for a bare HTTP status of connectrpc."""
    if status == 415:
        return RpcError(status_of(InvalidRequest("Content-Type", MEDIA_TYPES)), 415, **headers)
    return RpcError(method_not_found(f"{scope['method']} {scope['path']}"), status, **headers)


def error_or_limit(dispatch: Dispatch, peer: str, error: RpcError) -> RpcError:
    """Counts a request that does not reach the dispatch; returns `error`, or that of an exceeded limit."""
    try:
        dispatch.count(peer)
    except RpcError as exceeded:
        return exceeded
    return error


def count(method: str, error: RpcError) -> None:
    """Records the metrics of an error response that is sent without reaching the dispatch."""
    metrics.refused(method, error.reason)
    metrics.CALLS.labels(method, "connect", code_name(error.status)).inc()


def endpoint(dispatch: Dispatch, method: Method) -> Any:
    """Returns the connectrpc endpoint that calls `method` through the dispatch."""
    if method.streams_requests:
        return Endpoint.bidi_stream(
            method_info(method), cast(Any, partial(refuse_request_stream, dispatch, method))
        )
    if method.streams:
        return Endpoint.server_stream(method_info(method), cast(Any, partial(serve_stream, dispatch, method)))
    return Endpoint.unary(method_info(method), cast(Any, partial(serve_unary, dispatch, method)))


def method_info(method: Method) -> MethodInfo[Any, Any]:
    return MethodInfo(
        name=method.name,
        service_name=method.service,
        input=method.request,
        output=method.response,
        idempotency_level=IDEMPOTENCY[method.descriptor.GetOptions().idempotency_level],
        stream_type=stream_type(method),
    )


def stream_type(method: Method) -> StreamType:
    if method.streams_requests:
        return StreamType.BIDI_STREAM
    return StreamType.SERVER_STREAM if method.streams else StreamType.UNARY


async def refuse_request_stream(
    dispatch: Dispatch, method: Method, _requests: object, context: ConnectContext
) -> AsyncIterator[Message]:
    """Refuses an rpc with a stream of requests: uvicorn serves HTTP/1.1, over which it cannot run."""
    error = RpcError(
        status(
            code_pb2.UNIMPLEMENTED,
            "METHOD_NOT_FOUND",
            f"{method.name} is available over gRPC only; call PlayAction over this transport",
        )
    )
    error = error_or_limit(dispatch, context.client_address or "", error)
    count(method.name, error)
    raise connect_error(error.status)
    yield  # makes this a generator, as connectrpc expects


async def serve_unary(
    dispatch: Dispatch, method: Method, request: UndecodedRequest, context: ConnectContext
) -> bytes:
    if (failed := FAILED.get()) is not None:
        raise connect_error(failed)
    try:
        return await dispatch.unary(method, request.read, connect_call(context), request.write)
    except RpcError as error:
        raise connect_error(error.status) from None


async def serve_stream(
    dispatch: Dispatch, method: Method, request: UndecodedRequest, context: ConnectContext
) -> AsyncIterator[Message]:
    try:
        async with aclosing(
            cast(Any, dispatch.stream(method, request.read, connect_call(context)))
        ) as messages:
            async for message in messages:
                yield message
                del message  # the next one may take long; do not keep this one in memory until then
    except RpcError as error:
        raise connect_error(error.status) from None


def connect_call(context: ConnectContext) -> Call:
    return Call(
        authorization=context.request_headers.get("authorization"),
        transport="connect",
        peer=context.client_address or "",
        traceparent=context.request_headers.get("traceparent"),
    )


def connect_error(status: status_pb2.Status) -> ConnectError:
    """Returns the same error for connectrpc, which accepts details only as its own Any type."""
    details = [ConnectAny(type_url=detail.type_url, value=detail.value) for detail in status.details]
    return ConnectError(CONNECT_CODES[status.code], status.message, details)
