"""The native gRPC server: the rpcs of the contract, the health service and reflection."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractContextManager, aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn, cast
from urllib.parse import unquote

import grpc
import grpc.aio
from google.rpc import status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

from gamehost.api.pipeline import metrics
from gamehost.api.pipeline.call import Call, Read
from gamehost.api.pipeline.dispatch import MAX_REQUEST_BYTES, Dispatch, Method, read_binary
from gamehost.api.pipeline.status import RpcError, code_name, method_not_found, status_of
from gamehost.codec.encoded import Answer, serialize
from gamehost.play.errors import InvalidRequest
from gamehost.play.interruption import TimeLimit

from .connections import ConnectionLimits
from .forwarding import FORWARDED_FOR, Proxies
from .grpc_handlers import GenericHandlers, KnownMethodHandler
from .port_sockets import PortSockets
from .reflection import METHOD_NAME, REFLECTION_NAMES, Reflection

GrpcContext = grpc.aio.ServicerContext[Any, Any]
EOF: Any = cast(Any, grpc.aio).EOF

GRPC_CODES = {code.value[0]: code for code in grpc.StatusCode}
STATUS_DETAILS = "grpc-status-details-bin"
# The gRPC core decompresses a whole request before it checks its size, so a small request could take much
# memory. This bitset of algorithms allows only uncompressed requests.
UNCOMPRESSED = 0b1
# Clients refuse more than 8 KiB of trailers. Base64 makes the details a third larger, and the other trailers
# need space too.
MAX_STATUS_BYTES = 5 * 1024


REPEAT_SECONDS = 0.05  # how long a serialised message is kept for further watchers


@dataclass(frozen=True)
class GrpcSettings:
    """Time-outs and limits of the gRPC port.

    Connections are closed at a certain age, so that clients reconnect and spread over new processes.
    `age_jitter` spreads the ages, so that they do not all reconnect at once.
    """

    write_seconds: float = 10.0
    connection_age_seconds: float = 450.0
    connection_grace_seconds: float = 30.0
    age_jitter: float = 0.33
    keepalive_seconds: float = 30.0
    max_metadata_bytes: int = 8 * 1024
    calls_per_connection: int = 2000
    connections: ConnectionLimits = field(default_factory=ConnectionLimits)


class GrpcServer:
    """The gRPC server of one process. Its health is NOT_SERVING until it is set."""

    def __init__(
        self, dispatch: Dispatch, settings: GrpcSettings | None = None, proxies: Proxies | None = None
    ) -> None:
        self.settings = settings or GrpcSettings()
        self.dispatch, self.proxies = dispatch, proxies or Proxies()
        self.connections = PortSockets(self.settings.connections, "grpc", self.proxies)
        self._request_time = TimeLimit(self.settings.connections.body_seconds)
        self._write_time = TimeLimit(self.settings.write_seconds)
        self._connection_checks: asyncio.Task[None] | None = None
        self.server = grpc.aio.server(options=channel_arguments(self.settings))
        self.health = LimitedHealth(self._stream_slot)
        self._health_handlers = GenericHandlers()
        health_pb2_grpc.add_HealthServicer_to_server(self.health, cast(Any, self._health_handlers))
        self.server.add_generic_rpc_handlers(
            (
                KnownMethodHandler(self._handlers()),
                *self._health_handlers.found,
                *self._reflections(),
                UnknownMethodHandler(self._count),
            )
        )

    def listen(self, address: str, credentials: grpc.ServerCredentials | None = None) -> int:
        """Binds the port, with TLS if credentials are given; returns its number, also for `host:0`."""
        if credentials is None:
            port = int(self.server.add_insecure_port(address))
        else:
            port = int(self.server.add_secure_port(address, credentials))
        self.connections.listen(port)
        return port

    async def start(self) -> None:
        await self.set_serving(False)
        await self.server.start()
        self._connection_checks = asyncio.create_task(self.connections.run())

    async def set_serving(self, serving: bool) -> None:
        """Sets the health of the process, whose service name is empty, and of its services."""
        await self.set_alive(serving)
        await self.set_ready(serving)

    async def set_alive(self, alive: bool) -> None:
        await self._set_health("", alive)

    async def set_ready(self, ready: bool) -> None:
        """Sets the health of the services only: a process may be alive while its store is not reachable."""
        for service in self.dispatch.services:
            await self._set_health(service.full_name, ready)

    async def _set_health(self, service: str, good: bool) -> None:
        state = health_pb2.HealthCheckResponse
        await self.health.set(service, state.SERVING if good else state.NOT_SERVING)

    async def stop(self, grace: float) -> None:
        await self.server.stop(grace)
        if self._connection_checks is not None:
            self._connection_checks.cancel()

    def _handlers(self) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:
        """Returns the handlers of the rpcs of all services by path."""
        return {path: self._handler(method) for path, method in self.dispatch.methods.items()}

    def _handler(self, method: Method) -> grpc.RpcMethodHandler[Any, Any]:
        """Returns the gRPC handler of an rpc.

        Requests stay bytes here: the dispatch decodes them, so that malformed ones get a typed error.
        """
        # Functions, not `partial` objects: gRPC asks for each call whether its handler is a coroutine
        # function, and takes twice as long to find that out of a partial object.
        # All handlers are registered with a stream of requests, although most rpcs have exactly one request.
        # gRPC calls such a handler before the request has arrived, so the handler can limit the time to wait
        # for it; a unary handler is called only when the request is complete. The cost is the same.
        if method.streams_requests:

            async def play_stream(_requests: object, context: GrpcContext) -> None:
                await self._play_stream(method, context)

            return grpc.stream_stream_rpc_method_handler(
                cast(Any, play_stream), response_serializer=serialize
            )
        if method.streams:

            async def stream(_requests: object, context: GrpcContext) -> None:
                await self._stream(method, context)

            return grpc.stream_stream_rpc_method_handler(
                cast(Any, stream), response_serializer=RepeatSerializer()
            )

        async def unary(_requests: object, context: GrpcContext) -> bytes:
            return await self._unary(method, context)

        return grpc.stream_unary_rpc_method_handler(cast(Any, unary))

    async def _unary(self, method: Method, context: GrpcContext) -> bytes:
        try:
            data, call = await self._request(method, context), grpc_call(context, self.proxies)
            with self.connections.active_call(peer_of(context.peer())):
                read = partial(read_binary, method.request, data)
                return await self.dispatch.unary(method, read, call, serialize)
        except RpcError as error:
            await abort(context, error)

    async def _stream(self, method: Method, context: GrpcContext) -> None:
        try:
            data, call = await self._request(method, context), grpc_call(context, self.proxies)
            messages = self.dispatch.stream(method, partial(read_binary, method.request, data), call)
            with self.connections.active_call(peer_of(context.peer())):
                async with aclosing(cast(Any, messages)):
                    await self._write_all(messages, context)
        except RpcError as error:
            await abort(context, error)

    async def _play_stream(self, method: Method, context: GrpcContext) -> None:
        async def requests() -> AsyncIterator[Read]:
            while (data := await context.read()) is not EOF:
                yield partial(read_binary, method.request, cast(bytes, data))

        try:
            messages = self.dispatch.play_stream(method, requests(), grpc_call(context, self.proxies))
            with self.connections.active_call(peer_of(context.peer())):
                async with aclosing(cast(Any, messages)):
                    await self._write_all(messages, context)
        except RpcError as error:
            await abort(context, error)

    async def _request(self, method: Method, context: GrpcContext) -> bytes:
        """Returns the request of a call; it must arrive in the time that an HTTP body may take."""
        try:
            with self._request_time.block():
                data = await context.read()
        except TimeoutError:
            raise self._refused(method, context, "did not arrive in time") from None
        if data is EOF:
            raise self._refused(method, context, "is missing")
        return cast(bytes, data)

    def _refused(self, method: Method, context: GrpcContext, why: str) -> RpcError:
        """Counts a call that never reaches the dispatch and returns its error, or that of a limit."""
        error = RpcError(status_of(InvalidRequest("body", why)))
        try:
            self._count(context)
        except RpcError as exceeded:
            error = exceeded
        metrics.refused(method.name, error.reason)
        metrics.CALLS.labels(method.name, "grpc", code_name(error.status)).inc()
        return error

    async def _write_all(self, messages: AsyncIterator[Answer], context: GrpcContext) -> None:
        """Sends all messages, and returns early if the client does not read."""
        async for message in messages:
            try:
                with self._write_time.block():
                    await context.write(message)
            except TimeoutError:
                # Such a call cannot be aborted: the status would queue behind the message that is not read.
                return
            del message  # the next one may take long; do not keep this one in memory until then

    def _count(self, context: GrpcContext) -> None:
        self.dispatch.count(grpc_call(context, self.proxies).peer)

    def _stream_slot(self, context: GrpcContext) -> AbstractContextManager[None]:
        return self.dispatch.unnamed_stream(grpc_call(context, self.proxies).peer)

    def _reflections(self) -> list[grpc.GenericRpcHandler[Any, Any]]:
        reflection = Reflection(self.dispatch)

        async def reflect(requests: AsyncIterator[Any], context: GrpcContext) -> AsyncIterator[Any]:
            try:
                async for answer in reflection.answers(requests, grpc_call(context, self.proxies).peer):
                    yield answer
            except RpcError as error:
                await abort(context, error)

        handler: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(
            cast(Any, reflect),
            request_deserializer=ServerReflectionRequest.FromString,
            response_serializer=ServerReflectionResponse.SerializeToString,
        )
        return [
            grpc.method_handlers_generic_handler(name, {METHOD_NAME: handler}) for name in REFLECTION_NAMES
        ]


class LimitedHealth(cast(Any, health).aio.HealthServicer):  # type: ignore[misc]
    """The health service, whose Watch holds a `stream_slot` of its address for as long as it lasts.

    Check is never limited: a refused probe would make Kubernetes restart a healthy process.
    """

    def __init__(self, stream_slot: Callable[[GrpcContext], AbstractContextManager[None]]) -> None:
        super().__init__()
        self._stream_slot = stream_slot

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: GrpcContext) -> None:
        try:
            with self._stream_slot(context):
                await super().Watch(request, context)
        except RpcError as error:
            await abort(context, error)


class UnknownMethodHandler(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    """Responds to unknown methods with a typed error. `count` raises RpcError if a limit is exceeded."""

    def __init__(self, count: Callable[[GrpcContext], None]) -> None:
        self._count = count

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        name = handler_call_details.method

        async def refuse(_requests: object, context: GrpcContext) -> None:
            try:
                self._count(context)
            except RpcError as error:
                await abort(context, error)
            await abort(context, RpcError(method_not_found(name)))

        return grpc.stream_stream_rpc_method_handler(cast(Any, refuse))


def channel_arguments(settings: GrpcSettings) -> list[tuple[str, int]]:
    """Returns the channel arguments of the gRPC core."""
    limits = settings.connections
    age = settings.connection_age_seconds * random.uniform(1 - settings.age_jitter, 1 + settings.age_jitter)
    return [
        ("grpc.so_reuseport", 1),
        # Wider than the limit of the dispatch, whose error is typed and names the limit.
        ("grpc.max_receive_message_length", 4 * MAX_REQUEST_BYTES),
        ("grpc.max_metadata_size", settings.max_metadata_bytes),
        # A client queues further calls instead of getting an error. Hence this is wider than the limit of
        # streams per caller, whose error is typed and which must leave room for unary calls.
        ("grpc.max_concurrent_streams", settings.calls_per_connection),
        ("grpc.compression_enabled_algorithms_bitset", UNCOMPRESSED),
        ("grpc.absolute_max_metadata_size", settings.max_metadata_bytes),
        ("grpc.max_connection_age_ms", int(age * 1000)),
        ("grpc.max_connection_age_grace_ms", int(settings.connection_grace_seconds * 1000)),
        ("grpc.keepalive_time_ms", int(settings.keepalive_seconds * 1000)),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        # From the opening of a connection to the client's SETTINGS frame. The default is 120 seconds.
        ("grpc.server_handshake_timeout_ms", int(limits.head_seconds * 1000)),
        # Since the end of the last call. The default is unlimited.
        ("grpc.max_connection_idle_ms", int(limits.idle_seconds * 1000)),
        ("grpc.max_allowed_incoming_connections", limits.total),
    ]


class RepeatSerializer:
    """Serialises the messages of streams. One that goes to the next watcher, too, is not written again.

    Watchers with the same knowledge get the same object, one after the other. Each after the first saves
    18 µs for a view of Tigris and 2 for one of Tigris cards. Nobody changes a message that is being sent.
    The last message is kept for a moment only, because the next one may be hours away.
    """

    def __init__(self) -> None:
        self._last: tuple[Answer | None, bytes] = None, b""
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self, message: Answer) -> bytes:
        last, data = self._last
        if message is not last:
            data = serialize(message)
            self._last = message, data
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(REPEAT_SECONDS, self._forget)
        return data

    def _forget(self) -> None:
        self._last, self._timer = (None, b""), None


def grpc_call(context: GrpcContext, proxies: Proxies) -> Call:
    """Returns what the dispatch needs to know about a call."""
    # gRPC builds a new metadata object at each access, so it is read once.
    metadata = context.invocation_metadata() or ()
    forwarded_for = [str(value) for key, value in metadata if key == FORWARDED_FOR]
    return Call(
        authorization=metadata_value(metadata, "authorization"),
        transport="grpc",
        peer=proxies.peer(peer_of(context.peer()), forwarded_for),
        traceparent=metadata_value(metadata, "traceparent"),
    )


def metadata_value(metadata: Iterable[tuple[str, Any]], name: str) -> str | None:
    return next((value for key, value in metadata if key == name), None)


def peer_of(peer: str) -> str:
    """Returns address and port in the form of the HTTP transports: `ipv6:%5B::1%5D:80` is ::1:80."""
    return unquote(peer.removeprefix("ipv4:").removeprefix("ipv6:")).replace("[", "").replace("]", "")


async def abort(context: GrpcContext, error: RpcError) -> NoReturn:
    """Ends the call with the error, whose details are sent as a trailer."""
    status = trimmed_status(error.status)
    await context.abort(
        GRPC_CODES[status.code], status.message, ((STATUS_DETAILS, status.SerializeToString()),)
    )
    raise AssertionError("abort raises")


def trimmed_status(status: status_pb2.Status) -> status_pb2.Status:
    """Returns the status without its largest details if it is too large for trailers.

    A client that refuses the trailers would lose the whole error. The first detail, which has the reason, is
    always kept.
    """
    if status.ByteSize() <= MAX_STATUS_BYTES:
        return status
    short = status_pb2.Status()
    short.CopyFrom(status)
    while short.ByteSize() > MAX_STATUS_BYTES and len(short.details) > 1:
        sizes = [detail.ByteSize() for detail in short.details]
        del short.details[sizes.index(max(sizes[1:]), 1)]
    return short
