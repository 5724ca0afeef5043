"""Every call of every transport passes here: decode, validate, handle, map errors, log, measure."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, aclosing, contextmanager, suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import structlog
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message

from gamehost import tracing
from gamehost.codec.mirror import snake
from gamehost.play.errors import InvalidRequest, PlayError, TooMuch, Unavailable
from gamehost.play.read_account import ReadAccount, charged_to

from . import metrics
from .admission import Admission
from .call import Call
from .drain import DrainDeadline
from .policies import check_declared
from .status import RpcError, code_name, internal, status_of, too_large
from .stream_queue import StreamQueue
from .validation import validate

MAX_REQUEST_BYTES = 64 * 1024
BETWEEN_STREAMS = 0.003  # seconds from the beginning of one to that of the next

log = structlog.get_logger("gamehost.api")

Read = Callable[[], Message]
Handler = Callable[[Any, Call], Any]


@dataclass(frozen=True)
class Method:
    """An rpc and its messages."""

    service: str
    name: str
    descriptor: MethodDescriptor
    request: type[Message]
    response: type[Message]
    streams: bool

    @property
    def path(self) -> str:
        return f"/{self.service}/{self.name}"


class Dispatch:
    """Knows every rpc of `services`; refuses to be opened unless the `handlers` match them one to one.

    Every rpc needs a declared policy, which `door` enforces before a handler is called. Without handlers,
    calls are sent away until it is opened. New streams queue in `line`.
    """

    def __init__(
        self,
        handlers: Sequence[object],
        services: Iterable[ServiceDescriptor],
        door: Admission | None,
        line: StreamQueue | None = None,
    ) -> None:
        self.services, self.draining, self.drain_deadline = tuple(services), False, DrainDeadline()
        self._stream_queue = line or StreamQueue(BETWEEN_STREAMS)
        check_declared(self.services)
        self.methods: Mapping[str, Method] = MappingProxyType(
            {method.path: method for method in methods_of(self.services)}
        )
        self._handlers: Mapping[str, Handler] = {}
        self._admission = door
        if handlers and door is not None:
            self.open(handlers, door)

    @property
    def is_open(self) -> bool:
        return bool(self._handlers)

    def open(self, handlers: Sequence[object], door: Admission) -> None:
        """From now on calls are answered."""
        self._handlers, self._admission = handlers_by_method(handlers, self.methods.values()), door

    async def unary(self, method: Method, read: Read, call: Call) -> Message:
        watch = CallRecorder(method, call)
        try:
            with watch.span.current():
                async with self.drain_deadline.limit():
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
        watch, at_the_door = CallRecorder(method, call), False
        with metrics.OPEN_STREAMS.labels(method.name, call.transport).track_inprogress():
            try:
                door = self._open_admission()
                door.check_stream_room(call, self._stream_queue.waiting)
                async with self.drain_deadline.limit():
                    await self._stream_queue.wait_turn()
                    at_the_door = True
                    call = await door.identify(method.descriptor, call)
                with door.stream_slot(call) as recheck:
                    request = read_valid(read)
                    call = door.seat(method.descriptor, request, call)
                    at_the_door = False
                    account = door.stream_account(call, lambda: self.draining)
                    async with aclosing(self._handlers[method.path](request, call)) as messages:
                        while (message := await self._next(messages, account)) is not None:
                            await recheck()
                            watch.sent()
                            yield message
                            del message  # it may be long until the next one
            except (asyncio.CancelledError, GeneratorExit):
                watch.ended("CANCELLED", "")
                raise
            except Exception as problem:
                if at_the_door:
                    self._stream_queue.skip_next_pause()
                raise watch.failed(problem) from None
            watch.ended("OK", "")

    async def _next(self, messages: AsyncIterator[Message], account: ReadAccount) -> Message | None:
        """Only what is waited for is broken off: nothing may be while a message is on its way."""
        async with self.drain_deadline.limit():
            with charged_to(account):
                return await anext(messages, None)

    async def _answer(self, method: Method, read: Read, call: Call) -> Message:
        if self.draining:
            raise Unavailable(
                "this process is leaving, another one answers", reason="DRAINING", retry_after=0
            )
        door = self._open_admission()
        call = await door.admit(method.descriptor, call)
        request = read_valid(read)
        with charged_to(door.account(call)):
            answer: Message = await self._handlers[method.path](
                request, door.seat(method.descriptor, request, call)
            )
        return answer

    def count(self, peer: str) -> None:
        """Counts a request that is no call against the limits of its connection and its address."""
        with refusals(), suppress(Unavailable):
            self._open_admission().count(peer)

    @contextmanager
    def unnamed_stream(self, peer: str) -> Iterator[None]:
        """A place for a stream that is no call, among those of its address."""
        with ExitStack() as place:
            with refusals(), suppress(Unavailable):
                place.enter_context(self._open_admission().unnamed_stream(peer))
            yield

    def _open_admission(self) -> Admission:
        if self._admission is None:
            raise Unavailable("the event store has not answered since this process began")
        return self._admission


@contextmanager
def refusals() -> Iterator[None]:
    """Turns what is raised into what leaves the dispatch."""
    try:
        yield
    except TooMuch as problem:
        raise RpcError(status_of(problem)) from None


class CallRecorder:
    """Writes the one log line, the metrics and the span of one call."""

    def __init__(self, method: Method, call: Call) -> None:
        self.method, self.call = method, call
        self.messages = 0
        self.began = time.perf_counter()
        self.span = tracing.begin_span(method.path, call.transport, call.traceparent)

    def sent(self) -> None:
        self.messages += 1
        metrics.STREAM_MESSAGES.labels(self.method.name, self.call.transport).inc()

    def failed(self, problem: Exception) -> RpcError:
        """A caller hears nothing of an unexpected exception; the log has its traceback."""
        error = rpc_error(problem)
        unexpected = problem if not isinstance(problem, RpcError | PlayError) else None
        metrics.refused(self.method.name, error.reason)
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


def read_valid(read: Read) -> Message:
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


def methods_of(services: Iterable[ServiceDescriptor]) -> Iterable[Method]:
    for rpc in (rpc for service in services for rpc in service.methods):
        yield Method(
            service=rpc.containing_service.full_name,
            name=rpc.name,
            descriptor=rpc,
            request=message_factory.GetMessageClass(rpc.input_type),
            response=message_factory.GetMessageClass(rpc.output_type),
            streams=rpc.server_streaming,
        )


def handlers_by_method(groups: Iterable[object], methods: Iterable[Method]) -> Mapping[str, Handler]:
    """The handler of each rpc, by path. Public methods of the groups and rpcs must match one to one."""
    wanted = {snake(method.name): method for method in methods}
    offered: dict[str, Handler] = {}
    for group in groups:
        for name in dir(group):
            if not name.startswith("_") and callable(handler := getattr(group, name)):
                if name in offered:
                    raise TypeError(f"two handlers for {name}")
                offered[name] = handler
    if wanted.keys() != offered.keys():
        missing, spare = sorted(wanted.keys() - offered.keys()), sorted(offered.keys() - wanted.keys())
        raise TypeError(f"handlers do not match the contract: without handler {missing}, without rpc {spare}")
    return {method.path: offered[name] for name, method in wanted.items()}
