"""Tests of caller addresses in a real process: proxies, wrong keys, CORS origins."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from support.process import Serve
from support.waiting import PATIENCE

PROXY, STRANGER = "127.0.0.2", "127.0.0.1"
ORIGIN = "https://play.example.org"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A separate service, because its counts by address would affect other tests."""
    options = ("--identity", "keys", "--proxy", f"{PROXY}/32", "--cors-origin", ORIGIN)
    with Serve(tmp_path_factory.mktemp("guarded"), *options, SHEDU_WRONG_TOKENS="2") as process:
        yield process


def codes(serve: Serve, address: str, callers: list[str]) -> list[int]:
    """Returns the status codes of wrong keys sent from that address for these forwarded callers."""
    transport = httpx.HTTPTransport(local_address=address, verify=False)
    with httpx.Client(transport=transport, base_url=serve.url, timeout=PATIENCE, trust_env=False) as client:
        wrong = {"authorization": "Bearer shedu_key_eve_guess"}
        return [
            client.get("/v1/games", headers=wrong | {"x-forwarded-for": each}).status_code for each in callers
        ]


def test_a_stranger_does_not_get_round_its_limit_by_saying_that_it_is_somebody_else(guarded: Serve) -> None:
    assert [401, 401, 429] == codes(guarded, STRANGER, [f"198.51.100.{n}" for n in (1, 2, 3)])


def test_a_proxy_is_believed_and_its_callers_are_counted_one_by_one(guarded: Serve) -> None:
    callers = [f"198.51.100.{n}" for n in (11, 12, 13, 11, 11)]

    assert [401, 401, 401, 401, 429] == codes(guarded, PROXY, callers)
    told = [line for line in guarded.lines() if line["event"] == "wrong keys or tokens"]
    assert "198.51.100.11" in [line["address"] for line in told]


def test_pages_of_the_given_origin_may_call_and_others_may_not(guarded: Serve) -> None:
    asks = {"access-control-request-method": "GET"}
    answers = [
        httpx.options(f"{guarded.url}/v1/titles", headers={"origin": origin, **asks}, timeout=PATIENCE)
        for origin in (ORIGIN, "https://evil.example.net")
    ]

    assert [ORIGIN, None] == [answer.headers.get("access-control-allow-origin") for answer in answers]
