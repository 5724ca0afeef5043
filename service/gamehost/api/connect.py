"""Connect and gRPC-Web, by connectrpc; nothing else imports that package."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any, cast

from connectrpc.code import Code
from connectrpc.codec import Codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf.message import Message
from google.rpc import code_pb2, status_pb2
from protobuf.wkt import Any as ConnectAny
from starlette.types import Receive, Scope, Send

from gamehost.play.errors import InvalidRequest

from . import json_print, json_text
from .call import Call
from .dispatch import MAX_REQUEST_BYTES, Dispatch, Method, Read, read_binary
from .http import respond_error
from .status import RpcError, status_of, too_large

Context = RequestContext[Any, Any]

CODES = {number: Code[name] for name, number in code_pb2.Code.items() if name in Code.__members__}
CODES[code_pb2.CANCELLED] = Code.CANCELED

IDEMPOTENCY = {
    0: IdempotencyLevel.UNKNOWN,
    1: IdempotencyLevel.NO_SIDE_EFFECTS,
    2: IdempotencyLevel.IDEMPOTENT,
}


class Unread(Codec[Message, Any]):
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
    return json_text.read(kind, json_text.parse(data))


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
            codecs=[Unread("proto", read_binary, write_binary), Unread("json", read_json, json_print.write)],
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The package takes it for granted that headers are UTF-8."""
        if all(is_utf8(value) for _, value in scope["headers"]):
            await super().__call__(cast(Any, scope), cast(Any, receive), cast(Any, send))
        else:
            problem = InvalidRequest("headers", "must be UTF-8")
            await respond_error(send, RpcError(status_of(problem)))

    @property
    def path(self) -> str:
        return self._path

    def _endpoints_of(self, dispatch: Dispatch) -> Mapping[str, Any]:
        return {method.path: endpoint(dispatch, method) for method in self.methods}


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
        return await dispatch.unary(method, read, call_of(context))
    except RpcError as error:
        raise connect_error(error.status) from None


async def serve_stream(
    dispatch: Dispatch, method: Method, read: Read, context: Context
) -> AsyncIterator[Message]:
    try:
        async with aclosing(cast(Any, dispatch.stream(method, read, call_of(context)))) as messages:
            async for message in messages:
                yield message
                del message  # it may be long until the next one
    except RpcError as error:
        raise connect_error(error.status) from None


def call_of(context: Context) -> Call:
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
