"""Sends test events to webhooks, which are not repeated."""

from __future__ import annotations

from collections.abc import Callable

from gamehost.play.errors import TooMuch
from gamehost.play.ports.webhooks import DeliveryResult, WebhookEncoder, WebhookSender, WebhookStore
from gamehost.play.table.clocks import SECOND

from .events import TEST, WebhookNews
from .records import delivery_id, owner_digest
from .signing import signed_headers
from .webhooks import RETRY_AFTER, Webhooks

MOST_TESTS = 10  # per caller and minute


class TrialDelivery:
    """Sends test events."""

    def __init__(
        self,
        store: WebhookStore,
        webhooks: Webhooks,
        sender: WebhookSender,
        encoder: WebhookEncoder,
        clock: Callable[[], int],
    ) -> None:
        self._store, self._webhooks, self._sender = store, webhooks, sender
        self._encoder, self._clock = encoder, clock

    async def send(self, caller_id: str, webhook_id: str) -> tuple[DeliveryResult, str]:
        """Send a test event at once; return the result and the id of the delivery."""
        webhook = await self._webhooks.get(caller_id, webhook_id)
        now = self._clock()
        await self._count(caller_id, now)
        delivery = delivery_id(webhook.id, f"test:{now}")
        body = self._encoder.encode_webhook_event(webhook.id, WebhookNews(TEST, "test", now))
        headers = signed_headers(self._webhooks.signing_secrets(webhook), delivery, now // SECOND, body)
        return await self._sender.send(webhook.url, headers, body), delivery

    async def _count(self, caller_id: str, now: int) -> None:
        """Raise TooMuch if a caller sends test events so fast that it could probe or flood a host."""
        minute = now // (60 * SECOND)
        if await self._store.count_up(f"webhook-tests:{owner_digest(caller_id)}:{minute}", 120) > MOST_TESTS:
            raise TooMuch(f"at most {MOST_TESTS} test deliveries per minute", RETRY_AFTER)
