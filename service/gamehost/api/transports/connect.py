"""Connect and gRPC-Web, by connectrpc; nothing else imports that package."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
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
from protobuf.wkt import Any as ConnectAny
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from gamehost.api.pipeline import metrics
from gamehost.api.pipeline.call import Call
from gamehost.api.pipeline.dispatch import MAX_REQUEST_BYTES, Dispatch, Method, Read, read_binary
from gamehost.api.pipeline.status import RpcError, code_name, method_not_found, status_of, too_large
from gamehost.play.errors import InvalidRequest

from .http import header, respond_error
from .rest import json_read, json_write

Context = RequestContext[Any, Any]

CODES = {number: Code[name] for name, number in code_pb2.Code.items() if name in Code.__members__}
CODES[code_pb2.CANCELLED] = Code.CANCELED

IDEMPOTENCY = {
    0: IdempotencyLevel.UNKNOWN,
    1: IdempotencyLevel.NO_SIDE_EFFECTS,
    2: IdempotencyLevel.IDEMPOTENT,
}


# The package would serve gRPC proper, which needs HTTP/2 trailers: uvicorn has none, and it fails.
GRPC = "application/grpc"
MEDIA_TYPES = "must be application/json, application/proto, application/grpc-web or application/connect+json"
FAULTS = {Code.INTERNAL, Code.UNKNOWN}
ENDS = {Code.CANCELED, Code.DEADLINE_EXCEEDED}  # the caller has gone, or its time is up


class UndecodedCodec(Codec[Message, Any]):
    """Hands requests on undecoded: the dispatch reads them, with the same errors everywhere."""

    def __init__(
        self, name: str, read: Callable[[type[Message], bytes], Message], write: Callable[[Message], bytes]
    ) -> None:
        self._name, self._read, self._write = name, read, write

    def name(self) -> str:
        return self._name

    def encode(self, message: Message) -> bytes:
        return self._write(message)

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        return partial(self._read, message_class, bytes(data))


def read_json(kind: type[Message], data: bytes) -> Message:
    if len(data) > MAX_REQUEST_BYTES:
        raise RpcError(too_large(MAX_REQUEST_BYTES), 413)
    return json_read.read(kind, json_read.parse(data))


def write_binary(message: Message) -> bytes:
    return message.SerializeToString()


class ConnectService(ConnectASGIApplication[Dispatch]):
    """The ASGI app of one service."""

    def __init__(self, dispatch: Dispatch, service: str) -> None:
        self._path = f"/{service}"
        self.methods = [method for method in dispatch.methods.values() if method.service == service]
        super().__init__(
            service=dispatch,
            endpoints=self._endpoints_of,
            read_max_bytes=4 * MAX_REQUEST_BYTES,
            codecs=[
                UndecodedCodec("proto", read_binary, write_binary),
                UndecodedCodec("json", read_json, json_write.write),
            ],
            interceptors=[TypedErrors()],
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The package takes it for granted that headers are UTF-8, and that trailers can be sent."""
        if not all(is_utf8(value) for _, value in scope["headers"]):
            problem = InvalidRequest("headers", "must be UTF-8")
            await self._refuse(scope, send, RpcError(status_of(problem)))
        elif is_grpc(header(scope, b"content-type") or ""):
            await self._refuse(scope, send, bare_error(415, scope))
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The package sends 404, 405 and 415 without a body: a typed error is sent instead."""
        bare: dict[str, int] = {}

        async def typed_send(message: AsgiMessage) -> None:
            if message.get("status", 200) >= 400 and b"content-type" not in dict(message["headers"]):
                bare["status"] = message["status"]
                headers = {name.decode().title(): value.decode() for name, value in message["headers"]}
                await self._refuse(scope, send, bare_error(message["status"], scope, **headers))
            elif not bare:
                await send(message)

        await super().__call__(cast(Any, scope), cast(Any, receive), cast(Any, typed_send))

    async def _refuse(self, scope: Scope, send: Send, error: RpcError) -> None:
        count(scope["path"].rpartition("/")[2], error)
        await respond_error(send, error)

    @property
    def path(self) -> str:
        return self._path

    def _endpoints_of(self, dispatch: Dispatch) -> Mapping[str, Any]:
        return {method.path: endpoint(dispatch, method) for method in self.methods}


class TypedErrors(MetadataInterceptor[None]):
    """Gives details to the package's own errors, about what it could not unpack or split into messages.

    It takes some requests that it cannot read for faults of the server; those are the client's.
    """

    async def on_start(self, _context: Context) -> None:
        return None

    async def on_end(self, _token: None, context: Context, error: Exception | None, /) -> None:
        if not isinstance(error, ConnectError) or error.details or error.code in ENDS:
            return
        answer = typed(error)
        count(context.method.name, RpcError(answer))
        raise connect_error(answer) from error


def typed(error: ConnectError) -> status_pb2.Status:
    if error.code is Code.RESOURCE_EXHAUSTED:
        return too_large(MAX_REQUEST_BYTES)
    answer = status_of(InvalidRequest("body", error.message))
    if error.code not in FAULTS:
        answer.code = code_pb2.Code.Value(error.code.name)
    return answer


def is_grpc(content_type: str) -> bool:
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type == GRPC or media_type.startswith(f"{GRPC}+")


def bare_error(status: int, scope: Scope, **headers: str) -> RpcError:
    if status == 415:
        return RpcError(status_of(InvalidRequest("Content-Type", MEDIA_TYPES)), 415, **headers)
    return RpcError(method_not_found(f"{scope['method']} {scope['path']}"), status, **headers)


def count(method: str, error: RpcError) -> None:
    """An answer that is given before the dispatch, counted here in its stead."""
    metrics.refused(method, error.reason)
    metrics.CALLS.labels(method, "connect", code_name(error.status)).inc()


def is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def endpoint(dispatch: Dispatch, method: Method) -> Any:
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
        stream_type=StreamType.SERVER_STREAM if method.streams else StreamType.UNARY,
    )


async def serve_unary(dispatch: Dispatch, method: Method, read: Read, context: Context) -> Message:
    try:
        return await dispatch.unary(method, read, connect_call(context))
    except RpcError as error:
        raise connect_error(error.status) from None


async def serve_stream(
    dispatch: Dispatch, method: Method, read: Read, context: Context
) -> AsyncIterator[Message]:
    try:
        async with aclosing(cast(Any, dispatch.stream(method, read, connect_call(context)))) as messages:
            async for message in messages:
                yield message
                del message  # it may be long until the next one
    except RpcError as error:
        raise connect_error(error.status) from None


def connect_call(context: Context) -> Call:
    return Call(
        authorization=context.request_headers.get("authorization"),
        transport="connect",
        peer=context.client_address or "",
        traceparent=context.request_headers.get("traceparent"),
    )


def connect_error(answer: status_pb2.Status) -> ConnectError:
    """Details travel in connectrpc's own Any: it takes no other kind of message."""
    details = [ConnectAny(type_url=detail.type_url, value=detail.value) for detail in answer.details]
    return ConnectError(CODES[answer.code], answer.message, details)
