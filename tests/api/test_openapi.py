"""Tests that the OpenAPI document is valid, complete and equal to the contract."""

from __future__ import annotations

from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.echo import METHODS, SERVICES, Echo, open_admission
from api.echo_servers import EchoServers
from gamehost.api.openapi.document import document
from gamehost.api.pipeline.dispatch import Dispatch
from shedu.v1 import game_pb2


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return document(Dispatch([Echo()], SERVICES, open_admission()))


def operations(described: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {found["operationId"]: found for path in described["paths"].values() for found in path.values()}


def test_the_document_is_valid(described: dict[str, Any]) -> None:
    OpenAPIV31SpecValidator(described).validate()


def test_every_rpc_is_an_operation_with_a_summary(described: dict[str, Any]) -> None:
    found = operations(described)

    assert {rpc.name for rpc in METHODS} == found.keys()
    assert all(operation["summary"] for operation in found.values())


def test_limits_of_the_contract_are_carried_over(described: dict[str, Any]) -> None:
    found = operations(described)

    game_id = found["GetGame"]["parameters"][0]
    join = found["JoinGame"]["requestBody"]["content"]["application/json"]["schema"]
    create = found["CreateGame"]["requestBody"]["content"]["application/json"]["schema"]
    assert ("path", True, "^[a-z0-9]{20}$") == (
        game_id["in"],
        game_id["required"],
        game_id["schema"]["pattern"],
    )
    assert 40 == join["properties"]["displayName"]["maxLength"]
    assert "gameId" not in join["properties"]
    assert (0, 16) == (
        create["properties"]["seatCount"]["minimum"],
        create["properties"]["seatCount"]["maximum"],
    )
    assert ["title"] == create["required"]


def test_parameters_are_described_by_the_comments(described: dict[str, Any]) -> None:
    query = {found["name"]: found for found in operations(described)["ListGames"]["parameters"]}

    filters = {"title", "status", "mine", "joinable", "createdAfter"}
    assert filters | {"pageSize", "pageToken"} == query.keys()
    assert query["status"]["description"].startswith("Only games with this status")
    assert {"$ref": "#/components/schemas/shedu.v1.GameStatus"} == query["status"]["schema"]


def test_a_oneof_allows_one_case(described: dict[str, Any]) -> None:
    action = described["components"]["schemas"]["shedu.v1.Action"]
    event = described["components"]["schemas"]["shedu.v1.Event"]

    titles = game_pb2.Action.DESCRIPTOR.oneofs_by_name["title"].fields
    assert [{"oneOf": [{"required": [title.json_name]} for title in titles]}] == action["allOf"]
    assert "not" in event["allOf"][0]["oneOf"][-1]


def test_a_64_bit_number_is_a_string(described: dict[str, Any]) -> None:
    version = described["components"]["schemas"]["shedu.v1.Game"]["properties"]["version"]

    assert ("string", "uint64") == (version["type"], version["format"])


def test_only_what_callers_send_is_closed(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]

    assert False is schemas["shedu.tides.v1.Action"]["additionalProperties"]
    assert "additionalProperties" not in schemas["shedu.v1.View"]


def test_streams_come_as_events_and_as_lines(described: dict[str, Any]) -> None:
    content = operations(described)["WatchGame"]["responses"]["200"]["content"]

    assert {"text/event-stream", "application/x-ndjson"} == content.keys()


def test_reasons_are_listed(described: dict[str, Any]) -> None:
    reason = described["components"]["schemas"]["google.rpc.ErrorInfo"]["properties"]["reason"]

    assert "`STALE_VERSION`: ABORTED" in reason["description"]


async def test_the_document_is_served(servers: EchoServers, described: dict[str, Any]) -> None:
    answer = await servers.http.get("/openapi.json")

    assert described == answer.json()
