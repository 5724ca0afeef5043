"""Bots and clocks on real servers: what happens by itself happens once, whatever is killed meanwhile."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from gamehost.rules.catalog import CATALOG
from robustness.world import library
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import Serve
from support.servers import RedisServer, redis_server

BOT = {"botLevel": "random"}
SECOND = {"perDecision": "1s"}
PATIENCE = 60.0


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    with Serve(tmp_path_factory.mktemp("bots"), SHEDU_BOT_THINK_SECONDS="0") as process:
        yield process


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with redis_server(tmp_path) as server:
        yield server


def until(found: Callable[[], Any]) -> Any:
    """What is found, sooner or later."""
    deadline = time.monotonic() + PATIENCE
    while not (what := found()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)
    return what


def events(serve: Serve, game_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = serve.get(f"/v1/games/{game_id}/events", page_size=1000)["events"]
    return found


def count(serve: Serve, game_id: str, kind: str) -> int:
    return sum(kind in event for event in events(serve, game_id))


def over(serve: Serve, game_id: str) -> tuple[list[int], str] | None:
    """Who came where, and why it ended, once it has."""
    outcome = serve.get(f"/v1/games/{game_id}")["game"].get("outcome")
    return outcome and (outcome["ranks"], outcome["reason"])


@pytest.mark.parametrize("title", CATALOG)
def test_every_title_is_played_against_bots_to_its_end(serve: Serve, title: str) -> None:
    coin, seats = random.Random(title), CATALOG[title].seats.start
    with serve.channel() as channel:
        stub = GameServiceStub(channel)
        plan = [game_pb2.SeatPlan(), *[game_pb2.SeatPlan(bot_level="random")] * (seats - 1)]
        game_id = stub.CreateGame(pb.CreateGameRequest(title=title, seats=plan)).game.game_id
        token = stub.JoinGame(pb.JoinGameRequest(game_id=game_id)).seat_token
        me = [("authorization", f"Bearer {token}")]

        for message in stub.WatchGame(pb.WatchGameRequest(game_id=game_id), metadata=me, timeout=120):
            view = message.snapshot if message.HasField("snapshot") else message.happened.view
            if message.HasField("go_away"):
                break
            if not any(decision.seat == 0 for decision in view.decisions):
                continue
            legal = stub.ListLegalActions(pb.ListLegalActionsRequest(game_id=game_id), metadata=me)
            if legal.version != view.version or not legal.actions:
                continue
            answer = pb.PlayActionRequest(
                game_id=game_id,
                decision_id=legal.decision.decision_id,
                action=coin.choice(legal.actions).action,
            )
            stub.PlayAction(answer, metadata=me)

        outcome = stub.GetGame(pb.GetGameRequest(game_id=game_id)).game.outcome
    assert seats == len(outcome.ranks) == len(outcome.scores)


def test_a_bot_is_added_and_resigned_against_over_rest(serve: Serve) -> None:
    game_id = serve.post("/v1/games", {"title": "stone_age", "seatCount": 2})["game"]["gameId"]
    token = serve.post(f"/v1/games/{game_id}:join", {})["seatToken"]

    added = serve.post(f"/v1/games/{game_id}:addBot", {"botLevel": "random"}, token)
    resigned = serve.post(f"/v1/games/{game_id}:resign", {}, token)

    assert (1, "GAME_STATUS_PLAYING") == (added["botSeat"], added["game"]["status"])
    assert resigned["game"]["status"] == "GAME_STATUS_FINISHED"
    assert ([2, 1], "RESIGNED") == over(serve, game_id)


def test_a_seat_is_taken_over_in_time_and_taken_back(serve: Serve) -> None:
    wish = {"title": "tigris", "clock": {**SECOND, "botLevel": "random"}}
    game_id = serve.post("/v1/games", wish)["game"]["gameId"]
    tokens = [serve.post(f"/v1/games/{game_id}:join", {})["seatToken"] for _ in range(2)]
    began = time.monotonic()
    view = serve.get(f"/v1/games/{game_id}/view")["view"]
    (asked,) = view["decisions"]
    mine = asked.get("seat", 0)
    assert asked["deadline"] == view["clocks"][mine]["deadline"]
    legal = serve.get(f"/v1/games/{game_id}/legalActions", tokens[mine])

    until(lambda: count(serve, game_id, "seatTakenOver"))

    assert 0.7 < time.monotonic() - began < 3
    refused = httpx.post(
        f"{serve.url}/v1/games/{game_id}:play",
        json={"decisionId": "x", "action": legal["actions"][0]["action"]},
        headers={"Authorization": f"Bearer {tokens[mine]}"},
    )
    assert "SEAT_TAKEN_OVER" == refused.json()["error"]["details"][0]["reason"]
    back = serve.post(f"/v1/games/{game_id}:reclaim", {}, tokens[mine])["game"]["seats"][mine]
    assert (False, "") == (back["takenOver"], back["botLevel"])
    assert "shedu_timeouts_total" in httpx.get(f"{serve.url}/metrics").text


def test_a_game_that_never_starts_expires(tmp_path: Path) -> None:
    with Serve(tmp_path, SHEDU_GAME_EXPIRY_HOURS=str(0.5 / 3600)) as serve:
        created = serve.post("/v1/games", {"title": "tides"})["game"]
        assert "expireTime" in created

        assert ([], "EXPIRED") == until(lambda: over(serve, created["gameId"]))


def pending(serve: Serve, games: int, seconds: int) -> list[str]:
    """Games in which nobody will answer."""
    wish = {"title": "tigris", "clock": {"perDecision": f"{seconds}s", "onTimeout": "TIMEOUT_POLICY_FORFEIT"}}
    found = [serve.post("/v1/games", wish)["game"]["gameId"] for _ in range(games)]
    for game_id in found:
        for _ in range(2):
            serve.post(f"/v1/games/{game_id}:join", {})
    return found


def test_of_two_servers_on_one_redis_one_enforces(tmp_path: Path, redis: RedisServer) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    with Serve(folders[0], "--redis", redis.url) as first, Serve(folders[1], "--redis", redis.url) as second:
        games = pending(first, 20, 2)

        for game_id in games:
            ranks, reason = until(lambda game_id=game_id: over(second, game_id))
            assert ([1, 2], "TIMED_OUT") == (sorted(ranks), reason)

        time.sleep(0.5)
        assert [1] * 20 == [count(first, game_id, "seatResigned") for game_id in games]
        lines = [httpx.get(f"{serve.url}/metrics").text for serve in (first, second)]
    assert 20.0 == sum(metric(text, 'shedu_timeouts_total{title="tigris"}') for text in lines)


def metric(text: str, name: str) -> float:
    return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name))


def test_a_deadline_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    serve = Serve(tmp_path)
    with serve:
        (game_id,) = pending(serve, 1, 2)
        serve.signal(signal.SIGKILL)
        serve.wait()
        time.sleep(2)
        serve.start()

        assert "TIMED_OUT" == until(lambda: over(serve, game_id))[1]

        time.sleep(0.5)
        assert 1 == count(serve, game_id, "seatResigned")


def test_bots_play_on_when_their_server_is_killed(tmp_path: Path) -> None:
    serve = Serve(tmp_path, SHEDU_BOT_THINK_SECONDS="0.2")
    with serve:
        game_id = serve.post("/v1/games", {"title": "tides", "seats": [BOT, BOT]})["game"]["gameId"]
        until(lambda: len(events(serve, game_id)) > 10)
        serve.signal(signal.SIGKILL)
        serve.wait()
        serve.environment["SHEDU_BOT_THINK_SECONDS"] = "0"
        serve.start()

        deadline = time.monotonic() + 60
        while not over(serve, game_id):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        numbers = [int(event["version"]) for event in events(serve, game_id)]
    assert list(range(1, len(numbers) + 1)) == numbers


def test_bots_in_a_process_of_their_own(tmp_path: Path) -> None:
    with Serve(tmp_path, "--no-bots", SHEDU_BOT_THINK_SECONDS="0") as serve:
        game = serve.post("/v1/games", {"title": "tides", "seats": [BOT, BOT]})["game"]
        game_id = game["gameId"]
        time.sleep(1)
        before = len(events(serve, game_id))
        command = [sys.executable, "-m", "gamehost", "bots", "--data-dir", str(tmp_path / "data")]
        bots = subprocess.Popen(command, env=serve.environment)
        try:
            outcome = until(lambda: over(serve, game_id))
        finally:
            bots.send_signal(signal.SIGTERM)
            ended = bots.wait(PATIENCE)

    assert "ROUNDS_PLAYED" == outcome[1]
    assert before == int(game["version"])
    assert 0 == ended


def test_bots_that_come_first_wait_for_the_service_and_take_nothing_from_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    serve = Serve(tmp_path, "--no-bots", SHEDU_BOT_THINK_SECONDS="0")
    command = [sys.executable, "-m", "gamehost", "bots", "--data-dir", str(tmp_path / "data")]
    bots = subprocess.Popen(command, env=serve.environment, stderr=subprocess.PIPE, text=True)
    try:
        assert bots.stderr is not None
        told = bots.stderr.readline()
        assert [] == list((tmp_path / "data").iterdir())
        with serve:
            game = serve.post("/v1/games", {"title": "tides", "seats": [BOT, BOT]})["game"]
            outcome = until(lambda: over(serve, game["gameId"]))
            bots.send_signal(signal.SIGTERM)
            ended = bots.wait(PATIENCE)
    finally:
        bots.kill()
        bots.communicate()

    assert f"no service runs in {tmp_path / 'data'}; waiting for one" in told
    assert ("ROUNDS_PLAYED", 0) == (outcome[1], ended)


def test_bots_want_a_data_directory_that_is_there(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gamehost", "bots", "--data-dir", str(tmp_path / "typo")]

    done = subprocess.run(
        command, env=Serve(tmp_path).environment, capture_output=True, text=True, timeout=PATIENCE
    )

    assert 2 == done.returncode
    assert f"there is no data directory {tmp_path / 'typo'}" in done.stderr
    assert not (tmp_path / "typo").exists()


def test_several_workers_host_bots(tmp_path: Path) -> None:
    with Serve(tmp_path, "--workers", "2", SHEDU_BOT_THINK_SECONDS="0") as serve:
        games = [
            serve.post("/v1/games", {"title": "tides", "seats": [BOT, BOT]})["game"]["gameId"]
            for _ in range(4)
        ]

        reasons = [until(lambda game_id=game_id: over(serve, game_id))[1] for game_id in games]

        assert ["ROUNDS_PLAYED"] * 4 == reasons
        assert 0 == serve.stop()


def test_a_machine_whose_clock_is_wrong_takes_nobodys_time(redis: RedisServer, tmp_path: Path) -> None:
    """What counts is the store's time, whichever process looks, and whichever is asked."""
    faketime = library("libfaketimeMT.so.1")
    assert faketime, "libfaketime (package faketime) is not installed"
    ahead = {"LD_PRELOAD": str(faketime), "FAKETIME": "+1h", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    (tmp_path / "wrong").mkdir()
    with Serve(tmp_path, "--redis", redis.url) as right:
        game_id, tokens = right.table(clock={"perDecision": "600s"})
        with Serve(tmp_path / "wrong", "--redis", redis.url, NO_FAKE_STAT="1", **ahead) as wrong:
            another, _ = wrong.table(clock=SECOND)
            until(lambda: count(wrong, another, "seatTakenOver"))
            moved = wrong.move(game_id, tokens[0])

        assert 0 == count(right, game_id, "seatTakenOver")
    (deadline,) = {decision["deadline"] for decision in moved["view"]["decisions"]}
    left = datetime.fromisoformat(deadline).timestamp() - time.time()
    assert 0 < left <= 600
