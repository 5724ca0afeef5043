"""Tests of `shedu serve` with real processes, stores and signals."""

from __future__ import annotations

import itertools
import subprocess
import threading

import grpc
import httpx
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from shedu.v1 import game_service_pb2, game_service_pb2_grpc
from support.process import Serve, refusal, shedu
from support.servers import redis_server
from support.waiting import PATIENCE, wait_until

NOT_SERVING, SERVING = HealthCheckResponse.NOT_SERVING, HealthCheckResponse.SERVING


class Hammer:
    """Calls GetGame repeatedly until a call fails."""

    def __init__(self, stub: game_service_pb2_grpc.GameServiceStub, game_id: str) -> None:
        self.answered, self.failed = 0, None
        self._stub, self._request = stub, game_service_pb2.GetGameRequest(game_id=game_id)
        self._thread = threading.Thread(target=self._ask, daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        for self.answered in itertools.count():
            try:
                self._stub.GetGame(self._request, timeout=PATIENCE)
            except grpc.RpcError as error:
                self.failed = error.code()
                return

    def end(self) -> None:
        self._thread.join(PATIENCE)


def test_a_game_survives_a_kill_of_everything_and_an_end_by_sigterm_costs_no_call(tmp_path):
    with Serve(tmp_path, forked=False) as process:
        game_id, (ann, bob) = process.table()
        process.move(game_id, ann)

        process.kill()  # leaves the embedded server without its parent
        process.start()

        view = process.get(f"/v1/games/{game_id}/view", ann)["view"]
        assert [False, True] == [seat["handSize"] == 5 for seat in view["tides"]["seats"]]
        process.move(game_id, bob)
        with process.channel() as channel:
            stub = game_service_pb2_grpc.GameServiceStub(channel)
            watch = stub.WatchGame(game_service_pb2.WatchGameRequest(game_id=game_id))
            next(watch)
            hammer = Hammer(stub, game_id)
            wait_until(lambda: hammer.answered > 50)

            code = process.stop()

            hammer.end()
            assert "go_away" == [message.WhichOneof("kind") for message in watch][-1]
    assert 0 == code
    assert grpc.StatusCode.UNAVAILABLE == hammer.failed  # the first call after the server was gone
    assert "" == subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, text=True).stdout


def test_what_cannot_work_is_said_in_a_sentence():
    done = shedu("serve", "--secret-file", "/nowhere/secret", "--workers", "2")

    assert (2, "") == (done.returncode, done.stdout)
    assert "secret_files" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--redis", "http://nowhere"), "redis://"),
        (("--workers", "0"), "workers"),
        (("--log-format", "loud"), "log_format"),
        (("--secret-file", "/proc/sys/kernel/ostype"), "at least 16 bytes"),
        (("--identity", "jwt", "--jwt-keys-file", "/proc/sys/kernel/ostype", "--workers", "2"), "key"),
    ],
)
def test_an_option_that_cannot_work_is_named(tmp_path, arguments, words):
    assert words in refusal("--data-dir", tmp_path, *arguments)


@pytest.mark.parametrize(
    ("variable", "value"), [("SHEDU_SECRET_FILES", "/etc/signing"), ("SHEDU_REDIS_FILE", "{blank}")]
)
def test_a_variable_that_cannot_be_used_is_named(tmp_path, variable, value):
    (tmp_path / "blank").write_text("\n")

    said = refusal("--data-dir", tmp_path, **{variable: value.format(blank=tmp_path / "blank")})

    assert variable.removeprefix("SHEDU_").lower() in said


def test_it_refuses_a_database_that_is_not_there(tmp_path):
    with redis_server(tmp_path / "redis") as redis:
        assert "the server has no database of that number" in refusal("--redis", f"{redis.url}/99")


def test_it_refuses_an_evicting_server(tmp_path):
    with redis_server(tmp_path / "redis", **{"maxmemory-policy": "allkeys-lru"}) as redis:
        assert "noeviction" in refusal("--redis", redis.url)


def test_it_refuses_a_port_or_a_data_directory_in_use(serve, tmp_path):
    assert f"127.0.0.1:{serve.port} " in refusal("--data-dir", tmp_path, "--port", serve.port)
    assert "in use" in refusal("--data-dir", serve.log.parent / "data")


def test_it_says_where_the_games_are_and_how_durable(serve):
    said = serve.log.read_text().replace("\n", "")

    assert str(serve.log.parent / "data") in said
    assert "fsync always" in said


def test_each_call_has_one_log_line_that_names_no_secret_and_no_choice(serve):
    earlier = serve.log.stat().st_size  # earlier tests may have logged refusals
    game_id, (ann, bob) = serve.table()
    forged = {"Authorization": "Bearer shedu_seat_forged"}
    httpx.get(f"{serve.url}/v1/games/{game_id}/view", headers=forged, timeout=PATIENCE)
    serve.move(game_id, ann)
    serve.move(game_id, bob)

    def moves():
        lines = [line for line in serve.lines() if line.get("game") == game_id]
        return [line for line in lines if line["method"] == "PlayAction"]

    wait_until(lambda: len(moves()) > 1)
    text = serve.log.read_bytes()[earlier:].decode()
    assert [0, 1] == [line["seat"] for line in moves()]
    assert {"method", "transport", "code", "reason", "ms", "game", "seat", "version"} <= moves()[0].keys()
    assert "shedu_seat_" not in text
    assert "CARD_" not in text
    assert "choose" not in text


def test_without_its_store_it_lives_but_is_not_ready(tmp_path):
    def health(service: str) -> int:
        with process.channel() as channel:
            return HealthStub(channel).Check(HealthCheckRequest(service=service), timeout=PATIENCE).status

    def get(path: str) -> httpx.Response:
        return httpx.get(f"{process.url}{path}", timeout=PATIENCE)

    ready, alive = "shedu.v1.GameService", ""
    with redis_server(tmp_path / "redis") as redis, Serve(tmp_path, "--redis", redis.url) as process:
        wait_until(lambda: (SERVING, SERVING) == (health(ready), health(alive)))

        with redis.hanging():
            wait_until(lambda: health(ready) == NOT_SERVING)
            assert (SERVING, 200) == (health(alive), get("/healthz").status_code)
            assert 503 == get("/readyz").status_code
            assert "\nshedu_ready 0.0\n" in process.metrics()

        wait_until(lambda: health(ready) == SERVING)
        assert "\nshedu_ready 1.0\n" in process.metrics()

        redis.stop()
        assert (200, 503) == (get("/healthz").status_code, get("/readyz").status_code)
        away = get(f"/v1/games/{'a' * 20}")
        assert (503, True) == (away.status_code, "STORE_UNAVAILABLE" in away.text)

        redis.start()
        process.wait_until_ready()
        assert process.table()
