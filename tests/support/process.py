"""A real `shedu serve`, as an operator starts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import grpc
import httpx

from support.servers import free_port
from support.waiting import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]


class Serve:
    """Started on free ports, from the sources under `root`; its log lines are kept."""

    patience = PATIENCE  # seconds for its start and its end

    def __init__(self, folder: Path, *arguments: str, root: Path = ROOT, **settings: str) -> None:
        self.port, self.grpc_port = free_port(), free_port()
        self.log = folder / "serve.log"
        self._workers = int(dict(pairwise(arguments)).get("--workers", 1))
        place = () if "--redis" in arguments else ("--data-dir", str(folder / "data"))
        self.command = [
            sys.executable,
            "-m",
            "gamehost",
            "serve",
            "--log-format",
            "json",
            *place,
            *arguments,
        ]
        self.command += ["--port", str(self.port), "--grpc-port", str(self.grpc_port)]
        self.environment = {**environment(root), **settings}
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Serve:
        """One that does not become ready is not left running."""
        process = self.launch()
        try:
            self.wait_until_ready()
        except BaseException:
            process.terminate()
            raise
        return self

    def launch(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, env=self.environment)
        return self.process

    def wait_until_ready(self) -> None:
        try:
            wait_until(self._ready_or_ended, self.patience)
        except AssertionError:
            raise AssertionError(f"shedu serve is not ready:\n{self.log.read_text()}") from None

    def _ready_or_ended(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, "it ended"
        return self.ready()

    def ready(self) -> bool:
        """Where several processes share the port, all of them."""
        if self._workers > 1 and self.log.read_text().count("the store answers") < self._workers:
            return False
        try:
            return httpx.get(f"{self.url}/readyz").status_code == 200
        except httpx.TransportError:
            return False

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> int:
        self.signal(signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        assert self.process is not None
        code = self.process.wait(self.patience)
        self.process = None
        return code

    def __enter__(self) -> Serve:
        return self.start()

    def __exit__(self, *_error: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop()

    def channel(self) -> grpc.Channel:
        return grpc.insecure_channel(f"127.0.0.1:{self.grpc_port}")

    def get(self, path: str, token: str = "", **query: Any) -> Any:
        return _body(httpx.get(f"{self.url}{path}", headers=_headers(token), params=query, timeout=PATIENCE))

    def post(self, path: str, body: dict[str, Any], token: str = "") -> Any:
        return _body(httpx.post(f"{self.url}{path}", json=body, headers=_headers(token), timeout=PATIENCE))

    def table(self, **fields: Any) -> tuple[str, list[str]]:
        """A started game of tides: its id and the tokens of its seats."""
        game_id = self.post("/v1/games", {"title": "tides", **fields})["game"]["gameId"]
        return game_id, [self.post(f"/v1/games/{game_id}:join", {})["seatToken"] for _ in range(2)]

    def move(self, game_id: str, token: str) -> Any:
        legal = self.get(f"/v1/games/{game_id}/legalActions", token)
        answer = {"decisionId": legal["decision"]["decisionId"], "action": legal["actions"][0]["action"]}
        return self.post(f"/v1/games/{game_id}:play", answer, token)

    def key(self, name: str) -> str:
        """A new API key, made as an operator of a service with an embedded store does."""
        made = shedu("keys", "create", name, "--data-dir", self.log.parent / "data")
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    def lines(self) -> list[dict[str, Any]]:
        """The log, without what is printed for people."""
        found = (line for line in self.log.read_text().splitlines() if line.startswith("{"))
        return [json.loads(line) for line in found]


def environment(root: Path = ROOT, **settings: str) -> dict[str, str]:
    """That of a program that imports the service and the client from the sources under `root`."""
    path = os.pathsep.join([str(root / "service"), str(root / "clients/python")])
    return {**os.environ, "PYTHONPATH": path, **settings}


def shedu(*arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs the command `shedu` to its end, with these variables set and nothing to read."""
    return subprocess.run(
        [sys.executable, "-m", "gamehost", *map(str, arguments)],
        env=environment(**settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _body(response: httpx.Response) -> Any:
    assert response.status_code == 200, response.text
    return response.json()
