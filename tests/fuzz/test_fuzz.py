"""Tests of a short run over every transport, and that a run finds faults."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from random import Random

import pytest

from api.echo_servers import serve_http
from fuzz.field_cases import field_cases_of, ordered
from fuzz.request_maker import raw, written
from fuzz.run import METHODS, Plan, Target, run, tracebacks
from fuzz.sender import Answer, event_code, frame_code, web_code
from gamehost.api.transports.grpc import GrpcServer
from support.process import Serve
from support.service import Service
from support.waiting import PATIENCE

REQUESTS = 600
TRANSPORTS = {"grpc", "connect_json", "binary_web", "rest"}


async def test_no_request_is_answered_internal_or_unknown_over_any_transport(serve: Serve) -> None:
    found = await run(Plan(seed=1, requests=REQUESTS), Target(serve.url, serve.address, serve.log))

    assert found.good, "\n".join(found.lines())
    assert REQUESTS == found.codes.total()
    for transport in TRANSPORTS:
        assert {"OK", "INVALID_ARGUMENT"} <= {code for name, code in found.codes if name == transport}


async def test_a_fault_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without field checks, a timestamp that is out of range fails where it is converted."""
    monkeypatch.setattr("gamehost.api.pipeline.field_checks.violations", lambda _request: ())
    log = tmp_path / "log"
    log.write_text("")
    dispatch = Service().dispatch
    server = GrpcServer(dispatch)
    grpc_port = server.listen("127.0.0.1:0")
    await server.start()
    try:
        async with serve_http(dispatch, PATIENCE) as port:
            target = Target(f"http://127.0.0.1:{port}", f"127.0.0.1:{grpc_port}", log)
            found = await run(Plan(seed=1, requests=240), target)
    finally:
        await server.stop(0)

    assert {("grpc", "INTERNAL"), ("binary_web", "INTERNAL")} == {(a.transport, a.code) for _, a in found.bad}
    assert all("ListGames" in answer.request for _, answer in found.bad)
    assert "INTERNAL" in "\n".join(found.lines())


def test_a_traceback_in_the_log_is_noticed_and_older_ones_are_not(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(
        json.dumps({"event": "call", "exception": "Traceback (most recent call last): old"}) + "\n"
    )
    begin = log.stat().st_size
    with log.open("a") as file:
        file.write(json.dumps({"event": "call", "level": "info"}) + "\n")
        file.write(
            json.dumps({"event": "call", "exception": "Traceback (most recent call last): new"}) + "\n"
        )

    [found] = tracebacks(log, begin)

    assert "new" in found


@pytest.mark.parametrize(
    ("code", "bad"),
    [("INTERNAL", True), ("UNKNOWN", True), ("DATA_LOSS", True), ("HTTP 500", True), ("HTTP 415", False)]
    + [(code, False) for code in ("OK", "INVALID_ARGUMENT", "UNAVAILABLE", "DEADLINE_EXCEEDED")],
)
def test_which_answers_nobody_may_cause(code: str, bad: bool) -> None:
    assert bad == Answer("rest", code, "").bad


def test_codes_are_read_as_each_transport_writes_them() -> None:
    connect_end = b'{"error":{"code":"internal"}}'
    web_end = b"grpc-message:x\r\ngrpc-status: 13\r\n"

    assert "INTERNAL" == frame_code(struct.pack(">BI", 2, len(connect_end)) + connect_end)
    assert "INTERNAL" == frame_code(struct.pack(">BI", 0x80, len(web_end)) + web_end)
    assert "OK" == frame_code(struct.pack(">BI", 0, 3) + b"abc")
    assert "INTERNAL" == web_code(500, b'{"code":"internal"}')
    assert "INTERNAL" == web_code(500, b'{"error":{"status":"INTERNAL"}}')
    assert "HTTP 500" == web_code(500, b"Internal Server Error")
    assert "UNAVAILABLE" == event_code(
        b'event: error\ndata: {"error":{"code":503,"status":"UNAVAILABLE"}}\n\n'
    )


def test_every_field_of_every_request_has_its_spots() -> None:
    for method in METHODS:
        fields = {field.name for field in method.request.DESCRIPTOR.fields}
        assert fields == {field_case.path[0].name for field_case in field_cases_of(method)}

    times = [field_case for field_case in ordered(METHODS, Random(1)) if field_case.is_time]
    named = {".".join(field.name for field in field_case.path) for field_case in times}
    bank = {f"clock.bank.{name}" for name in ("initial", "increment", "cap")}
    assert {"created_after", "bots_after", "clock.per_decision", *bank} == named


def test_json_can_say_what_no_library_writes() -> None:
    assert b'{"a": 1e400, "b": ["\\ud800", "\\u0000"]}' == written(
        {"a": raw("1e400"), "b": [raw('"\\ud800"'), "\0"]}
    )
