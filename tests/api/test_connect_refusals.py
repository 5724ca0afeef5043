"""Tests that requests refused by the Connect library get a typed error, are counted, and are not INTERNAL."""

from __future__ import annotations

import logging
import struct

import httpx
import pytest
from prometheus_client import REGISTRY

from api.echo_servers import EchoServers

LIST, WATCH, CREATE = (f"/shedu.v1.GameService/{name}" for name in ("ListGames", "WatchGame", "CreateGame"))
JSON = {"content-type": "application/json"}
WEB = {"content-type": "application/grpc-web+proto"}
TEXT = {"content-type": "application/grpc-web-text"}
STREAM = {"content-type": "application/connect+json"}


def envelope(data: bytes = b"", flags: int = 0, length: int | None = None) -> bytes:
    return struct.pack(">BI", flags, len(data) if length is None else length) + data


def counted(reason: str, method: str = "ListGames") -> float:
    return REGISTRY.get_sample_value("shedu_refusals_total", {"method": method, "reason": reason}) or 0.0


@pytest.mark.parametrize("path", [LIST, WATCH])
@pytest.mark.parametrize(
    "media_type",
    [
        "application/grpc",
        "application/grpc+proto",
        "application/grpc+json",
        "application/grpc;charset=utf-8",
        "Application/gRPC",
        "application/grpc-web+thrift",
        "application/grpc-web-text+thrift",
        "text/plain",
        "",
    ],
)
async def test_a_media_type_that_is_not_served_is_415(
    servers: EchoServers, caplog: pytest.LogCaptureFixture, path: str, media_type: str
) -> None:
    method = path.rpartition("/")[2]
    before = counted("INVALID_REQUEST", method)

    with caplog.at_level(logging.WARNING):
        answer = await servers.http.post(path, content=envelope(), headers={"content-type": media_type})

    error = answer.json()["error"]
    assert (415, "INVALID_ARGUMENT") == (answer.status_code, error["status"])
    assert "Content-Type" == error["details"][1]["fieldViolations"][0]["field"]
    assert before + 1 == counted("INVALID_REQUEST", method)
    assert [] == caplog.records


@pytest.mark.parametrize("body", [b"=AAAA", b"AAAAA", b"A=AA", b"\0\0\0\0", b"AAA-AA=="])
async def test_a_text_body_that_is_not_base64_is_refused(servers: EchoServers, body: bytes) -> None:
    before = counted("INVALID_REQUEST")

    answer = await servers.http.post(
        LIST, content=body, headers={"content-type": "application/grpc-web-text"}
    )

    error = answer.json()["error"]
    assert (400, "INVALID_ARGUMENT") == (answer.status_code, error["status"])
    assert "body" == error["details"][1]["fieldViolations"][0]["field"]
    assert before + 1 == counted("INVALID_REQUEST")


async def test_a_text_body_that_is_too_large_is_refused(servers: EchoServers) -> None:
    answer = await servers.http.post(LIST, content=b"AAAA" * 100_000, headers=TEXT)

    assert 413 == answer.status_code


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_a_method_that_is_not_served_is_405(servers: EchoServers, method: str) -> None:
    before = counted("METHOD_NOT_FOUND", "CreateGame")

    answer = await servers.http.request(method, CREATE, headers=JSON)

    assert (405, "UNIMPLEMENTED") == (answer.status_code, answer.json()["error"]["status"])
    assert "POST" in answer.headers["allow"]
    assert before + 1 == counted("METHOD_NOT_FOUND", "CreateGame")


@pytest.mark.parametrize(
    "body",
    [
        envelope(b"x", flags=1),  # compressed, without a declared encoding
        envelope(b"", flags=2),
        envelope(b"", flags=0x80),
        envelope(b"abc")[:-2],
        envelope(b"", length=2**32 - 1),
        envelope() * 2,
        b"",
        b"\xff" * 50,
    ],
)
async def test_envelopes_that_make_no_sense_are_no_fault_of_the_service(
    servers: EchoServers, caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    with caplog.at_level(logging.WARNING):
        answers = [
            await servers.http.post(LIST, content=body, headers=WEB),
            await servers.http.post(WATCH, content=body, headers=WEB),
            await servers.http.post(WATCH, content=body, headers=STREAM),
        ]

    assert [200, 200, 200] == [answer.status_code for answer in answers]
    assert {True} == {is_refusal(answer) for answer in answers}
    assert [] == caplog.records


def is_refusal(answer: httpx.Response) -> bool:
    """Whether the answer is an error with details, and neither UNKNOWN nor INTERNAL."""
    text = answer.content.decode("latin-1")
    if answer.headers["content-type"].startswith("application/grpc-web"):
        code = int(text.partition("grpc-status: ")[2].split("\r\n")[0])
        return code not in (0, 2, 13) and "grpc-status-details-bin" in text
    return not any(f'"{code}"' in text for code in ("unknown", "internal")) and "ErrorInfo" in text


@pytest.mark.parametrize(("encoding", "status"), [("br", 501), ("gzip", 400)])
async def test_a_body_that_cannot_be_unpacked_is_refused_with_details(
    servers: EchoServers, encoding: str, status: int
) -> None:
    before = counted("INVALID_REQUEST")

    answer = await servers.http.post(LIST, content=b"{}", headers=JSON | {"content-encoding": encoding})

    assert status == answer.status_code
    assert "google.rpc.ErrorInfo" == answer.json()["details"][0]["type"]
    assert before + 1 == counted("INVALID_REQUEST")
