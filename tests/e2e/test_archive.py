"""Tests of the archive of a real service, and of its commands."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from redis import Redis

from support.process import Serve, environment, shedu_here
from support.servers import RedisServer, redis_server
from support.waiting import PATIENCE, wait_until

# Runs the command `shedu`, which kills itself when it has done a step of archiving so many times.
DIES = """
import os, signal, sys
from gamehost.cli import main
from gamehost.stores.archive import files as archive

step, left = sys.argv.pop(1), int(sys.argv.pop(1))
do = getattr(archive, step)

def do_and_die(*arguments):
    global left
    do(*arguments)
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

setattr(archive, step, do_and_die)
main()
"""


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("archive")


@pytest.fixture(scope="module")
def serve(redis: RedisServer, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A service that archives games after a day."""
    place = ("--redis", redis.url, "--archive-dir", str(folder))
    with Serve(tmp_path_factory.mktemp("serve"), *place) as process:
        yield process


def resigned(serve: Serve) -> tuple[str, str]:
    """Returns the id and a token of a finished game."""
    game_id, tokens = serve.table()
    serve.move(game_id, tokens[0])
    serve.post(f"/v1/games/{game_id}:resign", {}, tokens[0])
    return game_id, tokens[1]


def keys(redis: RedisServer, game_id: str) -> list[bytes]:
    found: list[bytes] = redis.ask("KEYS", f"shedu:{{{game_id}}}:*")
    return found


def told(serve: Serve, game_id: str, token: str) -> list[Any]:
    """Returns the game, its view, its events and the messages of its stream."""
    paths = (f"/v1/games/{game_id}", f"/v1/games/{game_id}/view", f"/v1/games/{game_id}/events")
    stream = httpx.get(
        f"{serve.url}/v1/games/{game_id}:watch?afterVersion=0",
        headers={"Authorization": f"Bearer {token}"},
        timeout=PATIENCE,
    )
    messages = [json.loads(line[6:]) for line in stream.text.splitlines() if line.startswith("data: ")]
    return [*(serve.get(path, token) for path in paths), *messages]


def test_a_service_puts_games_away_by_itself(
    redis: RedisServer, folder: Path, serve: Serve, tmp_path: Path
) -> None:
    game_id, token = resigned(serve)
    before = told(serve, game_id, token)
    assert keys(redis, game_id)

    place = ("--redis", redis.url, "--archive-dir", str(folder))
    with Serve(tmp_path, *place, SHEDU_ARCHIVE_AFTER_HOURS="0") as eager:
        wait_until(lambda: not keys(redis, game_id))

        assert before == told(eager, game_id, token) == told(serve, game_id, token)
        wait_until(lambda: 'shedu_archived_games_total{title="tides"} 1.0' in eager.metrics())
        assert game_id in [game["gameId"] for game in eager.get("/v1/games", page_size=100)["games"]]


def archive(*arguments: object) -> tuple[int, Any]:
    done = shedu_here("archive", *arguments, "--json")
    return done.returncode, json.loads(done.stdout)


def test_the_command_puts_games_away_and_the_doctor_counts_them(
    redis: RedisServer, folder: Path, serve: Serve
) -> None:
    here = ("--redis", redis.url, "--archive-dir", folder)
    game_id, _ = resigned(serve)
    running, _ = serve.table()
    redis.ask(
        "DEL", "shedu:{agenda:archive}:due"
    )  # as if the game had ended before the archive was configured

    early = archive(*here)
    late = archive(*here, "--hours", "0")

    assert (0, 0) == (early[0], early[1]["archived"])
    assert (0, 1, 0) == (late[0], late[1]["archived"], late[1]["failed"])
    assert ([], True) == (keys(redis, game_id), bool(keys(redis, running)))
    assert 2 == shedu_here("archive", "--redis", redis.url).returncode


def test_who_is_killed_while_archiving_loses_nothing(redis: RedisServer, folder: Path, serve: Serve) -> None:
    """Killed while it writes a file, and after the file is written but before the game leaves the store."""
    command = ("archive", "--redis", redis.url, "--archive-dir", str(folder), "--hours", "0", "--json")
    games = [resigned(serve) for _ in range(8)]

    def events() -> list[Any]:
        return [serve.get(f"/v1/games/{game_id}/events", token) for game_id, token in games]

    before = events()
    for step, times in (("write_synced", "2"), ("sync_directory", "5")):
        killed = subprocess.run(
            [sys.executable, "-c", DIES, step, times, *command], env=environment(), timeout=PATIENCE
        )
        assert -signal.SIGKILL == killed.returncode
        assert before == events()
        assert any(keys(redis, game_id) for game_id, _ in games)

    assert (0, 0) == (
        shedu_here(*command).returncode,
        sum(len(keys(redis, game_id)) for game_id, _ in games),
    )
    assert before == events()


def test_the_doctor_knows_of_archives(redis_url: str, tmp_path: Path) -> None:
    with Redis.from_url(redis_url) as client:
        client.hset("shedu:book:archive", "used", "yes")

    def finding(**settings: str) -> tuple[str, str]:
        said = shedu_here("doctor", "--redis", redis_url, "--json", **settings).stdout
        (found,) = [each for each in json.loads(said)["findings"] if each["check"] == "archive"]
        return found["grade"], found["detail"]

    (tmp_path / "file").write_text("")

    assert "problem" == finding()[0]
    grade, detail = finding(SHEDU_ARCHIVE_DIR=str(tmp_path / "archive"))
    assert ("ok", "0 games") == (grade, detail[:7])
    assert "problem" == finding(SHEDU_ARCHIVE_DIR=str(tmp_path / "file"))[0]
