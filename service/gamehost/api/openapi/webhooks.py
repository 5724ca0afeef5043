"""Builds the section `webhooks` of the OpenAPI document, with an example_event of every type of event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from gamehost.api.transports.http import JSON
from gamehost.codec.json_write import value_of
from gamehost.play.webhooks.events import TEST, EventType
from shedu.v1 import game_pb2
from shedu.v1 import webhook_service_pb2 as pb

from .comments import comments
from .schemas import Schema

EVENT = pb.WebhookEvent.DESCRIPTOR
EXAMPLE_WEBHOOK, EXAMPLE_GAME, EXAMPLE_TITLE, EXAMPLE_TICKET = (
    "4f1c2a9be07d5361c8aa",
    "k3q7vd2m9xw5ztb8hn4c",
    "tides",
    "ticket-1",
)
AT = Timestamp(seconds=1_800_000_000)
TEST_MEANING = "TestWebhook was called."
HEADERS = {
    "webhook-id": "The id of the event: the same in every repetition.",
    "webhook-timestamp": "The time of this attempt, in seconds since 1970.",
    "webhook-signature": (
        "`v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, by the bytes "
        "behind `whsec_` in the secret. For a while after a rotation there are two, separated by a space."
    ),
}


def webhooks() -> dict[str, Any]:
    """The webhooks by the type of their event."""
    return {each: {"post": delivery_operation(each)} for each in (*EventType, TEST)}


def delivery_operation(event_type: str) -> dict[str, Any]:
    """The request of a delivery, and the responses that are understood."""
    content = {
        "schema": {"$ref": f"#/components/schemas/{EVENT.full_name}"},
        "example": value_of(example_event(event_type)),
    }
    gone = {"description": "The webhook is disabled at once."}
    return {
        "operationId": "on" + "".join(word.capitalize() for word in event_type.split(".")),
        "tags": ["WebhookService"],
        "summary": event_meaning(event_type).rstrip("."),
        "description": event_meaning(event_type),
        "parameters": list(delivery_headers()),
        "requestBody": {"required": True, "content": {JSON: content}},
        "responses": {
            "2XX": {"description": "The event was received. The body of the response is ignored."},
            "410": gone,
            "4XX": {"description": "The delivery is repeated."},
            "5XX": {"description": "The delivery is repeated."},
        },
    }


def event_meaning(event_type: str) -> str:
    """The sentence of the contract about a type of event."""
    if event_type == TEST:
        return TEST_MEANING
    name = EventType(event_type).name
    text = comments().get(f"shedu.v1.WebhookEventType.WEBHOOK_EVENT_TYPE_{name}", "")
    sentence = text.partition(": ")[2]
    return sentence[:1].upper() + sentence[1:]


def delivery_headers() -> Iterator[dict[str, Any]]:
    for name, text in HEADERS.items():
        schema: Schema = {"type": "string"}
        yield {"name": name, "in": "header", "required": True, "description": text, "schema": schema}


def example_event(event_type: str) -> pb.WebhookEvent:
    """An event as it would be delivered."""
    event = pb.WebhookEvent(
        type=event_type, timestamp=AT, data=pb.WebhookEventData(webhook_id=EXAMPLE_WEBHOOK)
    )
    if event_type == TEST:
        return event
    data = event.data
    data.game_id, data.title, data.seat = EXAMPLE_GAME, EXAMPLE_TITLE, 0
    match event_type:
        case EventType.GAME_MATCHED:
            data.ticket_id = EXAMPLE_TICKET
        case EventType.GAME_STARTED:
            data.version = 4
        case EventType.DECISION_ASKED:
            data.version = 5
            prompt = game_pb2.Text(id="tides.prompt.choose_card", english="Choose a card to keep.")
            decision = game_pb2.Decision(
                decision_id="draft.1.1.0", seat=0, kinds=["choose_card"], prompt=prompt
            )
            data.decision.CopyFrom(decision)
        case EventType.GAME_FINISHED:
            data.version = 58
            data.outcome.CopyFrom(game_pb2.Outcome(ranks=[1, 2], scores=[61, 54]))
        case EventType.RATING_CHANGED:
            data.rating.before, data.rating.after = 1500, 1512
    return event
