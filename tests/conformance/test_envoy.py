"""Compares our REST with Envoy's transcoder in front of the same gRPC server.

The corpus contains requests. Where the answers differ on purpose, `differs` says why and lists both.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from google.rpc import code_pb2

from api.echo_servers import EchoServers, running_echo_servers
from support.waiting import PATIENCE

from .transcoder import running_envoy

CORPUS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("corpus.json").read_text("utf-8"))


@dataclass
class Both:
    """The same gRPC server behind our REST and behind Envoy."""

    servers: EchoServers
    envoy: httpx.AsyncClient


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def both(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Both]:
    folder = tmp_path_factory.mktemp("envoy")
    async with running_echo_servers() as servers, running_envoy(servers.grpc_port, folder) as port:
        url = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) as envoy:
            yield Both(servers, envoy)


async def ask(client: httpx.AsyncClient, request: dict[str, Any]) -> httpx.Response:
    headers = {"authorization": f"Bearer {request.get('token', 'none')}"}
    if "body" in request:
        headers["content-type"] = "application/json"
    headers |= request.get("headers", {})
    body = request["body"].encode() if "body" in request else None
    return await client.request(request["verb"], request["path"], content=body, headers=headers)


def our_answer(answer: httpx.Response) -> Any:
    """Returns our answer in the form of Envoy, whose errors are a bare google.rpc.Status."""
    if answer.status_code == 200:
        return [json.loads(line) for line in answer.text.splitlines()]
    error = answer.json()["error"]
    code = code_pb2.Code.Value(error["status"])
    return {"code": code, "message": error["message"], "details": error["details"]}


def envoys_answer(answer: httpx.Response) -> Any:
    """Returns the answer of Envoy; None where Envoy itself refuses, which it does in plain text."""
    if answer.status_code == 200:
        return [json.loads(line) for line in answer.text.splitlines()]
    return answer.json() if answer.headers["content-type"] == "application/json" else None


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("request_", CORPUS, ids=lambda request: request["name"])
async def test_our_transcoder_answers_like_envoy(both: Both, request_: dict[str, Any]) -> None:
    ours, envoys = await ask(both.servers.http, request_), await ask(both.envoy, request_)

    differs = request_.get("differs")
    if differs:
        assert (differs["ours"], differs["envoys"]) == (ours.status_code, envoys.status_code)
        assert our_answer(ours) != envoys_answer(envoys), "no longer differs"
        return
    assert envoys.status_code == ours.status_code
    expected = envoys_answer(envoys)
    assert expected is None or expected == our_answer(ours)
