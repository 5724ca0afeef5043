"""The path of every call of every transport: admit, decode, validate, handle, map errors, log, measure."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, aclosing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar, cast

import structlog
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message

from gamehost import tracing
from gamehost.codec.encoded import Answer, serialize
from gamehost.codec.mirror import snake
from gamehost.play.errors import InvalidRequest, PlayError, TooMuch, Unavailable
from gamehost.play.read_account import ReadAccount, charged_to

from . import metrics
from .admission import Admission
from .call import Call, Read
from .drain import DrainDeadline
from .play_stream import PlayStream
from .policies import check_declared
from .status import RpcError, code_name, internal, status_of, too_large_status
from .stream_queue import StreamQueue
from .validation import validate

MAX_REQUEST_BYTES = 64 * 1024
PLAY_ACTION = "PlayAction"
STREAM_PAUSE = 0.003  # seconds between the starts of two streams

log = structlog.get_logger("gamehost.api")

Handler = Callable[[Any, Call], Any]
Written = TypeVar("Written")


@dataclass(frozen=True)
class Method:
    """An rpc, its message classes and whether it streams."""

    service: str
    name: str
    descriptor: MethodDescriptor
    request: type[Message]
    response: type[Message]
    streams: bool
    streams_requests: bool = False

    @property
    def path(self) -> str:
        return f"/{self.service}/{self.name}"


class Dispatch:
    """Routes the calls of all rpcs of `services` to their handlers.

    Every rpc needs a declared policy, which `admission` enforces before the handler is called, and exactly
    one handler. Without handlers, calls are answered UNAVAILABLE until `open` is called: ports are bound
    before the store is reachable. New streams wait in `stream_queue`.
    """

    def __init__(
        self,
        handlers: Sequence[object],
        services: Iterable[ServiceDescriptor],
        admission: Admission | None,
        stream_queue: StreamQueue | None = None,
    ) -> None:
        self.services, self.draining, self.drain_deadline = tuple(services), False, DrainDeadline()
        self._stream_queue = stream_queue or StreamQueue(STREAM_PAUSE)
        check_declared(self.services)
        self.methods: Mapping[str, Method] = MappingProxyType(
            {method.path: method for method in methods_of(self.services)}
        )
        self._handlers: Mapping[str, Handler] = {}
        self._play_streams = set[PlayStream]()
        self._admission = admission
        if handlers and admission is not None:
            self.open(handlers, admission)

    @property
    def is_open(self) -> bool:
        return bool(self._handlers)

    def open(self, handlers: Sequence[object], admission: Admission) -> None:
        """Starts answering calls. Raises TypeError unless handlers and rpcs match one to one."""
        self._handlers = handlers_by_method(handlers, self.methods.values())
        self._admission = admission

    async def unary(
        self, method: Method, read: Read, call: Call, write: Callable[[Answer], Written]
    ) -> Written:
        """Answers a unary call. Raises RpcError and nothing else, apart from cancellation.

        Returns what `write` makes of the response. Parts of a response are encoded only then, so an error in
        it is recorded and answered like one of the handler.
        """
        recorder = CallRecorder(method, call)
        try:
            with recorder.span.current(), self.drain_deadline.limit():
                written = write(await self._answer(method, read, call))
        except asyncio.CancelledError:
            recorder.ended("CANCELLED", "")
            raise
        except Exception as problem:
            raise recorder.failed(problem) from None
        recorder.ended("OK", "")
        return written

    def stream(self, method: Method, read: Read, call: Call) -> AsyncIterator[Message]:
        """The messages of a stream. Close it to close the handler's own generator."""

        def begin(admission: Admission, call: Call) -> AsyncIterator[Message]:
            request = read_valid(read)
            messages: AsyncIterator[Message] = self._handlers[method.path](
                request, admission.seat(method.descriptor, request, call)
            )
            return messages

        return cast(AsyncIterator[Message], self._stream(method, call, begin))

    def play_stream(self, method: Method, requests: AsyncIterator[Read], call: Call) -> AsyncIterator[Answer]:
        """The responses of a PlayStream, whose items are answered like PlayAction calls."""
        play = next(each for each in self.methods.values() if each.name == PLAY_ACTION)
        stream = PlayStream(requests, partial(self.unary, play, write=serialize), call)

        async def responses() -> AsyncIterator[Answer]:
            self._play_streams.add(stream)
            if self.draining:
                stream.drain()
            try:
                async with aclosing(cast(Any, stream.responses())) as messages:
                    async for message in messages:
                        yield message
            finally:
                self._play_streams.discard(stream)

        return self._stream(method, call, lambda _admission, _call: responses())

    def drain(self) -> None:
        """Refuses new calls, and ends play streams once their items are answered."""
        self.draining = True
        for stream in self._play_streams:
            stream.drain()

    async def _stream(
        self, method: Method, call: Call, begin: Callable[[Admission, Call], AsyncIterator[Answer]]
    ) -> AsyncIterator[Answer]:
        """Admits a stream and yields the messages of the generator that `begin` returns.

        Identity is checked after the wait in the queue: that check is part of the cost that the queue paces.
        A call that is refused between its turn and its handler (`admitting`) gives its pause to the next one.
        """
        recorder, admitting = CallRecorder(method, call), False
        with metrics.OPEN_STREAMS.labels(method.name, call.transport).track_inprogress():
            try:
                admission = self._open_admission()
                admission.check_stream_room(call, self._stream_queue.waiting)
                with self.drain_deadline.limit():
                    await self._stream_queue.wait_turn()
                    admitting = True
                    call = await admission.identify(method.descriptor, call)
                with admission.stream_slot(call) as recheck:
                    account = admission.stream_account(call, lambda: self.draining)
                    async with aclosing(cast(Any, begin(admission, call))) as messages:
                        admitting = False
                        while (message := await self._next(messages, account)) is not None:
                            await recheck()
                            recorder.sent()
                            yield message
                            del message  # frees its memory: the next one may be hours away
            except (asyncio.CancelledError, GeneratorExit):
                recorder.ended("CANCELLED", "")
                raise
            except Exception as problem:
                if admitting:
                    self._stream_queue.skip_next_pause()
                raise recorder.failed(problem) from None
            recorder.ended("OK", "")

    async def _next(self, messages: AsyncIterator[Answer], account: ReadAccount) -> Answer | None:
        """The next message of a handler, or None after the last.

        The drain deadline may interrupt the handler, but not a message on its way to the caller. Hence it is
        entered for each message instead of once around the stream: across a `yield` it would interrupt the
        transport as well.
        """
        with self.drain_deadline.limit(), charged_to(account):
            return await anext(messages, None)

    async def _answer(self, method: Method, read: Read, call: Call) -> Answer:
        """Admits a unary call, reads its request and calls its handler."""
        if self.draining:
            raise Unavailable(
                "this process is shutting down, retry at another one", reason="DRAINING", retry_after=0
            )
        admission = self._open_admission()
        call = await admission.admit(method.descriptor, call)
        request = read_valid(read)  # only now: see `admission` for the order of the checks
        with charged_to(admission.account(call)):
            answer: Answer = await self._handlers[method.path](
                request, admission.seat(method.descriptor, request, call)
            )
        return answer

    def count(self, peer: str) -> None:
        """Counts a request that is no rpc against the quotas of its connection and address.

        Raises RpcError over the limit. Before `open` nothing is counted: pages are served without a store.
        """
        with quota_errors_mapped(), suppress(Unavailable):
            self._open_admission().count(peer)

    @contextmanager
    def unnamed_stream(self, peer: str) -> Iterator[None]:
        """Holds a stream slot of the address for a stream that is no rpc. Raises RpcError if none is left."""
        with ExitStack() as slot:
            with quota_errors_mapped(), suppress(Unavailable):
                slot.enter_context(self._open_admission().unnamed_stream(peer))
            yield

    def _open_admission(self) -> Admission:
        if self._admission is None:
            raise Unavailable("the event store has not answered since this process started")
        return self._admission


@contextmanager
def quota_errors_mapped() -> Iterator[None]:
    """Turns TooMuch into the RpcError that callers of Dispatch expect."""
    try:
        yield
    except TooMuch as problem:
        raise RpcError(status_of(problem)) from None


class CallRecorder:
    """Writes the one log line, the metrics and the span of one call."""

    def __init__(self, method: Method, call: Call) -> None:
        self.method, self.call = method, call
        self.messages = 0
        self.started = time.perf_counter()
        self.span = tracing.begin_span(method.path, call.transport, call.traceparent)

    def sent(self) -> None:
        self.messages += 1
        metrics.stream_messages(self.method.name, self.call.transport).inc()

    def failed(self, problem: Exception) -> RpcError:
        """Records a failure and returns the caller's error, without details of an unexpected exception."""
        error = rpc_error(problem)
        unexpected = problem if not isinstance(problem, RpcError | PlayError) else None
        metrics.refused(self.method.name, error.reason)
        self.ended(code_name(error.status), error.reason, unexpected)
        return error

    def ended(self, code: str, reason: str, unexpected: Exception | None = None) -> None:
        """Writes the log line, with the traceback of an `unexpected` exception."""
        seconds = time.perf_counter() - self.started
        method, transport = self.method.name, self.call.transport
        metrics.ended_calls(method, transport, code).inc()
        self.span.end(code, reason, self.call.notes.get("game"))
        fields: dict[str, object] = {"method": method, "transport": transport, "code": code, "reason": reason}
        fields |= {"ms": round(seconds * 1000, 2), **self.call.notes}
        if self.method.streams:
            fields["messages"] = self.messages
        else:  # how long a stream lasts says nothing about latency
            metrics.call_seconds(method, transport).observe(seconds)
        if unexpected is None:
            log.info("call", **fields)
        else:
            log.error("call", **fields, exc_info=unexpected)


def rpc_error(problem: Exception) -> RpcError:
    """The error that leaves the dispatch for an exception of a handler."""
    if isinstance(problem, RpcError):
        return problem
    return RpcError(status_of(problem) if isinstance(problem, PlayError) else internal())


def read_valid(read: Read) -> Message:
    """Decodes and validates the request. Raises InvalidRequest or RpcError."""
    request = read()
    validate(request)
    return request


def read_binary(request: type[Message], data: bytes) -> Message:
    """Parses a binary request. Raises RpcError before parsing if it is too large."""
    if len(data) > MAX_REQUEST_BYTES:
        raise RpcError(too_large_status(MAX_REQUEST_BYTES), 413)
    try:
        return request.FromString(data)
    except DecodeError:
        raise InvalidRequest("body", f"is not a {request.DESCRIPTOR.full_name}") from None


def methods_of(services: Iterable[ServiceDescriptor]) -> Iterable[Method]:
    """The rpcs of the services, in the order of the contract."""
    for rpc in (rpc for service in services for rpc in service.methods):
        yield Method(
            service=rpc.containing_service.full_name,
            name=rpc.name,
            descriptor=rpc,
            request=message_factory.GetMessageClass(rpc.input_type),
            response=message_factory.GetMessageClass(rpc.output_type),
            streams=rpc.server_streaming,
            streams_requests=rpc.client_streaming,
        )


def handlers_by_method(groups: Iterable[object], methods: Iterable[Method]) -> Mapping[str, Handler]:
    """The handler of each rpc, by path.

    Handlers are the public methods of the groups, named like their rpc in snake case. Raises TypeError unless
    they match the rpcs one to one, so that a process with a missing handler does not start.
    """
    # An rpc with a stream of requests has no handler: its items are calls of another rpc.
    methods_by_name = {snake(method.name): method for method in methods if not method.streams_requests}
    found: dict[str, Handler] = {}
    for group in groups:
        for name in dir(group):
            if not name.startswith("_") and callable(handler := getattr(group, name)):
                if name in found:
                    raise TypeError(f"two handlers for {name}")
                found[name] = handler
    if methods_by_name.keys() != found.keys():
        missing = sorted(methods_by_name.keys() - found.keys())
        spare = sorted(found.keys() - methods_by_name.keys())
        raise TypeError(f"handlers do not match the contract: without handler {missing}, without rpc {spare}")
    return {method.path: found[name] for name, method in methods_by_name.items()}
