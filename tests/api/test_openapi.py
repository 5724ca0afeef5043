"""Tests that the OpenAPI document is valid, complete and equal to the contract."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from api.echo import METHODS, SERVICES, Echo, open_admission
from api.echo_servers import EchoServers
from gamehost.api.openapi.document import document
from gamehost.api.openapi.examples import examples
from gamehost.api.pipeline.dispatch import Dispatch
from openapi_tools.record_examples import text as examples_text
from shedu.v1 import game_pb2


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return document(Dispatch([Echo()], SERVICES, open_admission()))


def operations(described: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {found["operationId"]: found for path in described["paths"].values() for found in path.values()}


def test_the_document_is_valid(described: dict[str, Any]) -> None:
    # Imported here and below: jsonschema builds grammars for seconds, and every process collects this file.
    from openapi_spec_validator import OpenAPIV31SpecValidator

    OpenAPIV31SpecValidator(described).validate()


def test_every_rpc_is_an_operation_with_a_summary(described: dict[str, Any]) -> None:
    found = operations(described)

    assert {rpc.name for rpc in METHODS} == found.keys()  # all but the bidirectional stream
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


def test_a_oneof_is_a_union_of_objects_with_one_case_each(described: dict[str, Any]) -> None:
    action = described["components"]["schemas"]["shedu.v1.Action"]["oneOf"]
    event = described["components"]["schemas"]["shedu.v1.Event"]["oneOf"]

    titles = game_pb2.Action.DESCRIPTOR.oneofs_by_name["title"].fields
    common = ["version", "eventTime", "continues"]
    assert [[title.json_name] for title in titles] == [variant["required"] for variant in action]
    assert [[title.json_name] for title in titles] == [[*variant["properties"]] for variant in action]
    assert [*common, "gameCreated", "clocks"] == event[0]["required"]
    assert [*common, "clocks"] == event[-1]["required"]


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        ({"tides": {}}, False),
        ({"tides": {"chooseCard": {"card": "CARD_MANA_WELL"}}}, True),
        ({"tides": {"chooseCard": {}}}, False),
        ({"tides": {"chooseCard": {"card": "CARD_MANA_WELL", "row": 3}}}, False),
        ({"tides": {"chooseCard": {"card": "CARD_MANA_WELL"}}, "tigris": {"endTurn": {}}}, False),
        ({}, False),
    ],
)
def test_an_action_has_exactly_one_case(described: dict[str, Any], value: Any, valid: bool) -> None:
    assert valid == is_valid(described, "shedu.v1.Action", value)


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        ({"proposalId": "1", "seat": 0, "waitingFor": [], "abandon": True}, True),
        ({"proposalId": "1", "seat": 0, "waitingFor": [], "undoToVersion": "3", "abandon": True}, False),
        ({"proposalId": "1", "seat": 0, "waitingFor": [], "draw": {}}, True),  # of a later release
        ({"seat": 0, "waitingFor": [], "abandon": True}, False),
    ],
)
def test_a_returned_union_may_have_a_case_of_a_later_release(
    described: dict[str, Any], value: Any, valid: bool
) -> None:
    assert valid == is_valid(described, "shedu.v1.Proposal", value)


def is_valid(described: dict[str, Any], name: str, value: Any) -> bool:
    from jsonschema import Draft202012Validator

    schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
    return Draft202012Validator(schema).is_valid(value)


def test_every_variant_has_a_name_of_its_own(described: dict[str, Any]) -> None:
    """Generators name classes by them, without dots and in camel case."""
    schemas = described["components"]["schemas"]

    names = [*schemas, *(variant["title"] for each in schemas.values() for variant in each.get("oneOf", ()))]

    assert len(names) == len({name.replace(".", "").replace("_", "").lower() for name in names})


def test_fields_that_every_response_has_are_required(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]

    assert ["games", "nextPageToken"] == schemas["shedu.v1.ListGamesResponse"]["required"]
    assert ["game", "seat", "seatToken"] == schemas["shedu.v1.JoinGameResponse"]["required"]
    assert ["action", "text"] == schemas["shedu.v1.LegalAction"]["required"]
    assert "required" not in schemas["shedu.v1.GetViewResponse"]  # a read mask can leave both fields out
    assert "required" not in schemas["shedu.v1.SeatPlan"]  # also sent, where both fields have defaults


def test_error_details_are_told_apart_by_their_type(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    details = schemas["Error"]["properties"]["error"]["properties"]["details"]["items"]

    mapping = details["discriminator"]["mapping"]

    assert [{"$ref": reference} for reference in mapping.values()] == details["oneOf"]
    for url, reference in mapping.items():
        detail = schemas[reference.rpartition("/")[2]]
        assert url == detail["properties"]["@type"]["const"]
        assert "@type" in detail["required"]


def test_names_are_spelled_in_camel_case(described: dict[str, Any]) -> None:
    paths = described["paths"].values()
    parameters = [each for path in paths for found in path.values() for each in found["parameters"]]
    schemas = described["components"]["schemas"].values()
    variants = [variant for schema in schemas for variant in (schema, *schema.get("oneOf", ()))]

    names = {each["name"] for each in parameters if each["in"] != "header"}
    names |= {name for variant in variants for name in variant.get("properties", ())} - {"@type"}

    assert [] == [name for name in names if not re.fullmatch("[a-z][A-Za-z0-9]*", name)]
    assert all("_" not in path for path in described["paths"])
    assert [] == re.findall("`[a-z]+_[a-z_]+`", json.dumps(described))
    assert "See Game.rulesVersion." in json.dumps(described)


def test_a_64_bit_number_is_a_string(described: dict[str, Any]) -> None:
    version = described["components"]["schemas"]["shedu.v1.Game"]["properties"]["version"]

    assert ("string", "uint64") == (version["type"], version["format"])


def test_only_what_callers_send_is_closed(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]

    closed = [variant["additionalProperties"] for variant in schemas["shedu.tides.v1.Action"]["oneOf"]]
    assert {False} == set(closed)
    assert all("additionalProperties" not in variant for variant in schemas["shedu.v1.View"]["oneOf"])


def test_streams_come_as_events_and_as_lines(described: dict[str, Any]) -> None:
    content = operations(described)["WatchGame"]["responses"]["200"]["content"]

    assert {"text/event-stream", "application/x-ndjson"} == content.keys()


def test_reasons_are_listed(described: dict[str, Any]) -> None:
    reason = described["components"]["schemas"]["google.rpc.ErrorInfo"]["properties"]["reason"]

    assert "`STALE_VERSION`: ABORTED" in reason["description"]


async def test_the_document_is_served(servers: EchoServers, described: dict[str, Any]) -> None:
    answer = await servers.http.get("/openapi.json")

    assert described == answer.json()


def test_every_operation_has_examples_that_fit_their_schemas(described: dict[str, Any]) -> None:
    from jsonschema import Draft202012Validator

    checked = 0
    for name, operation in operations(described).items():
        answers = operation["responses"]["200"]["content"].values()
        for content in (*operation.get("requestBody", {}).get("content", {}).values(), *answers):
            assert "example" in content, name
            Draft202012Validator({**content["schema"], "components": described["components"]}).validate(
                content["example"]
            )
            checked += 1
        for given in operation["parameters"]:
            assert "example" in given or given["in"] != "path", (name, given["name"])

    assert checked > len(METHODS)
    for response in described["components"]["responses"].values():
        assert {"error"} == response["content"]["application/json"]["example"].keys()


def test_no_example_has_a_secret(described: dict[str, Any]) -> None:
    text = json.dumps(described["paths"])

    assert [] == re.findall(r"(?:shedu_[a-z]+_|whsec_)[A-Za-z0-9+/_-]{4,}", text)


def test_the_recorded_examples_are_what_the_service_answers_now() -> None:
    now = json.loads(examples_text())

    assert now == examples(), "run `python3 tests examples` and commit what it writes"
