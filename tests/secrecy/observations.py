"""Observes everything that a call shows: the answers, the log lines and the metrics."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache
from typing import Any

from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from gamehost.api.pipeline.call import Call
from gamehost.api.pipeline.status import RpcError
from gamehost.codec.encoded import Answer, as_message, write_json
from gamehost.codec.json_write import unchanged
from support.service import Service

TIMES = ("_sum", "_bucket", "_created")  # durations are no secret, and differ each time


@dataclass(frozen=True)
class Observation:
    """The encoded answers of a call, its log lines and the gauges after it."""

    answers: tuple[bytes, ...]
    lines: tuple[tuple[tuple[str, str], ...], ...]
    gauges: tuple[tuple[str, float], ...]


async def observe(service: Service, rpc: str, token: str | None, fields: dict[str, Any]) -> Observation:
    with capture_logs() as lines:
        told = [message async for message in called(service, rpc, token, fields)]
    return Observation(
        tuple(form for each in told for form in forms(each)), tuple(map(line, lines)), gauges()
    )


def forms(answer: Answer) -> tuple[bytes, bytes]:
    """Returns an answer as Protobuf and as JSON, which are not always made from the same message."""
    return as_message(answer).SerializeToString(deterministic=True), write_json(answer)


async def called(service: Service, rpc: str, token: str | None, fields: dict[str, Any]) -> Any:
    """Yields the answers to a call: one, several, or the status of its error."""
    method = service.methods[rpc]
    call = Call(authorization=f"Bearer {token}" if token else None, transport="test")
    try:
        if method.streams_requests:
            requests = repeated(method.request(**fields))
            async for message in service.dispatch.play_stream(method, requests, call):
                yield message
            return
        if not method.streams:
            yield await service.dispatch.unary(method, lambda: method.request(**fields), call, unchanged)
            return
        async for message in until_quiet(
            service.dispatch.stream(method, lambda: method.request(**fields), call)
        ):
            yield message
    except RpcError as error:
        yield error.status


async def repeated(request: Any) -> Any:
    """Yields a stream of one request."""
    yield lambda: request


async def until_quiet(stream: Any) -> Any:
    """Yields the messages of a stream until its first heartbeat or its end."""
    async with aclosing(stream) as messages:
        async for message in messages:
            yield message
            if message.WhichOneof("kind") in ("heartbeat", "go_away"):
                return


def line(entry: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, str(value)) for name, value in entry.items() if name != "ms"))


def counters() -> dict[str, float]:
    """Returns the counters and histogram counts, whose growth is compared between two worlds."""
    return samples("counter", "histogram")


def gauges() -> tuple[tuple[str, float], ...]:
    """Returns the gauges that are not 0; a gauge without a sample is the same as 0."""
    return tuple((name, value) for name, value in samples("gauge").items() if value)


def samples(*kinds: str) -> dict[str, float]:
    """Returns the samples of our own metrics of these kinds."""
    families = REGISTRY.restricted_registry(names_of(kinds)).collect()
    return {
        f"{sample.name}{sorted(sample.labels.items())}": sample.value
        for family in families
        for sample in family.samples
        if not sample.name.endswith(TIMES)
    }


@cache
def names_of(kinds: tuple[str, ...]) -> frozenset[str]:
    """Returns the names of samples of these kinds, cached because collecting every metric is slow."""
    ours = [family for family in REGISTRY.collect() if family.name.startswith("shedu_")]
    endings = {"counter": ["_total"], "gauge": [""], "histogram": ["_count"]}
    return frozenset(
        family.name + ending for family in ours if family.type in kinds for ending in endings[family.type]
    )


def grown(before: dict[str, float], after: dict[str, float]) -> Iterable[tuple[str, float]]:
    growth = ((name, value - before.get(name, 0)) for name, value in after.items())
    return sorted(change for change in growth if change[1])
