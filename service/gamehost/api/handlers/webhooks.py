"""Handlers of the WebhookService."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from gamehost.api.pipeline.call import Call
from gamehost.codec.table_events import timestamp
from gamehost.play.access import Caller
from gamehost.play.application import Application
from gamehost.play.errors import NotNow
from gamehost.play.table.clocks import SECOND
from gamehost.play.webhooks.events import EventType
from gamehost.play.webhooks.records import Message, Webhook
from gamehost.play.webhooks.signing import secret_text
from gamehost.play.webhooks.use_cases import WebhookUseCases
from gamehost.play.webhooks.webhooks import WebhookChanges
from shedu.v1 import webhook_service_pb2 as pb

from .idempotency import caller_scope, idempotency_key
from .paging import page_position, page_size, page_token, parsed_number

EVENT_TYPE = {
    event_type: pb.WebhookEventType.Value(f"WEBHOOK_EVENT_TYPE_{event_type.name}") for event_type in EventType
}
EVENT_TYPE_OF = {number: event_type for event_type, number in EVENT_TYPE.items()}
OLD_SECRET_SECONDS = 86400


class WebhookHandlers:
    """Answers the rpcs of the WebhookService. The contract describes each of them."""

    def __init__(self, application: Application) -> None:
        self._use_cases = application.webhooks

    async def create_webhook(self, request: pb.CreateWebhookRequest, call: Call) -> pb.CreateWebhookResponse:
        use_cases, caller = self._opened(call)
        wanted = WebhookChanges(
            request.url, [EVENT_TYPE_OF[each] for each in request.event_types], request.description
        )
        request_key = idempotency_key(caller_scope("webhook", call), request)
        webhook, secret = await use_cases.webhooks.create(caller, wanted, request_key)
        return pb.CreateWebhookResponse(webhook=webhook_message(webhook), secret=secret_text(secret))

    async def list_webhooks(self, request: pb.ListWebhooksRequest, call: Call) -> pb.ListWebhooksResponse:
        use_cases, caller = self._opened(call)
        found = await use_cases.webhooks.all_of(caller)
        position = page_position(request, request.page_token, 1)
        begin = parsed_number(position[0]) if position else 0
        end = begin + page_size(request.page_size, 50, 100)
        return pb.ListWebhooksResponse(
            webhooks=map(webhook_message, found[begin:end]),
            next_page_token=page_token(request, end) if end < len(found) else "",
        )

    async def get_webhook(self, request: pb.GetWebhookRequest, call: Call) -> pb.GetWebhookResponse:
        use_cases, caller = self._opened(call)
        webhook = await use_cases.webhooks.get(caller, request.webhook_id)
        return pb.GetWebhookResponse(webhook=webhook_message(webhook))

    async def update_webhook(self, request: pb.UpdateWebhookRequest, call: Call) -> pb.UpdateWebhookResponse:
        use_cases, caller = self._opened(call)
        event_types = [EVENT_TYPE_OF[each] for each in request.event_types.event_types]
        changes = WebhookChanges(
            request.url if request.HasField("url") else None,
            event_types if request.HasField("event_types") else None,
            request.description if request.HasField("description") else None,
            request.enabled if request.HasField("enabled") else None,
        )
        webhook = await use_cases.webhooks.update(caller, request.webhook_id, changes)
        return pb.UpdateWebhookResponse(webhook=webhook_message(webhook))

    async def delete_webhook(self, request: pb.DeleteWebhookRequest, call: Call) -> pb.DeleteWebhookResponse:
        use_cases, caller = self._opened(call)
        await use_cases.webhooks.delete(caller, request.webhook_id)
        return pb.DeleteWebhookResponse()

    async def rotate_webhook_secret(
        self, request: pb.RotateWebhookSecretRequest, call: Call
    ) -> pb.RotateWebhookSecretResponse:
        use_cases, caller = self._opened(call)
        keep = request.old_secret_seconds if request.HasField("old_secret_seconds") else OLD_SECRET_SECONDS
        request_key = idempotency_key(caller_scope("rotate", call), request)
        webhook, secret = await use_cases.webhooks.rotate(
            caller, request.webhook_id, keep * SECOND, request_key
        )
        return pb.RotateWebhookSecretResponse(webhook=webhook_message(webhook), secret=secret_text(secret))

    async def list_failed_deliveries(
        self, request: pb.ListFailedDeliveriesRequest, call: Call
    ) -> pb.ListFailedDeliveriesResponse:
        use_cases, caller = self._opened(call)
        position, size = page_position(request, request.page_token, 1), page_size(request.page_size, 50, 100)
        start = parsed_number(position[0]) if position else 0
        found, more = await use_cases.webhooks.failures(caller, request.webhook_id, start, size)
        return pb.ListFailedDeliveriesResponse(
            deliveries=map(delivery_message, found),
            next_page_token=page_token(request, start + size) if more else "",
        )

    async def replay_deliveries(
        self, request: pb.ReplayDeliveriesRequest, call: Call
    ) -> pb.ReplayDeliveriesResponse:
        use_cases, caller = self._opened(call)
        replayed = await use_cases.webhooks.replay(caller, request.webhook_id, request.delivery_ids)
        return pb.ReplayDeliveriesResponse(replayed=replayed)

    async def test_webhook(self, request: pb.TestWebhookRequest, call: Call) -> pb.TestWebhookResponse:
        use_cases, caller = self._opened(call)
        result, delivery = await use_cases.trial.send(caller, request.webhook_id)
        return pb.TestWebhookResponse(
            delivered=result.delivered, status=result.status, error=result.error, delivery_id=delivery
        )

    def _opened(self, call: Call) -> tuple[WebhookUseCases, str]:
        """The use cases and the id of the caller. Raises NotNow if webhooks are off or need an identity."""
        if self._use_cases is None:
            raise NotNow("the operator has turned webhooks off", reason="WEBHOOKS_OFF")
        if not isinstance(call.principal, Caller):
            raise NotNow("webhooks belong to an identity, and this service has none", reason="NO_IDENTITIES")
        return self._use_cases, call.principal.id


def webhook_message(webhook: Webhook) -> pb.Webhook:
    """The message of a webhook, which has no secrets in it."""
    reason = f"WEBHOOK_DISABLED_REASON_{webhook.disabled or 'UNSPECIFIED'}"
    return pb.Webhook(
        webhook_id=webhook.id,
        url=webhook.url,
        event_types=[EVENT_TYPE[EventType(each)] for each in webhook.event_types],
        description=webhook.description,
        enabled=not webhook.disabled,
        disabled_reason=pb.WebhookDisabledReason.Value(reason),
        create_time=timestamp(webhook.created_at),
        old_secret_expire_time=optional_time(webhook.old_secret_until),
    )


def delivery_message(message: Message) -> pb.FailedDelivery:
    return pb.FailedDelivery(
        delivery_id=message.id,
        event_type=message.type,
        body=message.body,
        attempts=message.attempts,
        last_status=message.last_status,
        last_error=message.last_error,
        last_attempt_time=optional_time(message.last_at),
        next_attempt_time=optional_time(message.next_at),
    )


def optional_time(at: int) -> Timestamp | None:
    return timestamp(at) if at else None
