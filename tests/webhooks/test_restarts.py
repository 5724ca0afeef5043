"""Tests that a receiver which fails half of the time gets every event, over a SIGKILL of the service."""

from __future__ import annotations

import hashlib
import queue
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from standardwebhooks import Webhook

from support.process import Serve
from support.waiting import PATIENCE

GAMES = 3
SETTINGS = {
    "SHEDU_WEBHOOK_HTTP": "true",
    "SHEDU_WEBHOOK_NETWORKS": "127.0.0.0/8",
    "SHEDU_WEBHOOK_RETRY_SECONDS": "0.05",
    "SHEDU_WEBHOOK_SWEEP_SECONDS": "1",
}


class Receiver:
    """Receives deliveries, verifies them, and refuses about half of them."""

    def __init__(self) -> None:
        self.attempts = Counter[str]()
        self.bodies = defaultdict[str, set[bytes]](set)
        self.accepted: queue.Queue[tuple[str, Any]] = queue.Queue()
        self.secrets: dict[str, str] = {}  # by path
        self.problems: list[str] = []

    def status(self, path: str, headers: dict[str, str], body: bytes) -> int:
        delivery = headers["webhook-id"]
        try:
            event = Webhook(self.secrets[path]).verify(body, headers)
        except Exception as problem:
            self.problems.append(repr(problem))
            return 400
        self.attempts[delivery] += 1
        self.bodies[delivery].add(body)
        # A coin for each attempt, made of the id and the attempt. After three failures in a row the next one
        # succeeds, because waits grow by a factor of four.
        coin = hashlib.sha256(f"{delivery}:{self.attempts[delivery]}".encode()).digest()[0] & 1
        if coin and self.attempts[delivery] % 4:
            return 503
        self.accepted.put((delivery, {**event, "caller": path}))
        return 204


@contextmanager
def serving(receiver: Receiver) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.send_response(receiver.status(self.path, headers, body))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Prints nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def answer(serve: Serve, key: str, data: dict[str, Any]) -> None:
    """Plays the first legal action of a decision that a webhook has asked for, unless it was played."""
    path, seat = f"/v1/games/{data['gameId']}", data["seat"]
    legal = serve.get(f"{path}/legalActions", key, seat=seat)
    if legal.get("decision", {}).get("decisionId") == data["decision"]["decisionId"]:
        move = {"decisionId": legal["decision"]["decisionId"], "action": legal["actions"][0]["action"]}
        serve.post(f"{path}:play", {**move, "seat": seat}, key)


def test_games_that_are_played_by_webhooks_alone_come_to_their_end(tmp_path: Path) -> None:
    receiver = Receiver()
    with serving(receiver) as url, Serve(tmp_path, "--identity", "keys", **SETTINGS) as serve:
        keys = {f"/{name}": serve.key(name) for name in ("ann", "bob")}
        for path, key in keys.items():
            made = serve.post("/v1/webhooks", {"url": url + path}, key)
            receiver.secrets[path] = made["secret"]
        games = set[str]()
        for _ in range(GAMES):
            game = serve.post("/v1/games", {"title": "tides"}, keys["/ann"])["game"]["gameId"]
            for seat, key in enumerate(keys.values()):
                serve.post(f"/v1/games/{game}:join", {"seat": seat}, key)
            games.add(game)

        ids = defaultdict[tuple[str, str, str, str], set[str]](set)
        finished, handled, killed = set[tuple[str, str]](), 0, False
        while len(finished) < 2 * GAMES:
            delivery, event = receiver.accepted.get(timeout=PATIENCE)
            data, caller, handled = event["data"], event["caller"], handled + 1
            ids[caller, event["type"], data["gameId"], data.get("decision", {}).get("decisionId", "")].add(
                delivery
            )
            if event["type"] == "decision.asked":
                answer(serve, keys[caller], data)
            if event["type"] == "game.finished":
                finished.add((caller, data["gameId"]))
            if handled == 10 and not killed:
                killed = True
                serve.kill()
                serve.start()

    assert killed
    assert [] == receiver.problems
    assert {1} == {len(found) for found in ids.values()}, "an event is delivered under one id"
    assert {1} == {len(bodies) for bodies in receiver.bodies.values()}, "and with one body"
    assert max(receiver.attempts.values()) > 1
    for caller in keys:
        for kind in ("game.started", "game.finished"):
            assert games == {game for who, what, game, _ in ids if (who, what) == (caller, kind)}
