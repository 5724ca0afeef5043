"""Backup and restore by the README's own commands: everything is lost, and everything is there again."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from support.process import Serve
from support.servers import RedisServer, wait_until

from .manifests import K8S

BLOCKS = re.findall(r"^```sh\n(.*?)^```", (K8S / "README.md").read_text(), re.MULTILINE | re.DOTALL)
DAY = {"days": 1}

# What the commands need of kubectl: a pod is a process of this machine, and its volumes are folders.
KUBECTL = """#!{python}
import json, os, signal, subprocess, sys, time
here = json.load(open({facts!r}))
words = [word for word in sys.argv[1:] if word != "-i"]
assert words[:2] == ["-n", "shedu"], words
verb, rest = words[2], words[3:]

def end(name):
    os.kill(here[name], signal.SIGTERM)
    while True:
        try:
            if open(f"/proc/{{here[name]}}/stat").read().split()[2] == "Z":
                return
        except FileNotFoundError:
            return
        time.sleep(0.05)

if verb == "exec" and rest[2] == "shedu":
    sys.exit(subprocess.call([sys.executable, "-m", "gamehost", *rest[3:]]))
elif verb == "exec":
    volumes = {{"/data": here["data"], "/var/lib/shedu/archive": here["archive"]}}
    command = " ".join(rest[2:])
    for mount, folder in volumes.items():
        command = command.replace(mount, folder)
    sys.exit(subprocess.call(command.split()))
elif verb == "scale" and rest[-1] == "--replicas=0":
    end("gamehost")
elif verb == "delete":
    end("redis")
    subprocess.Popen(here["start"], cwd=here["data"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
else:
    assert verb == "scale", words
"""


def block(containing: str) -> str:
    (found,) = [text for text in BLOCKS if containing in text]
    return found


class Place:
    """A Redis and a service with an archive, and a kubectl that knows them."""

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

    def run(self, script: str) -> None:
        facts = {
            "data": str(self.redis.folder),
            "archive": str(self.archive),
            "redis": self.redis._process.pid,  # type: ignore[union-attr]
            "gamehost": self.serve.process.pid,  # type: ignore[union-attr]
            "start": self.redis._process.args,  # type: ignore[union-attr]
        }
        (self.folder / "facts").write_text(json.dumps(facts))
        kubectl = self.folder / "bin" / "kubectl"
        kubectl.write_text(KUBECTL.format(python=sys.executable, facts=str(self.folder / "facts")))
        kubectl.chmod(0o755)
        path = f"{kubectl.parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.folder,
            env={**self.serve._environment, "PATH": path, "SHEDU_REDIS": self.redis.url},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert 0 == done.returncode, done.stdout + done.stderr


def told(serve: Serve, games: dict[str, list[str]]) -> list[Any]:
    paths = ("", "/view", "/events", "/legalActions")
    return [
        httpx.get(f"{serve.url}/v1/games/{game}{path}", headers={"Authorization": f"Bearer {token}"}).json()
        for game, tokens in games.items()
        for token in tokens
        for path in paths
    ]


def resumed(serve: Serve, game_id: str, token: str, after: int) -> list[int]:
    """The versions that a stream tells which resumes there, until it has caught up."""
    headers, versions = {"Authorization": f"Bearer {token}"}, []
    address = f"{serve.url}/v1/games/{game_id}:watch?afterVersion={after}"
    with httpx.stream("GET", address, headers=headers, timeout=20) as stream:
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
    try:
        over, lost = serve.table()
        serve.post(f"/v1/games/{over}:resign", {}, lost[0])
        running, tokens = serve.table(clock=DAY)
        once = {"requestId": "once-0123456789abcdef", **answer(serve, running, tokens[0])}
        first = serve.post(f"/v1/games/{running}:play", once, tokens[0])
        wait_until(lambda: not place.redis.ask("EXISTS", f"shedu:{{{over}}}:events"))
        games = {over: lost, running: tokens}
        before, version = told(serve, games), int(first["view"]["version"])

        place.run(block("redis.tar\n  test"))
        place.lose_everything()
        place.start()
        assert {404} == {
            httpx.get(f"{serve.url}/v1/games/{game}", headers={"Authorization": f"Bearer {key}"}).status_code
            for game, (key, _) in games.items()
        }
        place.run(block("--replicas=0").replace("-- shedu doctor", "-- shedu doctor --json"))
        serve.wait()
        serve.start()

        assert before == told(serve, games)
        assert [*range(4, version + 1)] == resumed(serve, running, tokens[1], 3)
        assert first == serve.post(f"/v1/games/{running}:play", once, tokens[0])
        assert "deadline" in serve.get(f"/v1/games/{running}/view", tokens[1])["view"]["decisions"][0]
        assert version < int(serve.move(running, tokens[1])["view"]["version"])
    finally:
        if serve.process:
            serve.process.kill()
            serve.wait()
        shut_down(place.redis)


def shut_down(redis: RedisServer) -> None:
    """Whoever started it."""
    subprocess.run(["redis-cli", "-p", str(redis.port), "shutdown", "nosave"], capture_output=True)
    if redis._process:
        redis._process.wait(10)


def answer(serve: Serve, game_id: str, token: str) -> dict[str, Any]:
    legal = serve.get(f"/v1/games/{game_id}/legalActions", token)
    return {"decisionId": legal["decision"]["decisionId"], "action": legal["actions"][0]["action"]}
