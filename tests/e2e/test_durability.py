"""Tests of `--durability`: a server with less is refused, and moves are replicated before the answer."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from support.process import Serve, announcement, refusal, shedu
from support.sentinels import online
from support.servers import RedisServer, free_port, redis_server
from support.waiting import PATIENCE, wait_until

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


def test_a_server_that_promises_less_than_was_asked_for_is_refused(tmp_path):
    ports = ("--port", free_port(), "--grpc-port", free_port())
    with redis_server(tmp_path / "redis", appendfsync="everysec") as weak:
        done = shedu("serve", "--redis", weak.url, "--durability", "durable", *ports)

    said = " ".join(done.stderr.split())
    assert (2, "") == (done.returncode, done.stdout)
    assert "durability durable was asked for" in said
    assert "appendfsync always" in said
    assert "Traceback" not in said


def test_too_few_replicas_are_refused(tmp_path):
    with redis_server(tmp_path / "redis") as lonely:
        said = refusal("--redis", lonely.url, *REPLICATED)

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
def test_what_makes_no_sense_is_refused(arguments, why):
    assert why in refusal(*arguments)


def test_what_was_asked_for_is_printed(servers):
    said = announcement("--redis", servers[0].url, *REPLICATED)

    assert (
        "replicated (requested); the server: append-only file, fsync always, every write on 2 replicas"
        in said
    )


def test_memory_takes_any_server(tmp_path):
    with redis_server(tmp_path / "redis", appendonly="no") as forgetful:
        said = announcement("--redis", forgetful.url, "--durability", "memory")

    assert "memory (requested)" in said


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
            look = httpx.get(f"{serve.url}/v1/games/{game_id}/view", timeout=PATIENCE)
            again = send(serve, game_id, move, ann)
        wait_until(
            lambda: send(serve, game_id, move, ann).status_code == 200
        )  # until the replica has caught up
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
    return httpx.post(f"{serve.url}/v1/games/{game_id}:play", json=move, headers=headers, timeout=PATIENCE)
