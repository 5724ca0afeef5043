"""Encodes the events of webhooks as the JSON bodies of deliveries."""

from __future__ import annotations

import orjson

from gamehost.play.webhooks.events import WebhookNews
from shedu.v1 import webhook_service_pb2 as pb

from .json_write import value_of
from .messages import OUTCOME
from .table_events import timestamp


class WebhookEventEncoder:
    """Implements the port `WebhookEncoder` with the message WebhookEvent of the contract."""

    def encode_webhook_event(self, webhook_id: str, news: WebhookNews) -> bytes:
        data = pb.WebhookEventData(webhook_id=webhook_id)
        if news.game_id:
            data.game_id, data.title = news.game_id, news.title
        if news.seat is not None:
            data.seat = news.seat
        if news.version:
            data.version = news.version
        if news.decision is not None:
            data.decision.CopyFrom(news.decision)
        if news.outcome is not None:
            data.outcome.CopyFrom(OUTCOME.encode(news.outcome))
        if news.ticket_id:
            data.ticket_id = news.ticket_id
        if news.rating is not None:
            data.rating.before, data.rating.after = news.rating.before, news.rating.after
        event = pb.WebhookEvent(type=news.type, timestamp=timestamp(news.at), data=data)
        return orjson.dumps(value_of(event))
