"""Tests backup and restore with the commands of the README after a loss of all data."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx

from support.process import Serve
from support.servers import RedisServer
from support.waiting import PATIENCE, wait_until

from .manifests import README

BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
DAY = {"days": 1}
FAKE_KUBECTL = Path(__file__).with_name("fake_kubectl.py")
# Rewrites the log of Redis once while tar copies, and waits until that is done.
REWRITE = """#!/bin/sh
exec > /dev/null
mkdir {folder}/rewritten || exit 0
redis-cli -p {port} bgrewriteaof
until redis-cli -p {port} info persistence | grep aof_rewrite_in_progress:0; do sleep 0.05; done
"""


def block(containing: str) -> str:
    (found,) = [text for text in BLOCKS if containing in text]
    return found


class Place:
    """A Redis, a service with an archive, and a fake kubectl for them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.archive = folder, folder / "archive"
        self.redis = RedisServer(folder / "redis")
        secret = folder / "secret"
        secret.write_bytes(b"kept by whoever keeps secrets")
        settings = {"SHEDU_ARCHIVE_DIR": str(self.archive), "SHEDU_ARCHIVE_AFTER_HOURS": "0"}
        self.serve = Serve(
            folder, "--redis", self.redis.url, "--secret-file", str(secret), "--no-bots", **settings
        )
        (folder / "bin").mkdir()

    def start(self) -> None:
        self.redis.folder.mkdir(exist_ok=True)
        self.redis.start()
        self.serve.start()

    def lose_everything(self) -> None:
        self.serve.process.kill()  # type: ignore[union-attr]
        self.serve.wait()
        self.redis.kill()
        shutil.rmtree(self.redis.folder)
        shutil.rmtree(self.archive)

    def facts(self) -> dict[str, Any]:
        """Returns the initial state for the fake kubectl."""
        serve = self.serve.process
        assert serve is not None
        ping = ["redis-cli", "-e", "-p", str(self.redis.port), "ping"]
        return {
            "pods": {"redis-0": self.redis.pid, "gamehost": serve.pid},
            "wanted": {"gamehost": 3, "bots": 2},
            "volumes": {"/data": str(self.redis.folder), "/var/lib/shedu/archive": str(self.archive)},
            "start": {
                "redis-0": {**self.start_of(self.redis.command()), "ready": ping},
                "gamehost": {**self.start_of(self.serve.command), "ready": f"{self.serve.url}/readyz"},
            },
            "rewrite": str(self.script("rewrite", REWRITE.format(folder=self.folder, port=self.redis.port))),
        }

    def start_of(self, command: list[str]) -> dict[str, Any]:
        return {"command": command, "folder": str(self.redis.folder), "log": str(self.folder / "log")}

    def script(self, name: str, text: str) -> Path:
        path = self.folder / "bin" / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def run(self, *scripts: str) -> dict[str, Any]:
        """Runs scripts, and returns the state of the fake cluster afterwards."""
        state = self.folder / "cluster.json"
        state.write_text(json.dumps(self.facts()))
        self.script("kubectl", f'#!/bin/sh\nexec {sys.executable} {FAKE_KUBECTL} {state} "$@"\n')
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "\n".join(scripts)],
            cwd=self.folder,
            env={**self.serve.environment, "PATH": path, "SHEDU_REDIS": self.redis.url},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert 0 == done.returncode, done.stdout + done.stderr
        found: dict[str, Any] = json.loads(state.read_text())
        return found


class Players:
    """Players that play game after game, and record the answers."""

    def __init__(self, serve: Serve) -> None:
        self._serve, self._going = serve, True
        self.answered: list[tuple[str, str, int]] = []
        self._thread = threading.Thread(target=self._play_on)

    def __enter__(self) -> Players:
        self._thread.start()
        wait_until(lambda: len(self.answered) > 5)
        return self

    def __exit__(self, *_error: object) -> None:
        self._going = False
        self._thread.join()

    def _play_on(self) -> None:
        while self._going:
            game_id, tokens = self._serve.table()
            while self._going and self._move(game_id, tokens):
                pass

    def _move(self, game_id: str, tokens: list[str]) -> bool:
        decisions = self._serve.get(f"/v1/games/{game_id}/view")["view"].get("decisions")
        if not decisions:
            return False
        token = tokens[decisions[0].get("seat", 0)]
        played = self._serve.move(game_id, token)
        self.answered.append((game_id, token, int(played["view"]["version"])))
        return True


def asked(serve: Serve, path: str, token: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(f"{serve.url}{path}", headers=headers, timeout=PATIENCE, verify=False)


def told(serve: Serve, games: dict[str, list[str]]) -> list[Any]:
    paths = ("", "/view", "/events", "/legalActions")
    return [
        asked(serve, f"/v1/games/{game}{path}", token).json()
        for game, tokens in games.items()
        for token in tokens
        for path in paths
    ]


def resumed(serve: Serve, game_id: str, token: str, after: int) -> list[int]:
    """Returns the versions of a stream that resumes at `after`, until it has caught up."""
    headers, versions = {"Authorization": f"Bearer {token}"}, []
    address = f"{serve.url}/v1/games/{game_id}:watch?afterVersion={after}"
    with httpx.stream("GET", address, headers=headers, timeout=PATIENCE, verify=False) as stream:
        for line in stream.iter_lines():
            if line.startswith("data: "):
                message = json.loads(line[6:])
                versions += [int(event["version"]) for event in message.get("happened", {}).get("events", [])]
                if "caughtUp" in message:
                    return versions
    raise AssertionError("it never caught up")


def test_a_backup_brings_everything_back(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.start()
    serve = place.serve
    pods: dict[str, int] = {}
    try:
        over, lost = serve.table()
        serve.post(f"/v1/games/{over}:resign", {}, lost[0])
        running, tokens = serve.table(clock=DAY)
        once = {"requestId": "once-0123456789abcdef", **answer(serve, running, tokens[0])}
        first = serve.post(f"/v1/games/{running}:play", once, tokens[0])
        wait_until(lambda: not place.redis.ask("EXISTS", f"shedu:{{{over}}}:events"))
        games = {over: lost, running: tokens}
        before, version = told(serve, games), int(first["view"]["version"])

        with Players(serve) as players:
            answered = list(players.answered)
            place.run(block("redis.tar\n  test"), block("/archive -cf"))
            assert len(answered) < len(players.answered), "no move was made during the copy"
        assert (tmp_path / "rewritten").exists(), "Redis has not rewritten its log"
        place.lose_everything()
        place.start()
        assert {404} == {
            asked(serve, f"/v1/games/{game}", key).status_code for game, (key, _) in games.items()
        }
        restore = block("--replicas=0").replace("-- shedu doctor", "-- shedu doctor --json")
        state = place.run(block("/archive -xf"), restore)
        pods = state["pods"]

        assert {"gamehost": 3, "bots": 2} == state["wanted"]
        assert before == told(serve, games)
        assert [] == [each for each in answered if not is_there(serve, *each)]
        assert [*range(4, version + 1)] == resumed(serve, running, tokens[1], 3)
        assert first == serve.post(f"/v1/games/{running}:play", once, tokens[0])
        assert "deadline" in serve.get(f"/v1/games/{running}/view", tokens[1])["view"]["decisions"][0]
        assert version < int(serve.move(running, tokens[1])["view"]["version"])
    finally:
        shut_down(place, pods.get("gamehost"))


def is_there(serve: Serve, game_id: str, token: str, version: int) -> bool:
    found = asked(serve, f"/v1/games/{game_id}", token)
    return found.status_code == 200 and version <= int(found.json()["game"]["version"])


def shut_down(place: Place, pid: int | None) -> None:
    """Ends the service and Redis, whichever process started them."""
    if place.serve.process:
        place.serve.process.kill()
        place.serve.wait()
    if pid:
        os.kill(pid, signal.SIGKILL)
    subprocess.run(["redis-cli", "-p", str(place.redis.port), "shutdown", "nosave"], capture_output=True)
    wait_until(lambda: not place.redis.running)


def answer(serve: Serve, game_id: str, token: str) -> dict[str, Any]:
    legal = serve.get(f"/v1/games/{game_id}/legalActions", token)
    return {"decisionId": legal["decision"]["decisionId"], "action": legal["actions"][0]["action"]}
