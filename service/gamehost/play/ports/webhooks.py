"""Ports of webhooks: sending requests, sealing secrets and encoding events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from gamehost.play.ports.event_store import InboxStore
from gamehost.play.ports.maps import Maps
from gamehost.play.ports.registry import Registry
from gamehost.play.ports.schedule import ScheduleStore
from gamehost.play.webhooks.events import WebhookNews


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """The HTTP status of a delivery, 0 without a response, and a sentence if it failed."""

    status: int = 0
    error: str = ""

    @property
    def delivered(self) -> bool:
        return 200 <= self.status < 300


class WebhookSender(Protocol):
    """Sends one POST request. It follows no redirects, and bounds the time and the size of the response."""

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> DeliveryResult:
        """Return the result; a URL that cannot be reached, or must not be, is a result and no exception."""
        ...


class SecretSealer(Protocol):
    """Encrypts secrets that are kept in the store."""

    def seal(self, secret: bytes) -> str: ...

    def unseal(self, sealed: str) -> bytes:
        """Raises ValueError if it was sealed with a key that this service does not have."""
        ...


class WebhookEncoder(Protocol):
    """Encodes events as the JSON bodies of deliveries."""

    def encode_webhook_event(self, webhook_id: str, news: WebhookNews) -> bytes: ...


class WebhookStore(InboxStore, ScheduleStore, Registry, Maps, Protocol):
    """The ports of the store that webhooks need."""
