"""Tests that the TypeScript client makes typed errors of refusals and faults, and repeats no call in vain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.node import node
from support.process import Serve
from support.typescript import compiled_client

SCRIPT = Path(__file__).with_name("bad_input.mjs")


@pytest.fixture(scope="module")
def found(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("typescript")
    client = compiled_client(folder)
    with Serve(tmp_path_factory.mktemp("expiring"), SHEDU_SEAT_TOKEN_DAYS=str(2 / 86400)) as expiring:
        grpc = f"http://127.0.0.1:{serve.grpc_port}"
        done = node(str(SCRIPT), str(client), serve.url, expiring.url, grpc)
    assert "" == done.stderr
    return json.loads(done.stdout)


def test_a_refusal_has_its_reason_and_rule(found: Any) -> None:
    refusal = found["refusal"]

    assert ("FailedPrecondition", "WRONG_KIND_OF_ACTION", "TT-2", 1) == (
        refusal["code"],
        refusal["reason"],
        refusal["rule"],
        refusal["asked"],
    )


def test_a_stale_caller_gets_what_it_missed(found: Any) -> None:
    assert {"reason": "DECISION_ANSWERED", "isStale": True, "missed": 1, "asked": 1} == found["stale"]


def test_what_cannot_get_better_is_asked_once(found: Any) -> None:
    assert {("NEW_REASON", 1)} == {(each["reason"], each["asked"]) for each in found["once"].values()}
    assert 10 == len({each["code"] for each in found["once"].values()})
    assert ("Internal", "INTERNAL", 1) == (
        found["fault"]["code"],
        found["fault"]["reason"],
        found["fault"]["asked"],
    )


def test_an_unavailable_server_is_asked_again_with_the_same_request_id(found: Any) -> None:
    assert {"untyped": "undefined", "asked": 3, "requestIds": 1} == found["away"]


def test_a_limit_is_waited_for_if_the_server_says_how_long(found: Any) -> None:
    assert {"untyped": "undefined", "asked": 2, "requestIds": 1} == found["limited"]
    for case in ("over_a_limit", "beyond_patience"):
        assert ("ResourceExhausted", 1) == (found[case]["code"], found[case]["asked"])


def test_a_call_that_times_out_is_made_again_with_the_same_request_id(found: Any) -> None:
    assert {"untyped": "undefined", "asked": 2, "requestIds": 1} == found["slow_once"]


def test_a_slow_server_is_a_typed_error_when_patience_ends(found: Any) -> None:
    cases = {case: found[case] for case in ("slow", "slow_in_all")}

    assert {("DeadlineExceeded", "")} == {(each["code"], each["reason"]) for each in cases.values()}
    assert (4, 1) == (cases["slow"]["asked"], cases["slow"]["requestIds"])
    assert 1 == cases["slow_in_all"]["asked"]


def test_an_unknown_enum_and_event_of_a_newer_server_are_passed_on(found: Any) -> None:
    newer = found["newer"]

    assert {"versions": [2, 3], "kinds": ["tides", None], "asked": 1, "status": 99} == newer


def test_a_stream_that_is_cut_resumes_without_a_repetition(found: Any) -> None:
    assert ([2, 3], 2) == (found["cut"]["versions"], found["cut"]["asked"])


def test_a_stream_over_a_limit_is_opened_again_only_if_the_server_says_when(found: Any) -> None:
    assert 2 == found["limited_stream"]["asked"]
    assert ("ResourceExhausted", 1) == (found["refused_stream"]["code"], found["refused_stream"]["asked"])


def test_a_stream_with_a_gap_is_an_error(found: Any) -> None:
    assert ("DataLoss", "the stream leaps from version 1 to 3", 1) == (
        found["gap"]["code"],
        found["gap"]["message"],
        found["gap"]["asked"],
    )


def test_an_expired_token_is_a_typed_error(found: Any) -> None:
    expired = found["expired"]

    assert ("Unauthenticated", "TOKEN_EXPIRED", 1) == (expired["code"], expired["reason"], expired["asked"])


def test_a_wrong_address_is_named_and_asked_once(found: Any) -> None:
    assert ("Unimplemented", 1) == (found["port"]["code"], found["port"]["asked"])
    assert "another port than gRPC, by default 8080" in found["port"]["message"]
    assert "InvalidArgument" == found["scheme"]["code"]
    assert ("Unauthenticated", 0) == (found["token"]["code"], found["token"]["asked"])
