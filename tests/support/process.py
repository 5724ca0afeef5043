"""Runs a real `shedu serve`, as an operator starts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import grpc
import httpx
from typer.testing import CliRunner

from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.fork_server import Forked, fork_server
from support.servers import free_port
from support.waiting import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
# Without certificates: loading them for each call takes longer than most calls.
PLAIN: dict[str, Any] = {"timeout": PATIENCE, "verify": False}


class Serve:
    """A service process on free ports, from the sources under `root`; its output is in `log`.

    It is forked from a process that has imported the service, unless the sources or a setting that does not
    begin with SHEDU_ ask for an interpreter of its own, or `forked` is False.
    """

    patience = PATIENCE  # seconds for its start and its end

    def __init__(
        self, folder: Path, *arguments: str, root: Path = ROOT, forked: bool = True, **settings: str
    ) -> None:
        self._forked = forked and root == ROOT and all(name.startswith("SHEDU_") for name in settings)
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
        self.process: subprocess.Popen[bytes] | Forked | None = None
        self._keys: dict[str, str] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        """The address of gRPC."""
        return f"127.0.0.1:{self.grpc_port}"

    def start(self) -> Serve:
        """Starts the process and waits until it is ready; terminates it if it does not become ready."""
        process = self.launch()
        try:
            self.wait_until_ready()
        except BaseException:
            process.terminate()
            raise
        return self

    def launch(self) -> subprocess.Popen[bytes] | Forked:
        if self._forked:
            words = self.command[self.command.index("gamehost") + 1 :]
            self.log.touch()  # the forked process opens it a moment later, and waiting reads it
            self.process = fork_server().fork(words, self.environment, self.log)
            return self.process
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
        """Whether the service is ready; with several workers, all of them."""
        if self._workers > 1 and self.log.read_text().count("the store is available") < self._workers:
            return False
        try:
            return httpx.get(f"{self.url}/readyz", verify=False).status_code == 200
        except httpx.TransportError:
            return False

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stops the process by SIGSTOP: it still accepts connections, but answers nothing."""
        self.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(signal.SIGCONT)

    def stop(self) -> int:
        self.signal(signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        assert self.process is not None
        code = self.process.wait(self.patience)
        self.process = None
        return code

    def kill(self) -> None:
        """Kills the process by SIGKILL."""
        self.signal(signal.SIGKILL)
        self.wait()

    def __enter__(self) -> Serve:
        return self.start()

    def __exit__(self, *_error: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop()

    def channel(self) -> grpc.Channel:
        return grpc.insecure_channel(self.address)

    def get(self, path: str, token: str = "", **query: Any) -> Any:
        return _body(httpx.get(f"{self.url}{path}", headers=_headers(token), params=query, **PLAIN))

    def post(self, path: str, body: dict[str, Any], token: str = "") -> Any:
        return _body(httpx.post(f"{self.url}{path}", json=body, headers=_headers(token), **PLAIN))

    def table(self, **fields: Any) -> tuple[str, list[str]]:
        """Starts a game of Tides; returns its id and the tokens of its seats."""
        game_id = self.post("/v1/games", {"title": "tides", **fields})["game"]["gameId"]
        return game_id, [self.post(f"/v1/games/{game_id}:join", {})["seatToken"] for _ in range(2)]

    def move(self, game_id: str, token: str) -> Any:
        legal = self.get(f"/v1/games/{game_id}/legalActions", token)
        answer = {"decisionId": legal["decision"]["decisionId"], "action": legal["actions"][0]["action"]}
        return self.post(f"/v1/games/{game_id}:play", answer, token)

    def finished(self, **fields: Any) -> tuple[str, list[str]]:
        """Starts a game and plays the first legal action until its end; returns its id and tokens."""
        game_id, tokens = self.table(**fields)
        with self.channel() as channel:
            stub = GameServiceStub(channel)
            while decisions := stub.GetView(pb.GetViewRequest(game_id=game_id)).view.decisions:
                own = bearer(tokens[decisions[0].seat])
                legal = stub.ListLegalActions(pb.ListLegalActionsRequest(game_id=game_id), metadata=own)
                answer = pb.PlayActionRequest(
                    game_id=game_id,
                    decision_id=legal.decision.decision_id,
                    action=legal.actions[0].action,
                )
                stub.PlayAction(answer, metadata=own)
        return game_id, tokens

    def metrics(self) -> str:
        return httpx.get(f"{self.url}/metrics", **PLAIN).text

    def key(self, name: str) -> str:
        """Returns the API key of that name; creates it with `shedu keys` in the embedded store."""
        if name not in self._keys:
            made = shedu_here("keys", "create", name, "--data-dir", self.log.parent / "data")
            assert made.returncode == 0, made.stderr
            self._keys[name] = made.stdout.strip()
        return self._keys[name]

    def lines(self) -> list[dict[str, Any]]:
        """Returns the JSON lines of the log."""
        found = (line for line in self.log.read_text().splitlines() if line.startswith("{"))
        return [json.loads(line) for line in found]


def environment(root: Path = ROOT, **settings: str) -> dict[str, str]:
    """Returns the environment of a program that imports the service and the client from `root`."""
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


def started(*words: object, **settings: str) -> subprocess.Popen[str]:
    """Starts `python -m` with these words; what it prints is piped."""
    return subprocess.Popen(
        [sys.executable, "-m", *map(str, words)],
        env=environment(**settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def shedu_here(*arguments: object, lines: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs the command `shedu` in this process, which saves the start of an interpreter.

    It runs in a separate thread, because commands run their own event loops. An unexpected exception of a
    command is raised.
    """
    from gamehost.cli import app

    words = [*map(str, arguments)]
    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(CliRunner(env=settings).invoke, app, words, input=lines).result()
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


def refusal(*arguments: object, **settings: str) -> str:
    """Returns the message of `shedu serve` when it refuses to start, as one line."""
    done = _begun(*arguments, **settings)
    assert (2, "") == (done.returncode, done.stdout), done.stderr
    return " ".join(done.stderr.split())


def announcement(*arguments: object, **settings: str) -> str:
    """Returns the messages of `shedu serve` before it serves, as one line."""
    done = _begun(*arguments, **settings)
    assert (0, "") == (done.returncode, done.stdout), done.stderr
    return " ".join(done.stderr.split())


def _begun(*arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs `shedu serve` in this process up to the point at which it would serve.

    The timeout for the store is long enough for a slow machine.
    """
    ports = {"SHEDU_PORT": str(free_port()), "SHEDU_GRPC_PORT": str(free_port())}
    with (
        patch("gamehost.main.STORE_WAIT_SECONDS", PATIENCE),
        patch("gamehost.worker.run_worker"),
        patch("gamehost.main.WorkerProcesses"),
        patch.dict(os.environ),
    ):
        return shedu_here("serve", *arguments, **ports | settings)


def bearer(token: str) -> list[tuple[str, str]]:
    """Returns the metadata of a gRPC call; none for an empty token."""
    return [("authorization", f"Bearer {token}")] if token else []


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _body(response: httpx.Response) -> Any:
    assert response.status_code == 200, response.text
    return response.json()
