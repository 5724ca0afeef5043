"""Tests of the spans of real calls: from the caller over every transport to the store."""

from __future__ import annotations

import threading
import uuid
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path

import grpc
import httpx
import pytest
from opentelemetry import trace
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import StatusCode

from api.echo_servers import serve_http
from gamehost import tracing
from gamehost.api.transports.grpc import GrpcServer
from gamehost.stores.redis.store import connect
from shedu import NotFound
from shedu import aio as shedu_aio
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import Serve
from support.service import Service
from support.waiting import PATIENCE

TRACE, PARENT = 0x0AF7651916CD43DD8448EB211C80319C, 0xB7AD6B7169203331
TRACEPARENT = f"00-{TRACE:032x}-{PARENT:016x}-01"


class Kept(SpanExporter):
    """An exporter that keeps every span."""

    def __init__(self) -> None:
        self.spans: list[ReadableSpan] = []

    def export(self, spans) -> SpanExportResult:
        self.spans += spans
        return SpanExportResult.SUCCESS

    def of(self, name: str) -> list[ReadableSpan]:
        tracing.finish_tracing()
        return [span for span in self.spans if span.name == name]


@pytest.fixture
def kept() -> Iterator[Kept]:
    exporter = Kept()
    assert tracing.start_tracing(exporter)
    yield exporter
    tracing.finish_tracing()


@pytest.fixture
async def service(redis_url: str) -> AsyncIterator[Service]:
    store = connect(redis_url)
    yield Service(store, luck=uuid.uuid4().hex)
    await store.close()


async def create(service: Service, transport: str) -> None:
    """Creates a game with a trace context of the caller."""
    if transport == "grpc":
        server = GrpcServer(service.dispatch)
        port = server.listen("127.0.0.1:0")
        await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            request = pb.CreateGameRequest(title="tides")
            await GameServiceStub(channel).CreateGame(request, metadata=(("traceparent", TRACEPARENT),))
        await server.stop(0)
        return
    path = {"rest": "/v1/games", "connect": "/shedu.v1.GameService/CreateGame"}[transport]
    async with (
        serve_http(service.dispatch, 1) as port,
        httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client,
    ):
        answer = await client.post(
            f"http://127.0.0.1:{port}{path}", json={"title": "tides"}, headers={"traceparent": TRACEPARENT}
        )
        assert 200 == answer.status_code


@pytest.mark.parametrize("transport", ["grpc", "rest", "connect"])
async def test_a_call_is_a_part_of_its_callers_trace_and_the_store_a_part_of_it(service, kept, transport):
    await create(service, transport)

    (call,) = kept.of("shedu.v1.GameService/CreateGame")
    (append,) = kept.of("store.append")
    assert (TRACE, PARENT) == (call.context.trace_id, call.parent.span_id)
    assert (TRACE, call.context.span_id) == (append.context.trace_id, append.parent.span_id)
    assert transport == call.attributes["shedu.transport"]
    assert "OK" == call.attributes["shedu.code"]


@pytest.fixture(scope="module")
def callers() -> Kept:
    """Returns the exporter of the global tracer, which can be set only once in a process."""
    exporter, provider = Kept(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


async def test_the_python_clients_calls_and_streams_are_spans_with_the_servers_inside(service, kept, callers):
    server = GrpcServer(service.dispatch)
    port = server.listen("127.0.0.1:0")
    await server.start()

    async with shedu_aio.connect(f"127.0.0.1:{port}") as client:
        game = await client.create("tides")
        async with aclosing(game.watch()) as moments:
            await anext(moments)
        with pytest.raises(NotFound):
            await client.game("a" * 20).view()
    await server.stop(0)

    for method in ("CreateGame", "WatchGame", "GetView"):
        (asked,) = [span for span in callers.spans if span.name == f"shedu {method}"]
        (answered,) = kept.of(f"shedu.v1.GameService/{method}")
        assert asked.context.trace_id == answered.context.trace_id
        assert asked.context.span_id == answered.parent.span_id
        assert (method == "GetView") == (asked.status.status_code is StatusCode.ERROR)


async def test_without_a_caller_a_trace_begins_here(service, kept):
    game_id, _ = await service.table("Ann", "Bob")

    (call,) = kept.of("shedu.v1.GameService/CreateGame")
    assert call.parent is None
    assert {game_id} == {span.attributes["shedu.game"] for span in kept.of("shedu.v1.GameService/JoinGame")}


async def test_a_refusal_is_told_by_its_reason(service, kept):
    await service.refusal("GetGame", game_id="a" * 20)

    (call,) = kept.of("shedu.v1.GameService/GetGame")
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == (call.attributes["shedu.code"], call.attributes["shedu.reason"])


async def test_a_stream_is_a_span_that_ends_with_it(service, kept):
    game_id, _ = await service.table("Ann", "Bob")
    stream = service.watch(game_id=game_id)
    await anext(stream)
    assert [] == kept.of("shedu.v1.GameService/WatchGame")

    await stream.aclose()

    (call,) = kept.of("shedu.v1.GameService/WatchGame")
    assert "CANCELLED" == call.attributes["shedu.code"]


async def test_attributes_hold_neither_tokens_nor_moves(service, kept):
    game_id, (ann, _) = await service.table("Ann", "Bob")

    await service.move(game_id, ann)

    tracing.finish_tracing()
    names = {name for span in kept.spans for name in span.attributes}
    told = {"rpc.service", "rpc.method", "shedu.transport", "shedu.code", "shedu.game", "events"}
    assert told == names
    assert not any(ann in str(span.attributes) for span in kept.spans)


async def test_nothing_is_traced_unless_wanted(service, monkeypatch):
    monkeypatch.delenv(tracing.ENDPOINT, raising=False)
    assert (False, True, False) == (tracing.wanted(None), tracing.wanted(True), tracing.wanted(False))
    monkeypatch.setenv(tracing.ENDPOINT, "http://collector:4317")
    assert (True, False) == (tracing.wanted(None), tracing.wanted(False))

    assert tracing.NO_SPAN is tracing.begin_span("/a/b", "grpc", None)


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Receives what a process sends by OTLP."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self.heard = threading.Event()

    def Export(self, request, _context):
        self.received.append(request.SerializeToString())
        self.heard.set()
        return trace_service_pb2.ExportTraceServiceResponse()


@pytest.mark.server
def test_a_served_process_sends_its_spans_to_the_collector(tmp_path: Path):
    collector = Collector()
    server = grpc.server(ThreadPoolExecutor(1))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with Serve(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{port}") as serve:
        game_id, (ann, _) = serve.table()
        serve.move(game_id, ann)

    assert collector.heard.wait(PATIENCE)
    server.stop(0)
    sent = b"".join(collector.received)
    assert all(name in sent for name in (b"shedu-gamehost", b"PlayAction", b"store.append", game_id.encode()))
    assert ann.encode() not in sent
