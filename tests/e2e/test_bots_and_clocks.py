"""Tests that moves of bots and time-outs happen once on real servers, also when a process is killed."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from gamehost.rules.catalog import CATALOG
from robustness.environment import library
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import Serve, bearer, shedu_here, started
from support.waiting import PATIENCE, wait_until

BOT = {"botLevel": "random"}
SECOND = {"perDecision": "1s"}
PENDING = 10


def events(serve: Serve, game_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = serve.get(f"/v1/games/{game_id}/events", page_size=1000)["events"]
    return found


def count(serve: Serve, game_id: str, kind: str) -> int:
    return sum(kind in event for event in events(serve, game_id))


def over(serve: Serve, game_id: str) -> tuple[list[int], str] | None:
    """Returns ranks and reason of the outcome; None while the game goes on."""
    outcome = serve.get(f"/v1/games/{game_id}")["game"].get("outcome")
    return outcome and (outcome["ranks"], outcome["reason"])


def ended(serve: Serve, game_id: str) -> tuple[list[int], str]:
    return wait_until(lambda: over(serve, game_id))


def seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


@pytest.mark.parametrize("title", CATALOG)
def test_every_title_is_played_against_bots_to_its_end(serve: Serve, title: str) -> None:
    coin, seats = random.Random(title), CATALOG[title].seats.start
    with serve.channel() as channel:
        stub = GameServiceStub(channel)
        plan = [game_pb2.SeatPlan(), *[game_pb2.SeatPlan(bot_level="random")] * (seats - 1)]
        game_id = stub.CreateGame(pb.CreateGameRequest(title=title, seats=plan)).game.game_id
        me = bearer(stub.JoinGame(pb.JoinGameRequest(game_id=game_id)).seat_token)

        for message in stub.WatchGame(pb.WatchGameRequest(game_id=game_id), metadata=me, timeout=PATIENCE):
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
    game_id, tokens = serve.table(title="tigris", clock={**SECOND, "botLevel": "random"})

    (taken, *_) = wait_until(
        lambda: [event for event in events(serve, game_id) if "seatTakenOver" in event],
    )

    mine = taken["seatTakenOver"].get("seat", 0)
    asked = [event for event in events(serve, game_id) if int(event["version"]) < int(taken["version"])]
    assert seconds(taken["eventTime"]) - seconds(asked[-1]["eventTime"]) > 0.999
    refused = httpx.post(
        f"{serve.url}/v1/games/{game_id}:play",
        json={"decisionId": "x", "action": {"tigris": {"endTurn": {}}}},
        headers={"Authorization": f"Bearer {tokens[mine]}"},
        timeout=PATIENCE,
    )
    assert "SEAT_TAKEN_OVER" == refused.json()["error"]["details"][0]["reason"]
    back = serve.post(f"/v1/games/{game_id}:reclaim", {}, tokens[mine])["game"]["seats"][mine]
    assert (False, "") == (back["takenOver"], back["botLevel"])
    assert "shedu_timeouts_total" in serve.metrics()
    serve.post(f"/v1/games/{game_id}:resign", {}, tokens[mine])  # so that the bots stop playing


def pending(serve: Serve, games: int, seconds: int) -> list[str]:
    """Creates games in which no seat answers."""
    clock = {"perDecision": f"{seconds}s", "onTimeout": "TIMEOUT_POLICY_FORFEIT"}
    return [serve.table(title="tigris", clock=clock)[0] for _ in range(games)]


@pytest.fixture(scope="module")
def pair(module_redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Serve, Serve]]:
    """Two servers on one Redis; the clock of the second is an hour ahead."""
    faketime = library("libfaketimeMT.so.1")
    assert faketime, "libfaketime (package faketime) is not installed"
    ahead = {"LD_PRELOAD": str(faketime), "FAKETIME": "+1h", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    right = Serve(tmp_path_factory.mktemp("right"), "--redis", module_redis_url)
    wrong = Serve(tmp_path_factory.mktemp("wrong"), "--redis", module_redis_url, NO_FAKE_STAT="1", **ahead)
    with right, wrong:
        yield right, wrong


def test_of_two_servers_on_one_redis_one_enforces(pair: tuple[Serve, Serve]) -> None:
    first, second = pair
    games = pending(first, PENDING, 2)

    for game_id in games:
        ranks, reason = ended(second, game_id)
        assert ([1, 2], "TIMED_OUT") == (sorted(ranks), reason)

    games += pending(second, 1, 1)  # when this one is over, both servers have checked the others
    ended(first, games[-1])
    assert [1] * len(games) == [count(first, game_id, "seatResigned") for game_id in games]
    wait_until(lambda: timeouts(*pair) >= len(games))
    assert len(games) == timeouts(*pair)


def timeouts(*servers: Serve) -> float:
    name = 'shedu_timeouts_total{title="tigris"}'
    lines = [line for serve in servers for line in serve.metrics().splitlines()]
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name))


def test_a_machine_whose_clock_is_wrong_takes_nobodys_time(pair: tuple[Serve, Serve]) -> None:
    """Every process enforces deadlines by the clock of the store, not by its own."""
    right, wrong = pair
    game_id, tokens = right.table(clock={"perDecision": "600s"})
    another, _ = wrong.table(clock=SECOND)
    before = time.time()
    wait_until(lambda: count(wrong, another, "seatTakenOver"))

    moved = wrong.move(game_id, tokens[0])

    assert 0 == count(right, game_id, "seatTakenOver")
    (deadline,) = {decision["deadline"] for decision in moved["view"]["decisions"]}
    assert before - 60 < seconds(deadline) - 600 < time.time() + 60
    clocks = [clock["deadline"] for clock in moved["view"]["clocks"] if "deadline" in clock]
    assert {deadline} == {*clocks}


def test_deadlines_and_bots_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    with Serve(tmp_path, SHEDU_BOT_THINK_SECONDS="0.2") as serve:
        played = serve.post("/v1/games", {"title": "tides", "seats": [BOT, BOT]})["game"]["gameId"]
        wait_until(lambda: len(events(serve, played)) > 10)
        (waiting,) = pending(serve, 1, 2)
        (asked,) = serve.get(f"/v1/games/{waiting}/view")["view"]["decisions"]

        serve.kill()
        wait_until(lambda: time.time() > seconds(asked["deadline"]))
        serve.environment["SHEDU_BOT_THINK_SECONDS"] = "0"
        serve.start()

        assert "TIMED_OUT" == ended(serve, waiting)[1]
        assert "ROUNDS_PLAYED" == ended(serve, played)[1]
        assert 1 == count(serve, waiting, "seatResigned")
        numbers = [int(event["version"]) for event in events(serve, played)]
    assert list(range(1, len(numbers) + 1)) == numbers


@contextmanager
def hosting(data: Path) -> Iterator[subprocess.Popen[str]]:
    """Runs `shedu bots`, and kills it at the end."""
    bots = started("gamehost", "bots", "--data-dir", data, SHEDU_BOT_THINK_SECONDS="0")
    try:
        yield bots
    finally:
        bots.kill()
        bots.communicate()


def test_bots_in_a_process_of_their_own_and_a_game_that_never_starts(tmp_path: Path) -> None:
    """A bot process that starts first waits for the service, and does not take its store."""
    (tmp_path / "data").mkdir()
    bot_game, expiry = {"title": "tides", "seats": [BOT, BOT]}, str(0.5 / 3600)
    with ExitStack() as stack:
        first = stack.enter_context(hosting(tmp_path / "data"))
        assert first.stderr is not None
        assert f"no service runs in {tmp_path / 'data'}; waiting for one" in first.stderr.readline()
        assert [] == list((tmp_path / "data").iterdir())
        serve = stack.enter_context(Serve(tmp_path, "--no-bots", SHEDU_GAME_EXPIRY_HOURS=expiry))
        game = serve.post("/v1/games", bot_game)["game"]
        assert "ROUNDS_PLAYED" == ended(serve, game["gameId"])[1]
        first.send_signal(signal.SIGTERM)
        assert 0 == first.wait(PATIENCE)

        game, lonely = serve.post("/v1/games", bot_game)["game"], serve.post("/v1/games", {"title": "tides"})
        assert "expireTime" in lonely["game"]
        assert ([], "EXPIRED") == ended(serve, lonely["game"]["gameId"])
        assert int(game["version"]) == len(events(serve, game["gameId"]))  # nobody has moved
        with hosting(tmp_path / "data"):
            assert "ROUNDS_PLAYED" == ended(serve, game["gameId"])[1]


def test_bots_want_a_data_directory_that_is_there(tmp_path: Path) -> None:
    done = shedu_here("bots", "--data-dir", tmp_path / "typo")

    assert 2 == done.returncode
    assert f"there is no data directory {tmp_path / 'typo'}" in " ".join(done.stderr.split())
    assert not (tmp_path / "typo").exists()
