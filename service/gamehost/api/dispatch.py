"""Every call of every transport passes here: decode, validate, handle, map errors, log, measure."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import structlog
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message

from gamehost import tracing
from gamehost.codec.mirror import snake
from gamehost.play.errors import InvalidRequest, PlayError, Unavailable

from . import metrics
from .call import Call
from .door import Door
from .policies import check_declared
from .status import RpcError, code_name, internal, status_of, too_large
from .validation import validate

MAX_REQUEST_BYTES = 64 * 1024

log = structlog.get_logger("gamehost.api")

Read = Callable[[], Message]


@dataclass(frozen=True)
class Method:
    """An rpc with its handler."""

    service: str
    name: str
    descriptor: MethodDescriptor
    request: type[Message]
    response: type[Message]
    streams: bool
    handler: Callable[[Any, Call], Any]

    @property
    def path(self) -> str:
        return f"/{self.service}/{self.name}"


class Dispatch:
    """Knows every rpc of `services`; refuses to be built unless `handlers` matches them one to one.

    Every rpc needs a declared policy, which `door` enforces before a handler is called.
    """

    def __init__(self, handlers: object, services: Iterable[ServiceDescriptor], door: Door) -> None:
        self.services, self._door, self.draining = tuple(services), door, False
        check_declared(self.services)
        self.methods: Mapping[str, Method] = MappingProxyType(
            {method.path: method for method in bind(handlers, self.services)}
        )

    async def unary(self, method: Method, read: Read, call: Call) -> Message:
        watch = Stopwatch(method, call)
        try:
            with watch.span.current():
                answer = await self._answer(method, read, call)
        except asyncio.CancelledError:
            watch.ended("CANCELLED", "")
            raise
        except Exception as problem:
            raise watch.failed(problem) from None
        watch.ended("OK", "")
        return answer

    async def stream(self, method: Method, read: Read, call: Call) -> AsyncIterator[Message]:
        """Close it to close the handler's own generator."""
        watch = Stopwatch(method, call)
        with metrics.OPEN_STREAMS.labels(method.name, call.transport).track_inprogress():
            try:
                call = await self._door.admit(method.descriptor, call)
                with self._door.stream(call) as recheck:
                    request = valid(read)
                    call = self._door.seat(method.descriptor, request, call)
                    async with aclosing(method.handler(request, call)) as messages:
                        async for message in messages:
                            await recheck()
                            watch.sent()
                            yield message
            except (asyncio.CancelledError, GeneratorExit):
                watch.ended("CANCELLED", "")
                raise
            except Exception as problem:
                raise watch.failed(problem) from None
            watch.ended("OK", "")

    async def _answer(self, method: Method, read: Read, call: Call) -> Message:
        if self.draining:
            raise Unavailable(
                "this process is leaving, another one answers", reason="DRAINING", retry_after=0
            )
        handler: Callable[[Message, Call], Awaitable[Message]] = method.handler
        call = await self._door.admit(method.descriptor, call)
        request = valid(read)
        return await handler(request, self._door.seat(method.descriptor, request, call))


class Stopwatch:
    """Writes the one log line, the metrics and the span of one call."""

    def __init__(self, method: Method, call: Call) -> None:
        self.method, self.call = method, call
        self.messages = 0
        self.began = time.perf_counter()
        self.span = tracing.begin(method.path, call.transport, call.traceparent)

    def sent(self) -> None:
        self.messages += 1
        metrics.STREAM_MESSAGES.labels(self.method.name, self.call.transport).inc()

    def failed(self, problem: Exception) -> RpcError:
        """A caller hears nothing of an unexpected exception; the log has its traceback."""
        error = rpc_error(problem)
        unexpected = problem if not isinstance(problem, RpcError | PlayError) else None
        self.ended(code_name(error.status), error.reason, unexpected)
        return error

    def ended(self, code: str, reason: str, unexpected: Exception | None = None) -> None:
        seconds = time.perf_counter() - self.began
        method, transport = self.method.name, self.call.transport
        metrics.CALLS.labels(method, transport, code).inc()
        self.span.end(code, reason, self.call.notes.get("game"))
        line: dict[str, object] = {"method": method, "transport": transport, "code": code, "reason": reason}
        line |= {"ms": round(seconds * 1000, 2), **self.call.notes}
        if self.method.streams:
            line["messages"] = self.messages
        else:
            metrics.SECONDS.labels(method, transport).observe(seconds)
        if unexpected is None:
            log.info("call", **line)
        else:
            log.error("call", **line, exc_info=unexpected)


def rpc_error(problem: Exception) -> RpcError:
    if isinstance(problem, RpcError):
        return problem
    return RpcError(status_of(problem) if isinstance(problem, PlayError) else internal())


def valid(read: Read) -> Message:
    request = read()
    validate(request)
    return request


def read_binary(request: type[Message], data: bytes) -> Message:
    """The size is checked before anything is parsed."""
    if len(data) > MAX_REQUEST_BYTES:
        raise RpcError(too_large(MAX_REQUEST_BYTES), 413)
    try:
        return request.FromString(data)
    except DecodeError:
        raise InvalidRequest("body", f"is not a {request.DESCRIPTOR.full_name}") from None


def bind(handlers: object, services: Iterable[ServiceDescriptor]) -> Iterable[Method]:
    wanted = {snake(rpc.name): rpc for service in services for rpc in service.methods}
    offered = {
        name for name in dir(handlers) if not name.startswith("_") and callable(getattr(handlers, name))
    }
    if wanted.keys() != offered:
        missing, spare = sorted(wanted.keys() - offered), sorted(offered - wanted.keys())
        raise TypeError(f"handlers do not match the contract: without handler {missing}, without rpc {spare}")
    for name, rpc in wanted.items():
        yield Method(
            service=rpc.containing_service.full_name,
            name=rpc.name,
            descriptor=rpc,
            request=message_factory.GetMessageClass(rpc.input_type),
            response=message_factory.GetMessageClass(rpc.output_type),
            streams=rpc.server_streaming,
            handler=getattr(handlers, name),
        )
