"""Bad input over REST and Connect: each mistake gets a typed error that names the field, never a 500."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import grpc
import httpx
import pytest
from google.rpc import status_pb2

from api.echo import GAME_ID
from api.echo_servers import EchoServers
from gamehost.api.pipeline.status import RpcError
from gamehost.api.transports.grpc import STATUS_DETAILS
from support.waiting import PATIENCE

PLAY = f"/v1/games/{GAME_ID}:play"
JOIN = f"/v1/games/{GAME_ID}:join"
VIEW = f"/v1/games/{GAME_ID}/view"

# Bodies for :play, each with the field that the error names.
BODIES: list[tuple[bytes, str]] = [
    (b"", "body"),
    (b"   ", "body"),
    (b"null", "body"),
    (b"[]", "body"),
    (b'"x"', "body"),
    (b"7", "body"),
    (b"{", "body"),
    (b"{}{}", "body"),
    (b"{'a':1}", "body"),
    (b"\xff\xfe{}", "body"),
    (b'{"decisionId":"\xc3"}', "body"),
    (b"\xef\xbb\xbf{}", "body"),
    (b'{"expectedVersion":NaN}', "body"),
    (b'{"expectedVersion":-Infinity}', "body"),
    (b"[" * 5_000, "body"),
    (b'{"a":' * 5_000, "body"),
    (b'{"expectedVersion":1' + b"0" * 5_000 + b"}", "body"),
    (b'{"decisionId":"a","decisionId":"b"}', "decisionId"),
    (b'{"decisionId":"a","decision_id":"b"}', "decision_id"),
    (b'{"decisionId":"\\ud800"}', "decision_id"),
    (b'{"decisionId":1}', "decision_id"),
    (b'{"decisionId":true}', "decision_id"),
    (b'{"decisionId":["a"]}', "decision_id"),
    (b'{"\\ud800":1}', "?"),
    (b'{"colour":"red"}', "colour"),
    (b'{"action":[]}', "action"),
    (b'{"action":"tides"}', "action"),
    (b'{"action":{"chess":{}}}', "action.chess"),
    (b'{"action":{"tides":{"chooseCard":{"card":"ACE"}}}}', "action.tides.choose_card.card"),
    (b'{"action":{"tides":{"chooseCard":{"card":1.5}}}}', "action.tides.choose_card.card"),
    (b'{"action":{"tides":{"chooseCard":{"card":"\\ud800"}}}}', "action.tides.choose_card.card"),
    (b'{"action":{"tides":{"chooseCard":{"card":true}}}}', "action.tides.choose_card.card"),
    (b'{"action":{"tides":{"chooseCard":{"card":99999999999}}}}', "action.tides.choose_card.card"),
    (b'{"action":{"tides":{"chooseCard":{},"chooseRelic":{}}}}', "action.tides.choose_relic"),
    (b'{"expectedVersion":-1}', "expected_version"),
    (b'{"expectedVersion":18446744073709551616}', "expected_version"),
    (b'{"expectedVersion":1e400}', "expected_version"),
    (b'{"expectedVersion":1.5}', "expected_version"),
    (b'{"expectedVersion":"1_0"}', "expected_version"),
    (b'{"expectedVersion":" 1"}', "expected_version"),
    ('{"expectedVersion":"١"}'.encode(), "expected_version"),
    (b'{"expectedVersion":true}', "expected_version"),
    (b'{"expectedVersion":{}}', "expected_version"),
    (b'{"validateOnly":"true"}', "validate_only"),
    (b'{"validateOnly":1}', "validate_only"),
    (b'{"readMask":"legal_actions"}', "read_mask"),
    (b'{"readMask":["view"]}', "read_mask"),
    (b'{"gameId":"zzzzzzzzzzzzzzzzzzzz"}', "game_id"),
    # Refused by the validation rules of the contract, after parsing.
    (b"{}", "decision_id"),
    (b'{"decisionId":"d"}', "action"),
    (b'{"decisionId":"d","action":{}}', "action"),
    (b'{"decisionId":"d","action":{"tides":{}}}', "action.tides"),
    (b'{"decisionId":"d","action":{"tides":{"chooseCard":{}}}}', "action.tides.choose_card.card"),
    (b'{"decisionId":"d","action":{"tides":{"chooseCard":{"card":99}}}}', "action.tides.choose_card.card"),
]

# URLs for GET, each with the field that the error names.
URLS: list[tuple[str, str]] = [
    ("/v1/games?colour=red", "colour"),
    ("/v1/games?page_size=1&pageSize=2", "page_size"),
    ("/v1/games?pageSize=1&pageSize=2", "page_size"),
    ("/v1/games?pageSize=", "page_size"),
    ("/v1/games?pageSize=many", "page_size"),
    ("/v1/games?pageSize=1.0", "page_size"),
    ("/v1/games?pageSize=2147483648", "page_size"),
    ("/v1/games?pageSize=-1", "page_size"),
    ("/v1/games?status=OVER", "status"),
    ("/v1/games?status=77", "status"),
    ("/v1/games?title=%ff", "query"),
    ("/v1/games?" + "&".join("title=a" for _ in range(200)), "query"),
    ("/v1/games?title.x=1", "title.x"),
    ("/v1/games?=1", ""),
    ("/v1/games/%ff", "game_id"),
    ("/v1/games/NO", "game_id"),
    ("/v1/games/a%2Fb", "game_id"),
    ("/v1/games/a%3Ab", "game_id"),
    (f"{VIEW}?version=0", "version"),
    (f"{VIEW}?version=18446744073709551616", "version"),
    (f"{VIEW}?gameId=b", "game_id"),
]


def fields_of(answer: httpx.Response) -> list[str]:
    error = answer.json()["error"]
    assert (400, 400, "INVALID_ARGUMENT") == (answer.status_code, error["code"], error["status"])
    info, bad_request = error["details"]
    assert "INVALID_REQUEST" == info["reason"]
    return [violation["field"] for violation in bad_request["fieldViolations"]]


@pytest.mark.parametrize(("body", "field"), BODIES, ids=lambda value: repr(value)[:40])
async def test_a_bad_body_is_refused_with_the_field_named(
    servers: EchoServers, body: bytes, field: str
) -> None:
    servers.echo.asked.clear()
    headers = {"content-type": "application/json"}

    answer = await servers.http.post(PLAY, content=body, headers=headers)

    assert field in fields_of(answer)
    assert [] == servers.echo.asked


@pytest.mark.parametrize(("body", "field"), BODIES, ids=lambda value: repr(value)[:40])
async def test_connect_is_as_strict(servers: EchoServers, body: bytes, field: str) -> None:
    servers.echo.asked.clear()
    headers = {"content-type": "application/json"}

    answer = await servers.http.post("/shedu.v1.GameService/PlayAction", content=body, headers=headers)

    assert (400, "invalid_argument") == (answer.status_code, answer.json()["code"])
    assert [] == servers.echo.asked


@pytest.mark.parametrize(("url", "field"), URLS, ids=lambda value: value[:40])
async def test_a_bad_url_is_refused_with_the_field_named(servers: EchoServers, url: str, field: str) -> None:
    servers.echo.asked.clear()

    answer = await servers.http.get(url)

    assert [field] == fields_of(answer)
    assert [] == servers.echo.asked


async def test_a_body_takes_no_query(servers: EchoServers) -> None:
    answer = await servers.http.post(f"{JOIN}?displayName=x", json={})

    assert ["display_name"] == fields_of(answer)


async def test_a_body_may_repeat_the_path(servers: EchoServers) -> None:
    answer = await servers.http.post(JOIN, json={"gameId": GAME_ID})

    assert 200 == answer.status_code


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"]
)
async def test_another_content_type_is_refused(servers: EchoServers, kind: str | None) -> None:
    answer = await servers.http.post(JOIN, content=b"{}", headers={"content-type": kind} if kind else {})

    error = answer.json()["error"]
    assert (415, 415, "INVALID_ARGUMENT") == (answer.status_code, error["code"], error["status"])
    assert "Content-Type" == error["details"][1]["fieldViolations"][0]["field"]


async def test_a_compressed_body_is_refused(servers: EchoServers) -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}

    answer = await servers.http.post(JOIN, content=gzip.compress(b"{}"), headers=headers)

    assert 415 == answer.status_code


@pytest.mark.parametrize(
    ("verb", "url", "code", "allow"),
    [
        ("DELETE", "/v1/games", 405, {"GET", "POST"}),
        ("GET", PLAY, 405, {"POST"}),
        ("POST", f"/v1/games/{GAME_ID}:watch", 405, {"GET"}),
        ("PATCH", f"/v1/games/{GAME_ID}", 405, {"GET"}),
        ("GET", f"/v1/games/{GAME_ID}:cheat", 404, set()),
        ("GET", "/v1/games/", 404, set()),
        ("GET", "/v1", 404, set()),
        ("GET", "/v1/", 404, set()),
        ("GET", "/v1/chess", 404, set()),
        ("GET", "//v1/games", 404, set()),
        ("GET", "/v2/games", 404, set()),
        ("GET", "/\u00e9", 404, set()),
    ],
)
async def test_what_is_not_there_gets_a_typed_error(
    servers: EchoServers, verb: str, url: str, code: int, allow: set[str]
) -> None:
    answer = await servers.http.request(verb, f"http://127.0.0.1:{servers.http_port}{url}")

    error = answer.json()["error"]
    assert (code, "METHOD_NOT_FOUND") == (answer.status_code, error["details"][0]["reason"])
    assert allow == {verb for verb in answer.headers.get("allow", "").split(", ") if verb}


async def chunks(total: int) -> AsyncIterator[bytes]:
    yield b'{"displayName":"'
    for _ in range(total // 1024):
        yield b"x" * 1024
    yield b'"}'


@pytest.mark.parametrize("chunked", [True, False])
async def test_a_large_body_is_refused(servers: EchoServers, chunked: bool) -> None:
    content: Any = chunks(70_000) if chunked else b"x" * 70_000
    headers = {"content-type": "application/json"}

    answer = await servers.http.post(JOIN, content=content, headers=headers)

    error = answer.json()["error"]
    assert (413, "RESOURCE_EXHAUSTED") == (answer.status_code, error["status"])
    assert "REQUEST_TOO_LARGE" == error["details"][0]["reason"]


async def test_a_body_below_the_limit_is_read(servers: EchoServers) -> None:
    answer = await servers.http.post(JOIN, json={"displayName": "x" * 65_000})

    assert ["display_name"] == fields_of(answer)


@pytest.mark.parametrize("kind", ["json", "proto"])
@pytest.mark.parametrize("compressed", [True, False])
async def test_connect_refuses_a_large_body_even_when_packed(
    servers: EchoServers, kind: str, compressed: bool
) -> None:
    body = json.dumps({"displayName": "x" * 70_000}).encode()
    headers = {
        "content-type": f"application/{kind}",
        "content-encoding": "gzip" if compressed else "identity",
    }

    answer = await servers.http.post(
        "/shedu.v1.GameService/JoinGame", content=gzip.compress(body) if compressed else body, headers=headers
    )

    assert (429, "resource_exhausted") == (answer.status_code, answer.json()["code"])
    assert "google.rpc.ErrorInfo" == answer.json()["details"][0]["type"]


@pytest.mark.parametrize(
    ("data", "code", "reason"),
    [
        (b"\xff\xff\xff", grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST"),
        (b"\x0a\x02\xc3\x28", grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST"),
        (b"\x0a" + b"x" * 70_000, grpc.StatusCode.RESOURCE_EXHAUSTED, "REQUEST_TOO_LARGE"),
    ],
)
async def test_grpc_refuses_garbled_and_large_requests(
    servers: EchoServers, data: bytes, code: grpc.StatusCode, reason: str
) -> None:
    call = servers.channel.unary_unary("/shedu.v1.GameService/JoinGame")

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(data, timeout=PATIENCE)

    assert code == caught.value.code()
    answer = status_pb2.Status.FromString(dict(caught.value.trailing_metadata())[STATUS_DETAILS])
    assert reason == RpcError(answer).reason


async def test_grpc_refuses_a_request_beyond_all_bounds(servers: EchoServers) -> None:
    call = servers.channel.unary_unary("/shedu.v1.GameService/JoinGame")

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"x" * 1_000_000, timeout=PATIENCE)

    assert grpc.StatusCode.RESOURCE_EXHAUSTED == caught.value.code()


async def test_grpc_refuses_large_metadata(servers: EchoServers) -> None:
    call = servers.channel.unary_unary("/shedu.v1.GameService/JoinGame")

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"", metadata=(("authorization", "x" * 20_000),), timeout=PATIENCE)

    assert grpc.StatusCode.RESOURCE_EXHAUSTED == caught.value.code()


@pytest.mark.parametrize("value", ["1", "GAME_STATUS_GATHERING"])
async def test_an_enum_in_a_query_is_a_name_or_a_number(servers: EchoServers, value: str) -> None:
    servers.echo.asked.clear()

    await servers.http.get(f"/v1/games?status={value}")

    assert [1] == [request.status for request in servers.echo.asked]


async def test_an_optional_number_in_a_query_is_present_when_zero(servers: EchoServers) -> None:
    servers.echo.asked.clear()

    await servers.http.get(f"/v1/games/{GAME_ID}:watch?after_version=0")
    await servers.http.get(f"/v1/games/{GAME_ID}:watch")

    assert [True, False] == [request.HasField("after_version") for request in servers.echo.asked]


async def test_cross_origin_pages_may_call(servers: EchoServers) -> None:
    headers = {"origin": "https://example.org", "access-control-request-method": "POST"}
    headers["access-control-request-headers"] = "authorization, content-type"

    preflight = await servers.http.options(JOIN, headers=headers)
    answer = await servers.http.get("/v1/games/x", headers={"origin": "https://example.org"})

    assert (200, "*") == (preflight.status_code, preflight.headers["access-control-allow-origin"])
    assert (400, "*") == (answer.status_code, answer.headers["access-control-allow-origin"])
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize(
    ("token", "name", "value"), [("too-much", "retry-after", "2"), ("no-token", "www-authenticate", "Bearer")]
)
async def test_headers_say_what_the_error_says(
    servers: EchoServers, token: str, name: str, value: str
) -> None:
    answer = await servers.http.get(VIEW, headers={"authorization": f"Bearer {token}"})

    assert value == answer.headers[name]


async def test_a_mask_in_snake_case_is_refused_with_the_form_that_it_must_have(servers: EchoServers) -> None:
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{servers.http_port}", timeout=PATIENCE
    ) as client:
        answer = await client.get(VIEW, params={"readMask": "legal_actions"})

    violation = answer.json()["error"]["details"][1]["fieldViolations"][0]
    assert (400, "read_mask") == (answer.status_code, violation["field"])
    assert "must be names of fields in camelCase, separated by commas" == violation["description"]
