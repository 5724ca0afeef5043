"""`shedu serve` as operators meet it: real processes, real stores, real signals."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
import time

import grpc
import httpx
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from shedu.v1 import game_service_pb2, game_service_pb2_grpc
from support.process import Serve
from support.servers import redis_server
from support.waiting import wait_until

NOT_SERVING, SERVING = HealthCheckResponse.NOT_SERVING, HealthCheckResponse.SERVING


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    with Serve(tmp_path_factory.mktemp("serve")) as process:
        yield process


def test_a_game_survives_a_kill_of_everything(tmp_path):
    first = Serve(tmp_path).start()
    game_id, (ann, bob) = first.table()
    first.move(game_id, ann)
    first.signal(signal.SIGKILL)
    first.wait()  # the embedded server is an orphan now

    with Serve(tmp_path) as second:
        view = second.get(f"/v1/games/{game_id}/view", ann)["view"]
        assert [False, True] == [seat["handSize"] == 5 for seat in view["tides"]["seats"]]
        second.move(game_id, bob)


def test_sigterm_ends_it_cleanly_and_nothing_stays_behind(tmp_path):
    process = Serve(tmp_path).start()
    game_id, (ann, _) = process.table()
    watch = game_service_pb2_grpc.GameServiceStub(process.channel()).WatchGame(
        game_service_pb2.WatchGameRequest(game_id=game_id)
    )
    next(watch)

    began = time.monotonic()
    code = process.stop()

    assert 0 == code
    assert time.monotonic() - began < 10
    assert "go_away" == [message.WhichOneof("kind") for message in watch][-1]
    servers = subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, text=True).stdout
    assert "" == servers
    assert ann


def test_no_call_fails_while_it_drains(tmp_path):
    process = Serve(tmp_path).start()
    game_id, _ = process.table()
    stub = game_service_pb2_grpc.GameServiceStub(process.channel())
    failed: list[grpc.StatusCode] = []
    answered = 0

    def hammer() -> None:
        nonlocal answered
        while True:
            try:
                stub.GetGame(game_service_pb2.GetGameRequest(game_id=game_id))
                answered += 1
            except grpc.RpcError as error:
                failed.append(error.code())
                return

    thread = threading.Thread(target=hammer)
    thread.start()
    time.sleep(0.5)
    process.stop()
    thread.join(10)

    assert {grpc.StatusCode.UNAVAILABLE} == set(failed)  # the one that found nobody left
    assert answered > 50


def test_workers_share_the_ports_and_the_games(tmp_path):
    with redis_server(tmp_path / "redis") as redis:
        with Serve(tmp_path, "--redis", redis.url, "--workers", "2") as process:
            children = subprocess.run(
                ["pgrep", "-P", str(process.process and process.process.pid)], capture_output=True, text=True
            )
            game_id, tokens = process.table()
            for token in tokens * 4:
                process.move(game_id, token)
            assert process.get(f"/v1/games/{game_id}")["game"]["status"] == "GAME_STATUS_PLAYING"
            metrics = httpx.get(f"{process.url}/metrics").text
            assert 'method="PlayAction"' in metrics
            assert '\nshedu_moves_total{title="tides"} 8.0\n' in metrics  # of both workers together
            assert re.search(r"^shedu_append_seconds_count 1[0-9]\.0$", metrics, re.MULTILINE)
            assert re.search(r"^shedu_cache_games [12]\.0$", metrics, re.MULTILINE)
            assert re.search(r"^shedu_cache_hits_total [1-9]", metrics, re.MULTILINE)

        assert len(children.stdout.split()) >= 2
        assert [] == [line for line in process.lines() if line["level"] == "error"]


def test_a_crashed_worker_is_replaced(tmp_path):
    with (
        redis_server(tmp_path / "redis") as redis,
        Serve(tmp_path, "--redis", redis.url, "--workers", "2") as process,
    ):
        pid = process.process and process.process.pid
        before = workers(pid)
        subprocess.run(["kill", "-9", before[0]], check=True)
        deadline = time.monotonic() + 15
        while len(set(workers(pid)) - {before[0]}) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        process.wait_until_ready()
        assert process.table()


def workers(pid: object) -> list[str]:
    listed = subprocess.run(["pgrep", "-P", str(pid), "-f", "spawn_main"], capture_output=True, text=True)
    return listed.stdout.split()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--redis", "http://nowhere"), "redis://"),
        (("--workers", "0"), "workers"),
        (("--log-format", "loud"), "log_format"),
        (("--secret-file", "/nowhere/secret", "--workers", "2"), "secret_files"),
        (("--secret-file", "/proc/sys/kernel/ostype"), "at least 16 bytes"),
        (("--identity", "jwt", "--jwt-keys-file", "/proc/sys/kernel/ostype", "--workers", "2"), "key"),
    ],
)
def test_what_cannot_work_is_said_in_a_sentence(tmp_path, monkeypatch, arguments, words):
    process = Serve(tmp_path, *arguments)
    process.launch()

    code = process.wait()

    said = process.log.read_text()
    assert 2 == code
    assert words in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("variable", "value"), [("SHEDU_SECRET_FILES", "/etc/signing"), ("SHEDU_REDIS_FILE", "{blank}")]
)
def test_a_variable_that_cannot_be_used_is_named(tmp_path, variable, value):
    (tmp_path / "blank").write_text("\n")
    process = Serve(tmp_path, **{variable: value.format(blank=tmp_path / "blank")})
    process.launch()

    code = process.wait()

    said = process.log.read_text()
    assert 2 == code
    assert variable.removeprefix("SHEDU_").lower() in said
    assert "Traceback" not in said


def test_it_refuses_a_database_that_is_not_there(tmp_path):
    with redis_server(tmp_path / "redis") as redis:
        process = Serve(tmp_path, "--redis", f"{redis.url}/99")
        process.launch()

        assert 2 == process.wait()
        assert "the server has no database of that number" in process.log.read_text()
        assert "Traceback" not in process.log.read_text()


def test_it_refuses_an_evicting_server(tmp_path):
    with redis_server(tmp_path / "redis", **{"maxmemory-policy": "allkeys-lru"}) as redis:
        process = Serve(tmp_path, "--redis", redis.url)
        process.launch()

        assert 2 == process.wait()
        assert "noeviction" in process.log.read_text()


def test_it_refuses_a_port_or_a_data_directory_in_use(serve, tmp_path):
    same_port = Serve(tmp_path)
    same_port.port = serve.port
    same_port.command[same_port.command.index("--port") + 1] = str(serve.port)
    same_port.launch()
    assert 2 == same_port.wait()
    assert str(serve.port) in same_port.log.read_text()

    same_data = Serve(serve.log.parent)
    same_data.log = tmp_path / "other.log"
    same_data.launch()
    assert 2 == same_data.wait()
    assert "in use" in same_data.log.read_text()


def test_it_says_where_the_games_are_and_how_durable(serve):
    said = serve.log.read_text().replace("\n", "")

    assert str(serve.log.parent / "data") in said
    assert "fsync always" in said


def test_each_call_has_one_log_line_that_names_no_secret_and_no_choice(serve):
    game_id, (ann, bob) = serve.table()
    serve.move(game_id, ann)
    serve.move(game_id, bob)
    httpx.get(f"{serve.url}/v1/games/{game_id}/view", headers={"Authorization": "Bearer shedu_seat_forged"})

    mine = [line for line in serve.lines() if line.get("game") == game_id]
    moves = [line for line in mine if line["method"] == "PlayAction"]
    text = serve.log.read_text()
    assert [0, 1] == [line["seat"] for line in moves]
    assert {"method", "transport", "code", "reason", "ms", "game", "seat", "version"} <= moves[0].keys()
    assert "shedu_seat_" not in text
    assert "CARD_" not in text
    assert "choose" not in text


def test_health_and_readiness_are_told_apart(tmp_path):
    with redis_server(tmp_path / "redis") as redis, Serve(tmp_path, "--redis", redis.url) as process:
        redis.stop()

        assert 200 == httpx.get(f"{process.url}/healthz").status_code
        assert 503 == httpx.get(f"{process.url}/readyz", timeout=20).status_code
        away = httpx.get(f"{process.url}/v1/games/{'a' * 20}", timeout=20)
        assert 503 == away.status_code
        assert "STORE_UNAVAILABLE" in away.text

        redis.start()
        process.wait_until_ready()
        assert process.table()


def test_without_its_store_it_lives_but_is_not_ready(tmp_path):
    def health(service: str) -> int:
        with process.channel() as channel:
            return HealthStub(channel).Check(HealthCheckRequest(service=service), timeout=3).status

    with redis_server(tmp_path / "redis") as redis, Serve(tmp_path, "--redis", redis.url) as process:
        process.wait_until_ready()
        ready, alive = "shedu.v1.GameService", ""
        assert (SERVING, SERVING) == (health(ready), health(alive))

        with redis.hanging():
            wait_until(lambda: health(ready) == NOT_SERVING)
            assert SERVING == health(alive)
            assert not process.ready()
            assert "\nshedu_ready 0.0\n" in httpx.get(f"{process.url}/metrics").text

        wait_until(lambda: health(ready) == SERVING)
        assert "\nshedu_ready 1.0\n" in httpx.get(f"{process.url}/metrics").text
