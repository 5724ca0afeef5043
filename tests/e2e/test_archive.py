"""The archive of a real service, and the commands around it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.process import ROOT, Serve
from support.servers import RedisServer, redis_server
from support.waiting import wait_until


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


def started(*arguments: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ROOT / "service"), str(ROOT / "clients/python")])
    command = [sys.executable, "-m", "gamehost", *arguments]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, text=True, **pipes)


def shedu(*arguments: str) -> tuple[int, Any]:
    with started(*arguments) as process:
        stdout, stderr = process.communicate(timeout=60)
    return process.returncode, json.loads(stdout) if stdout.startswith("{") else stderr


def resigned(serve: Serve) -> tuple[str, str]:
    """A game that is over: its id and a token."""
    game_id, tokens = serve.table()
    serve.move(game_id, tokens[0])
    serve.post(f"/v1/games/{game_id}:resign", {}, tokens[0])
    return game_id, tokens[1]


def keys(redis: RedisServer, game_id: str) -> list[bytes]:
    found: list[bytes] = redis.ask("KEYS", f"shedu:{{{game_id}}}:*")
    return found


def told(serve: Serve, game_id: str, token: str) -> list[Any]:
    """With the whole game as a stream of events, which ends by itself."""
    paths = (f"/v1/games/{game_id}", f"/v1/games/{game_id}/view", f"/v1/games/{game_id}/events")
    stream = httpx.get(
        f"{serve.url}/v1/games/{game_id}:watch?afterVersion=0", headers={"Authorization": f"Bearer {token}"}
    )
    messages = [json.loads(line[6:]) for line in stream.text.splitlines() if line.startswith("data: ")]
    return [*(serve.get(path, token) for path in paths), *messages]


def test_a_service_puts_games_away_by_itself(redis: RedisServer, tmp_path: Path) -> None:
    place = {"SHEDU_ARCHIVE_DIR": str(tmp_path / "archive")}
    with Serve(tmp_path, "--redis", redis.url, **place) as serve:
        game_id, token = resigned(serve)
        before = told(serve, game_id, token)
        assert keys(redis, game_id)

    with Serve(tmp_path, "--redis", redis.url, **place, SHEDU_ARCHIVE_AFTER_HOURS="0") as serve:
        wait_until(lambda: not keys(redis, game_id))

        assert before == told(serve, game_id, token)
        assert 'shedu_archived_games_total{title="tides"} 1.0' in httpx.get(f"{serve.url}/metrics").text
        assert game_id in [game["gameId"] for game in serve.get("/v1/games")["games"]]


def test_the_command_puts_games_away_and_the_doctor_counts_them(redis: RedisServer, tmp_path: Path) -> None:
    here = ("--redis", redis.url, "--archive-dir", str(tmp_path / "archive"))
    with Serve(tmp_path, "--redis", redis.url) as serve:
        game_id, _ = resigned(serve)
        running, _ = serve.table()
        redis.ask("DEL", "shedu:{agenda:archive}:due")  # as if it had ended before there was an archive

        early = shedu("archive", *here, "--json")
        late = shedu("archive", *here, "--hours", "0", "--json")

    assert (0, 0) == (early[0], early[1]["archived"])
    assert (0, 1, 0) == (late[0], late[1]["archived"], late[1]["failed"])
    assert ([], True) == (keys(redis, game_id), bool(keys(redis, running)))
    assert 2 == shedu("archive", "--redis", redis.url)[0]


def files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def test_who_is_killed_while_archiving_loses_nothing(redis: RedisServer, tmp_path: Path) -> None:
    """Again and again, each time a few files later."""
    folder = tmp_path / "archive"
    command = ("archive", "--redis", redis.url, "--archive-dir", str(folder), "--hours", "0", "--json")
    with Serve(tmp_path, "--redis", redis.url, "--archive-dir", str(folder)) as serve:
        games = [resigned(serve) for _ in range(40)]

        def events() -> list[Any]:
            return [serve.get(f"/v1/games/{game_id}/events", token) for game_id, token in games]

        before = events()
        for _ in range(3):
            written = files(folder)
            with started(*command) as process:
                wait_until(lambda more=written + 2: files(folder) >= more)
                process.kill()
            assert -signal.SIGKILL == process.returncode
            assert before == events()

        assert (0, 0) == (shedu(*command)[0], sum(len(keys(redis, game_id)) for game_id, _ in games))
        assert before == events()


def test_the_doctor_knows_of_archives(redis: RedisServer, tmp_path: Path, monkeypatch) -> None:
    redis.ask("HSET", "shedu:book:archive", "used", "yes")

    def finding() -> tuple[str, str]:
        _, said = shedu("doctor", "--redis", redis.url, "--json")
        (found,) = [each for each in said["findings"] if each["check"] == "archive"]
        return found["grade"], found["detail"]

    assert "problem" == finding()[0]
    monkeypatch.setenv("SHEDU_ARCHIVE_DIR", str(tmp_path / "archive"))
    grade, detail = finding()
    assert ("ok", "0 games") == (grade, detail[:7])
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SHEDU_ARCHIVE_DIR", str(tmp_path / "file"))
    assert "problem" == finding()[0]
