"""Tests of the HTTP status, code, reason and details of each error of play, as a table."""

from __future__ import annotations

import pytest

from api.echo import FAULTS, missed
from gamehost.api.pipeline.dispatch import rpc_error
from gamehost.api.pipeline.status import error_body, status_of
from gamehost.play.errors import Stale

INFO, BAD, RETRY = "google.rpc.ErrorInfo", "google.rpc.BadRequest", "google.rpc.RetryInfo"
QUOTA = "google.rpc.QuotaFailure"

# token: HTTP, code, reason, details
TABLE: dict[str, tuple[int, str, str, list[str]]] = {
    "invalid": (400, "INVALID_ARGUMENT", "INVALID_REQUEST", [INFO, BAD]),
    "wrong-title": (400, "INVALID_ARGUMENT", "WRONG_TITLE", [INFO, BAD]),
    "not-found": (404, "NOT_FOUND", "GAME_NOT_FOUND", [INFO]),
    "no-token": (401, "UNAUTHENTICATED", "TOKEN_MISSING", [INFO]),
    "not-yours": (403, "PERMISSION_DENIED", "NOT_YOUR_SEAT", [INFO]),
    "joined": (409, "ALREADY_EXISTS", "ALREADY_JOINED", [INFO]),
    "full": (400, "FAILED_PRECONDITION", "GAME_FULL", [INFO]),
    "refused": (400, "FAILED_PRECONDITION", "NOT_IN_HAND", [INFO]),
    "stale": (409, "ABORTED", "STALE_VERSION", [INFO, "shedu.v1.MissedEvents"]),
    "early": (400, "OUT_OF_RANGE", "VERSION_IN_FUTURE", [INFO]),
    "too-much": (429, "RESOURCE_EXHAUSTED", "TOO_MUCH", [INFO, RETRY, QUOTA]),
    "away": (503, "UNAVAILABLE", "STORE_UNAVAILABLE", [INFO, RETRY]),
    "unreadable": (500, "DATA_LOSS", "GAME_UNREADABLE", [INFO]),
    "bug": (500, "INTERNAL", "INTERNAL", [INFO]),
}


def test_every_fault_is_in_the_table() -> None:
    assert FAULTS.keys() == TABLE.keys()


@pytest.mark.parametrize("token", TABLE)
def test_an_error_has_its_code_reason_and_details(token: str) -> None:
    fault = FAULTS[token]
    if isinstance(fault, Stale):
        fault.details = [missed(2)]  # type: ignore[attr-defined]

    body = error_body(rpc_error(fault))["error"]

    types = [detail["@type"].removeprefix("type.googleapis.com/") for detail in body["details"]]
    assert TABLE[token] == (body["code"], body["status"], body["details"][0]["reason"], types)
    assert "shedu" == body["details"][0]["domain"]


def test_a_refusal_names_its_rule() -> None:
    info = error_body(rpc_error(FAULTS["refused"]))["error"]["details"][0]

    assert {"rule": "TT-2", "title": "tides"} == info["metadata"]


def test_a_stale_caller_is_told_what_it_missed() -> None:
    fault = Stale("too late", reason="STALE_VERSION", seen=3, actual=5)
    fault.details = [missed(2)]  # type: ignore[attr-defined]

    detail = status_of(fault).details[1]

    assert missed(2).SerializeToString() == detail.value
