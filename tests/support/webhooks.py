"""Receivers of webhooks for tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gamehost.api.webhooks.sealing import SealedSecrets
from gamehost.codec.webhook_events import WebhookEventEncoder
from gamehost.play.ports.webhooks import DeliveryResult
from gamehost.play.webhooks.use_cases import WebhookPorts

URL = "https://hooks.example.com/shedu"
OK = DeliveryResult(200)


@dataclass(frozen=True)
class Delivery:
    """A request that a receiver got."""

    url: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> Any:
        return json.loads(self.body)


class RecordingSender:
    """Records deliveries instead of sending them, and answers them with `answer`."""

    def __init__(self) -> None:
        self.deliveries: list[Delivery] = []
        self.answer: Callable[[Delivery], DeliveryResult] = lambda _delivery: OK

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> DeliveryResult:
        self.deliveries.append(Delivery(url, headers, body))
        return self.answer(self.deliveries[-1])

    @property
    def types(self) -> list[str]:
        return [delivery.event["type"] for delivery in self.deliveries]


def recorded_webhooks(sender: RecordingSender, secrets: tuple[bytes, ...]) -> WebhookPorts:
    """Ports that send nothing, and wait exactly as long as is documented."""
    return WebhookPorts(sender, SealedSecrets(secrets), WebhookEventEncoder(), jitter=lambda: 1.0)
