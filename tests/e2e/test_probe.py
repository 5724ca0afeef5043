"""Tests of `shedu doctor --probe` with correct servers and with faulty ones."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from unittest.mock import patch

import pytest

from support.process import shedu_here
from support.servers import free_port
from support.waiting import PATIENCE

OK, WARNING, PROBLEM = "ok", "warning", "problem"
TITLES = {"titles": [], "serverVersion": "9.9.9"}


class Probed:
    """The report of one probe, with timeouts that a slow machine does not reach."""

    def __init__(self, url: str, *arguments: object, **settings: str) -> None:
        with (
            patch("gamehost.commands.doctor.probe_http.PROBE_SECONDS", PATIENCE),
            patch("gamehost.commands.doctor.probe_grpc.PROBE_SECONDS", PATIENCE),
            patch("gamehost.commands.doctor.probe.RATE_CHECK_SECONDS", PATIENCE),
            patch("gamehost.commands.doctor.probe.MOST_CALLS", 40),
        ):
            done = shedu_here("doctor", "--json", "--probe", url, *arguments, **settings)
        self.code, self.announced = done.returncode, done.stderr
        self.findings: list[dict[str, str]] = json.loads(done.stdout)["findings"]

    def found(self, check: str) -> dict[str, str]:
        """Returns the grades of a check by detail."""
        return {each["detail"]: each["grade"] for each in self.findings if each["check"] == check}

    def grades(self, check: str) -> set[str]:
        return {*self.found(check).values()}


class Careless(BaseHTTPRequestHandler):
    """Answers every request in the same way, without security headers."""

    protocol_version = "HTTP/1.1"
    statuses: ClassVar[dict[str, int]] = {}
    safety: ClassVar[dict[str, str]] = {}

    def do_GET(self) -> None:
        body = json.dumps(TITLES).encode()
        self.send_response(self.statuses.get(self.path, 200))
        for name, value in (self.safety | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_words: Any) -> None:
        """Logs nothing, to keep the output of tests readable."""


@contextmanager
def careless(safety: dict[str, str] | None = None, **statuses: int) -> Iterator[int]:
    """Starts such a server with these statuses by path and these headers; yields its port."""
    paths = {f"/{name.replace('__', '/')}": status for name, status in statuses.items()}
    handler = type("Handler", (Careless,), {"statuses": paths, "safety": safety or {}})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def games(serve: Any) -> list[str]:
    return [game["gameId"] for game in serve.get("/v1/games", page_size=5).get("games", [])]


def test_a_server_that_is_as_it_should_be(serve):
    before = games(serve)

    report = Probed(f"http://127.0.0.1:{serve.port}", "--server", serve.address)

    bad = [each for each in report.findings if each["grade"] != OK]
    assert [] == bad
    assert 0 == report.code
    checks = {each["check"] for each in report.findings}
    wanted = {
        "tls",
        "reach",
        "probes",
        "garbage",
        "unknown paths",
        "too large",
        "headers",
        "contract",
        "grpc",
    }
    assert wanted | {"versions"} == checks
    assert before == games(serve)


def test_what_is_sent_is_said_before_and_a_limit_is_looked_for_only_where_one_is_expected(serve):
    here = Probed(f"http://127.0.0.1:{serve.port}")
    asked = Probed(f"http://127.0.0.1:{serve.port}", "--limits")
    world = Probed(f"http://0.0.0.0:{serve.port}")

    assert "no game is created" in here.announced
    assert ("then at most" in here.announced, {*()}) == (False, here.grades("limits"))
    assert ("then at most 40" in asked.announced, {OK}) == (True, asked.grades("limits"))
    assert ("then at most 40" in world.announced, {WARNING}) == (True, world.grades("limits"))


def test_a_server_that_the_world_reaches_without_tls(serve):
    report = Probed(f"http://0.0.0.0:{serve.port}", "--server", f"0.0.0.0:{serve.grpc_port}", "--no-limits")

    assert 0 == report.code
    assert [WARNING] * 2 == [*report.found("tls").values()]
    assert [WARNING] * 3 == [*report.found("probes").values()]


def test_a_server_that_takes_anything_and_protects_nothing(serve):
    with careless(readyz=503) as port:
        report = Probed(f"http://127.0.0.1:{port}", "--server", serve.address)

    assert 1 == report.code
    for check in ("garbage", "unknown paths", "too large", "headers", "contract", "versions"):
        assert {PROBLEM} == report.grades(check), check
    assert PROBLEM == report.found("probes")["/readyz is answered 503: the server is not ready"]
    assert "HTTP reports version 9.9.9" in next(iter(report.found("versions")))
    assert all(each["action"] for each in report.findings if each["grade"] != OK)


def test_headers_that_are_there_and_protect_nothing():
    headers = {"Content-Security-Policy": "default-src *", "X-Content-Type-Options": "sniff"}

    with careless({**headers, "Referrer-Policy": "no-referrer"}) as port:
        report = Probed(f"http://127.0.0.1:{port}")

    detail = "/ lacks nosniff in x-content-type-options, frame-ancestors in content-security-policy"
    assert PROBLEM == report.found("headers")[detail]


def test_a_server_of_another_release():
    with careless() as port:
        report = Probed(f"http://127.0.0.1:{port}")

    assert WARNING in report.grades("versions")


def test_a_limit_that_does_not_say_when_to_come_back():
    with careless(v1__titles__no_such_title=429) as port:
        report = Probed(f"http://127.0.0.1:{port}", "--limits")

    assert {WARNING} == report.grades("limits")


def test_a_gateway_without_a_route_to_the_probes_is_as_it_should_be():
    with careless(healthz=404, readyz=404, metrics=404) as port:
        outside = Probed(f"http://0.0.0.0:{port}", "--no-limits")
        inside = Probed(f"http://127.0.0.1:{port}")

    assert ({OK}, {PROBLEM}) == (outside.grades("probes"), inside.grades("probes"))


def test_nobody_and_somebody_else():
    nobody = Probed(f"http://127.0.0.1:{free_port()}")
    with careless(**{"v1__titles?page_size=1": 404}) as port:
        somebody = Probed(f"http://127.0.0.1:{port}")

    assert [PROBLEM] * 2 == [report.findings[-1]["grade"] for report in (nobody, somebody)]
    assert ["reach"] * 2 == [report.findings[-1]["check"] for report in (nobody, somebody)]
    assert "no HTTP server answers" in nobody.findings[-1]["detail"]


def test_no_grpc_server_at_that_address(serve):
    report = Probed(f"http://127.0.0.1:{serve.port}", "--server", f"127.0.0.1:{serve.port}")

    assert (1, {PROBLEM}) == (report.code, report.grades("grpc"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--probe", "localhost:8080"), "--probe needs an address such as"),
        (("--probe", "http://ann:secret@localhost:8080"), "--probe needs an address such as"),
        (("--probe", "http://localhost:8080/v1"), "without a path"),
        (("--probe", "http://localhost:8080", "--redis", "redis://x"), "omit --redis"),
        (("--probe", "http://localhost:8080", "--server", "ftp://x"), "is not an address of a server"),
        (("--probe", "https://localhost:8080", "--server-ca", "/nowhere"), "the certificates cannot be used"),
        (("--server", "localhost:50051"), "--server needs --probe"),
    ],
)
def test_what_cannot_be_probed_is_said_in_a_sentence(arguments, words):
    done = shedu_here("doctor", *arguments)

    assert (2, "") == (done.returncode, done.stdout)
    assert words in " ".join(done.stderr.split())
    assert "secret" not in done.stderr
