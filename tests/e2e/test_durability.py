"""Durability as it is asked for: refused where a server has less, and replicated before it is answered."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.process import PATIENCE, Serve
from support.sentinels import online
from support.servers import RedisServer, redis_server
from support.waiting import wait_until

REPLICATED = ("--durability", "replicated", "--replicas", "2")


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RedisServer]]:
    """A primary and two replicas that follow it."""
    folder = tmp_path_factory.mktemp("replicated")
    with ExitStack() as stack:
        primary = stack.enter_context(redis_server(folder / "primary", **{"repl-diskless-sync-delay": "0"}))
        replicas = [
            stack.enter_context(redis_server(folder / name, replicaof=f"127.0.0.1 {primary.port}"))
            for name in ("first", "second")
        ]
        wait_until(lambda: online(primary) == 2)
        yield [primary, *replicas]


def refusal(folder: Path, *arguments: str) -> str:
    """What a service says that does not start."""
    serve = Serve(folder, *arguments)
    process = serve.launch()
    try:
        assert 2 == process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return " ".join(serve.log.read_text().split())


def test_a_server_that_promises_less_than_was_asked_for_is_refused(tmp_path):
    with redis_server(tmp_path / "redis", appendfsync="everysec") as weak:
        said = refusal(tmp_path, "--redis", weak.url, "--durability", "durable")

    assert "durability durable was asked for" in said
    assert "appendfsync always" in said


def test_too_few_replicas_are_refused(tmp_path):
    with redis_server(tmp_path / "redis") as lonely:
        said = refusal(tmp_path, "--redis", lonely.url, *REPLICATED)

    assert "with 2 replicas, but redis" in said


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--durability", "replicated", "--redis", "redis://localhost"), "needs --replicas"),
        (("--replicas", "1", "--redis", "redis://localhost"), "needs --replicas"),
        (REPLICATED, "needs --redis"),
        (("--durability", "eternal"), "durability"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, arguments, why):
    assert why in refusal(tmp_path, *arguments)


def test_what_was_asked_for_is_printed(servers, tmp_path):
    with Serve(tmp_path, "--redis", servers[0].url, *REPLICATED) as serve:
        said = " ".join(serve.log.read_text().split())

    assert (
        "replicated (asked for); the server: append-only file, fsync always, every write on 2 replicas"
        in said
    )


def test_memory_takes_any_server(tmp_path):
    with (
        redis_server(tmp_path / "redis", appendonly="no") as forgetful,
        Serve(tmp_path, "--redis", forgetful.url, "--durability", "memory") as serve,
    ):
        assert "memory (asked for)" in serve.log.read_text()


def test_a_move_that_a_replica_lacks_is_not_answered_as_done_and_plays_once(servers, tmp_path):
    primary, replica, _ = servers
    with Serve(tmp_path, "--redis", primary.url, *REPLICATED) as serve:
        game_id, (ann, _) = serve.table()
        legal = serve.get(f"/v1/games/{game_id}/legalActions", ann)
        move = {
            "decisionId": legal["decision"]["decisionId"],
            "action": legal["actions"][0]["action"],
            "requestId": uuid.uuid4().hex,
        }

        with replica.hanging():
            first = send(serve, game_id, move, ann)
            look = httpx.get(f"{serve.url}/v1/games/{game_id}/view", timeout=30)
            again = send(serve, game_id, move, ann)
        played = [send(serve, game_id, move, ann).json() for _ in range(2)]
        version = serve.get(f"/v1/games/{game_id}/view", ann)["view"]["version"]

    for answer in (first, again):
        assert (503, "UNAVAILABLE") == (answer.status_code, answer.json()["error"]["status"])
        assert "outcome is unknown" in answer.json()["error"]["message"]
        assert "same request_id" in answer.json()["error"]["message"]
    assert (503, "UNAVAILABLE") == (look.status_code, look.json()["error"]["status"])
    assert "not on every replica yet" in look.json()["error"]["message"]
    assert played[0] == played[1]
    assert version == played[0]["view"]["version"]
    key = f"shedu:{{{game_id}}}:events"
    assert {int(version)} == {server.ask("XLEN", key) for server in servers}


def send(serve: Serve, game_id: str, move: dict[str, Any], token: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.post(f"{serve.url}/v1/games/{game_id}:play", json=move, headers=headers, timeout=30)
