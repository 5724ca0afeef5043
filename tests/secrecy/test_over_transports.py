"""Tests non-interference over gRPC, Connect and REST: bytes, headers and trailers are equal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf import json_format

from gamehost.api.transports.asgi import build_app
from gamehost.api.transports.grpc import GrpcServer
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat
from rules.facts import FACTS
from rules.playouts import game
from support.service import Service
from support.waiting import PATIENCE

from .probes import READING, Probe, Prober
from .worlds import World, real_world, twin_world, unfinished

LOOKS = {
    "GetGame": "/v1/games/{}",
    "GetView": "/v1/games/{}/view",
    "ListLegalActions": "/v1/games/{}/legalActions",
    "ListEvents": "/v1/games/{}/events",
    "GetFairness": "/v1/games/{}:fairness",
}


@asynccontextmanager
async def wired(service: Service) -> AsyncIterator[tuple[httpx.AsyncClient, grpc.aio.Channel]]:
    async def ready() -> bool:
        return True

    server = GrpcServer(service.dispatch)
    port = server.listen("127.0.0.1:0")
    await server.start()
    transport = httpx.ASGITransport(build_app(service.dispatch, ready=ready))
    async with (
        httpx.AsyncClient(transport=transport, base_url="http://shedu") as http,
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        yield http, channel
    await server.stop(0)


async def on_the_wire(world: World, probes: list[Probe], token: str | None) -> list[tuple[Probe, Any]]:
    seen = []
    service = world.served()
    async with wired(service) as (http, channel):
        for probe in probes:
            if service.methods[probe.rpc].streams:
                continue  # it would send heartbeats without end
            seen.append((probe, await over_grpc(service, channel, probe, token)))
            seen.append((probe, await over_connect(service, http, probe, token)))
            if probe.rpc in LOOKS:
                seen.append((probe, await over_rest(http, probe, token)))
    return seen


async def over_grpc(service: Service, channel: Any, probe: Probe, token: str | None) -> Any:
    method = service.methods[probe.rpc]
    metadata = [("authorization", f"Bearer {token}")] if token else []
    call = channel.unary_unary(method.path)(
        method.request(**probe.fields).SerializeToString(), metadata=metadata, timeout=PATIENCE
    )
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return error.code(), error.details(), tuple(error.trailing_metadata() or ())
    return answer, tuple(await call.trailing_metadata())


async def over_connect(service: Service, http: httpx.AsyncClient, probe: Probe, token: str | None) -> Any:
    method = service.methods[probe.rpc]
    body = json_format.MessageToDict(method.request(**probe.fields))
    return whole(await http.post(method.path, json=body, headers=bearer(token)))


async def over_rest(http: httpx.AsyncClient, probe: Probe, token: str | None) -> Any:
    query = {name: value for name, value in probe.fields.items() if name != "game_id"}
    path = LOOKS[probe.rpc].format(probe.fields["game_id"])
    return whole(await http.get(path, params=query, headers=bearer(token)))


def bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def whole(response: httpx.Response) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
    return response.status_code, tuple(response.headers.items()), response.content


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("viewer", [None, Seat(0)])
@pytest.mark.parametrize("title", CATALOG)
async def test_no_transport_tells_two_worlds_apart(title: str, viewer: Seat | None):
    rules, played = CATALOG[title], game(title, 0)
    position = unfinished(played, FACTS[title].hides_most)
    worlds = await real_world(rules, played, position), await twin_world(rules, played, position, viewer, 1)
    version = await worlds[0].store.version(worlds[0].game_id)
    asked = Prober(rules, played, position, worlds[0], version).probes()
    probes = [probe for probe in asked if changes_nothing(probe)]

    one, other = [await on_the_wire(world, probes, world.token(viewer)) for world in worlds]

    assert [] == [probe for (probe, seen), (_, too) in zip(one, other, strict=True) if seen != too]


def changes_nothing(probe: Probe) -> bool:
    return probe.rpc in READING or bool(probe.fields.get("validate_only"))
