"""Bots that play wherever they are invited, on a server that knows its callers."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import shedu
from sdk.players import play
from shedu.v1.game_pb2 import GameStatus, SeatPlan
from support.process import ROOT, Serve

BOT = """
import time

def decide(view, decision, actions):
    time.sleep(0.02)
    return actions[0]
"""
PATHS = os.pathsep.join([str(ROOT / "service"), str(ROOT / "clients/python")])


@pytest.fixture
def serve(tmp_path):
    with Serve(tmp_path, "--identity", "keys") as process:
        yield process


@pytest.fixture
def keys(serve, tmp_path):
    return [
        command("keys", "create", name, "--data-dir", str(tmp_path / "data")) for name in ("ann", "robot")
    ]


def command(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "gamehost", *arguments],
        env={**os.environ, "PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout.strip()


def robot(serve: Serve, key: str, file: str, *arguments: str) -> subprocess.Popen[str]:
    server = f"127.0.0.1:{serve.grpc_port}"
    return subprocess.Popen(
        [sys.executable, "-m", "gamehost", "bot", "run", file, "--title", "tides", "--json", *arguments],
        env={**os.environ, "PYTHONPATH": PATHS, "SHEDU_SERVER": server, "SHEDU_TOKEN": key},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def invite(server: shedu.Server) -> shedu.Player:
    """A seat at a new game whose other one is kept for the robot."""
    return server.create("tides", seats=[SeatPlan(), *shedu.reserved("key:robot")]).join("Ann")


def test_a_bot_plays_where_it_is_invited_through_crashes_of_its_own_and_of_the_server(serve, keys, tmp_path):
    ann_key, robot_key = keys
    file = tmp_path / "my_bot.py"
    file.write_text(BOT)
    with shedu.connect(f"127.0.0.1:{serve.grpc_port}", token=ann_key, patience=60) as server:
        seats = [invite(server) for _ in range(3)]
        with ThreadPoolExecutor(len(seats)) as pool:
            playing = [pool.submit(play, seat, random.Random(seat.id)) for seat in seats]
            first = robot(serve, robot_key, str(file))
            wait_for(seats[0], version=14)
            first.send_signal(signal.SIGKILL)
            first.communicate()
            second = robot(serve, robot_key, str(file), "--games", "3")
            wait_for(seats[0], version=22)
            serve.signal(signal.SIGKILL)
            serve.wait()
            serve.start()

            said, complaints = second.communicate(timeout=90)
            answered = [each.result(60) for each in playing]

        assert all(" waiting for " in each or each.endswith(" is back") for each in complaints.splitlines())
        facts = json.loads(said)
        assert (3, 0, 0) == (facts["games"], facts["failures"], facts["lost"])
        assert [14] * 3 == [len(own) for own in answered]
        for seat in seats:
            versions = [event.version for event in seat.events()]
            assert list(range(1, len(versions) + 1)) == versions
        assert {seat.id for seat in seats} == {game.game_id for game in server.games(mine=True)}


def test_a_bot_joins_every_game_it_is_invited_to_however_many_wait_for_others(serve, keys, tmp_path):
    ann_key, robot_key = keys
    file = tmp_path / "my_bot.py"
    file.write_text(BOT)
    with shedu.connect(f"127.0.0.1:{serve.grpc_port}", token=ann_key, patience=60) as server:
        plan = [SeatPlan(), *shedu.reserved("key:robot")]
        games = [server.create("tides", seats=plan) for _ in range(18)]
        running = robot(serve, robot_key, str(file))
        try:
            for game in games:
                wait_until(lambda game=game: game.look().seats[1].taken)
        finally:
            running.kill()
            running.communicate()

        assert {"GAME_STATUS_GATHERING"} == {GameStatus.Name(game.look().status) for game in games}


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def wait_for(player: shedu.Player, version: int) -> None:
    wait_until(lambda: player.look().version >= version)


def test_an_inbox_tells_what_is_pending_again_after_a_restart(serve, keys):
    with shedu.connect(f"127.0.0.1:{serve.grpc_port}", token=keys[0], patience=60) as server:
        game = server.create("tides")
        ann, _ = game.join("Ann", seat=0), game.join("Bob", seat=1)
        items = (item for item in ann.inbox() if item.HasField("decision"))
        first = next(items)
        serve.signal(signal.SIGKILL)
        serve.wait()
        serve.start()

        again = next(items)

        assert first.decision.decision_id == again.decision.decision_id
        assert ann.play(ann.legal_actions().actions[0], again.decision).view.version > again.version


def test_the_inbox_of_a_seat_tells_of_that_seat_until_its_game_is_over(serve, keys):
    with shedu.connect(f"127.0.0.1:{serve.grpc_port}", token=keys[0]) as server:
        game = server.create("tides")
        ann, bob = game.join("Ann", seat=0), game.join("Bob", seat=1)
        with ThreadPoolExecutor(1) as pool:
            playing = pool.submit(play, bob, random.Random(1))
            kinds = []
            for item in ann.inbox():
                kinds.append(item.WhichOneof("kind"))
                if item.HasField("decision"):
                    ann.play(ann.legal_actions().actions[0], item.decision)
            playing.result(60)

        assert 14 == kinds.count("decision")
        assert ({"decision", "finished"}, "finished") == (set(kinds), kinds[-1])
