"""Tests that silent connections do not use up the descriptors of either port or of the store."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import cycle, islice
from pathlib import Path

import grpc
import pytest

from gamehost.file_limit import connection_room
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import Serve
from support.waiting import PATIENCE, wait_until

SOFT, HARD = 128, 256  # descriptors
CROWD = 3 * connection_room(HARD)
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HALF_BODY = b"POST /v1/games HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"
SILENT = {
    "http": (b"", b"GET / HTTP/1.1\r\nhost:", HALF_BODY),
    "grpc": (b"", PREFACE, PREFACE + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])),
}


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A service with a low limit of file descriptors."""
    service = Serve(tmp_path_factory.mktemp("connections"), "--no-bots", forked=False)
    limited = f'ulimit -S -n {SOFT} && ulimit -H -n {HARD} && exec "$@"'
    service.command = ["sh", "-c", limited, "sh", *service.command]
    with service:
        yield service


def descriptors(service: Serve) -> int:
    assert service.process is not None
    return len(os.listdir(f"/proc/{service.process.pid}/fd"))


def test_the_file_limit_is_raised_at_the_start(narrow: Serve) -> None:
    assert narrow.process is not None

    limits = Path(f"/proc/{narrow.process.pid}/limits").read_text().splitlines()

    [line] = [line for line in limits if line.startswith("Max open files")]
    assert [str(HARD), str(HARD)] == line.split()[3:5]


@pytest.mark.parametrize("port", ["http", "grpc"])
def test_a_crowd_that_says_nothing_keeps_nobody_out(narrow: Serve, port: str) -> None:
    number = {"http": narrow.port, "grpc": narrow.grpc_port}[port]
    with ExitStack() as crowd, narrow.channel() as before:
        caller = GameServiceStub(before)
        for place, sent in enumerate(islice(cycle(SILENT[port]), CROWD)):
            silent = crowd.enter_context(socket.create_connection(("127.0.0.1", number), PATIENCE))
            with suppress(ConnectionError):  # closed already
                silent.sendall(sent)
            if place % 12 == 0:
                narrow.get("/v1/games")
                caller.ListGames(pb.ListGamesRequest(), timeout=PATIENCE)
        wait_until(
            lambda: f'shedu_closed_connections_total{{port="{port}",why="evicted"}}' in narrow.metrics()
        )

        game_id, tokens = narrow.table()
        narrow.move(game_id, tokens[0])
        with grpc.insecure_channel(
            narrow.address, options=[("grpc.use_local_subchannel_pool", 1)]
        ) as newcomer:
            found = GameServiceStub(newcomer).CreateGame(
                pb.CreateGameRequest(title="tides"), timeout=PATIENCE, wait_for_ready=True
            )

        assert found.game.game_id
        assert descriptors(narrow) < HARD
    assert [] == [line for line in narrow.lines() if line["level"] == "error"]
