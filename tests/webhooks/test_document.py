"""Tests that the OpenAPI document describes every event that webhooks deliver."""

from __future__ import annotations

from google.protobuf import json_format

from api.echo import SERVICES, Echo, open_admission
from gamehost.api.openapi.document import document
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.play.webhooks.events import TEST, EventType
from shedu.v1 import webhook_service_pb2 as pb


def test_every_type_of_event_is_described_with_an_example_of_its_message() -> None:
    found = document(Dispatch([Echo()], SERVICES, open_admission()))["webhooks"]

    assert {*EventType, TEST} == found.keys()
    for event_type, operations in found.items():
        operation = operations["post"]
        content = operation["requestBody"]["content"]["application/json"]
        event = json_format.ParseDict(content["example"], pb.WebhookEvent())
        assert event_type == event.type
        assert "#/components/schemas/shedu.v1.WebhookEvent" == content["schema"]["$ref"]
        assert {"webhook-id", "webhook-timestamp", "webhook-signature"} == {
            parameter["name"] for parameter in operation["parameters"]
        }
        assert operation["summary"]


def test_every_type_of_the_contract_is_delivered_under_its_name() -> None:
    names = {
        value.name.removeprefix("WEBHOOK_EVENT_TYPE_") for value in pb.WebhookEventType.DESCRIPTOR.values[1:]
    }

    assert names == {each.name for each in EventType}
