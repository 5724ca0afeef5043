"""Creates and changes the webhooks of callers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gamehost.play.background.schedule import Schedule
from gamehost.play.errors import NotFound, ReusedRequestId, TooMuch, Unavailable
from gamehost.play.inbox.index import inbox_board
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.ports.maps import MapChange
from gamehost.play.ports.webhooks import SecretSealer, WebhookStore
from gamehost.play.table.clocks import SECOND

from .addresses import AddressPolicy
from .queue import MOST_FAILED, MessageQueue
from .records import CALLER, Message, Webhook, owner_digest
from .signing import WEBHOOK_SECRET_BYTES

MOST_WEBHOOKS = 10  # per caller
CHANGE_ATTEMPTS = 8
IDS = "ids"
COMPLETION_DELAY = 5 * SECOND  # after which a webhook is checked whose creation was interrupted
REMOVAL_GRACE = 120 * SECOND  # after which no check that began before a deletion runs any more
RETRY_AFTER = 60.0  # seconds that a caller over a limit is told to wait


@dataclass(frozen=True, slots=True)
class WebhookChanges:
    """The new values of a webhook; None for what does not change."""

    url: str | None = None
    event_types: Sequence[str] | None = None
    description: str | None = None
    enabled: bool | None = None


class Webhooks:
    """The webhooks of all callers. `clock` returns microseconds since 1970, `entropy` that many random bytes.

    The webhooks of a caller are fields of one map, and so is the list of their ids. `schedule` has the times
    at which each is checked.
    """

    def __init__(
        self,
        store: WebhookStore,
        schedule: Schedule,
        policy: AddressPolicy,
        sealer: SecretSealer,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._store, self._schedule, self._policy, self._sealer = store, schedule, policy, sealer
        self._clock, self._entropy = clock, entropy

    async def create(
        self, caller_id: str, wanted: WebhookChanges, request: RequestKey | None
    ) -> tuple[Webhook, bytes]:
        """Create a webhook; return it with its secret. A repeated request gets the same answer."""
        url = wanted.url or ""
        self._policy.check_url(url)
        webhook_id = self._new_id(caller_id, request)
        if found := await self._field(caller_id, webhook_id):
            return self._repeated(Webhook.decoded(found), request)
        secret, now = self._entropy(WEBHOOK_SECRET_BYTES), self._clock()
        webhook = Webhook(
            webhook_id,
            caller_id,
            url,
            created_at=now,
            cursor=await self._store.newest_mark(inbox_board(caller_id)),
            secret=self._sealer.seal(secret),
            event_types=tuple(wanted.event_types or ()),
            description=wanted.description or "",
            request=_fingerprint(request),
        )
        # Before the webhook is written: if this process dies in between, the worker completes the creation.
        await self._schedule.schedule(webhook.name, now + COMPLETION_DELAY)
        await self._add(webhook)
        await self._store.subscribe(inbox_board(caller_id), webhook.name)
        await self._schedule.schedule(webhook.name, now)
        return webhook, secret

    async def _add(self, webhook: Webhook) -> None:
        """Write a new webhook; raises TooMuch if its caller has too many."""
        payload = webhook.encoded()
        for _ in range(CHANGE_ATTEMPTS):
            stored, ids = await self._ids(webhook.caller)
            if await self._field(webhook.caller, webhook.id) == payload:
                return  # written by an attempt whose reply was lost
            if len(ids) >= MOST_WEBHOOKS:
                raise TooMuch(f"at most {MOST_WEBHOOKS} webhooks per caller", RETRY_AFTER)
            put = {webhook.id: payload, IDS: json.dumps([*ids, webhook.id]).encode()}
            change = MapChange({webhook.id: None, IDS: stored}, put)
            if await self._store.change_map(_map(webhook.caller), change):
                return
        raise _too_many_changes()

    async def _ids(self, caller_id: str) -> tuple[bytes | None, list[str]]:
        stored = await self._field(caller_id, IDS)
        return stored, json.loads(stored) if stored else []

    async def _field(self, caller_id: str, name: str) -> bytes | None:
        [stored] = await self._store.map_fields(_map(caller_id), [name])
        return stored

    def _new_id(self, caller_id: str, request: RequestKey | None) -> str:
        if request is None:
            return self._entropy(10).hex()
        return hashlib.sha256(f"webhook:{caller_id}:{request.id}".encode()).hexdigest()[:20]

    def _repeated(self, webhook: Webhook, request: RequestKey | None) -> tuple[Webhook, bytes]:
        if webhook.request != _fingerprint(request):
            raise ReusedRequestId("request_id", "was already used for a different request")
        return webhook, self._sealer.unseal(webhook.secret)

    async def all_of(self, caller_id: str) -> Sequence[Webhook]:
        """Return the webhooks of a caller, oldest first."""
        _, ids = await self._ids(caller_id)
        found = await self._store.map_fields(_map(caller_id), ids)
        return [Webhook.decoded(each) for each in found if each]

    async def get(self, caller_id: str, webhook_id: str) -> Webhook:
        """Return a webhook of the caller; raises NotFound."""
        return (await self._stored(caller_id, webhook_id))[1]

    async def named(self, name: str) -> Webhook | None:
        """Return the webhook of that name in the schedule, or None if it was deleted."""
        digest, _, webhook_id = name.partition(":")
        [found] = await self._store.map_fields(f"webhooks:{digest}", [webhook_id])
        return Webhook.decoded(found) if found else None

    async def update(self, caller_id: str, webhook_id: str, wanted: WebhookChanges) -> Webhook:
        if wanted.url is not None:
            self._policy.check_url(wanted.url)
        webhook = await self._change(caller_id, webhook_id, lambda before: _updated(before, wanted))
        if wanted.enabled:
            await self._resume(webhook)
        return webhook

    async def disable(self, webhook: Webhook, reason: str) -> None:
        """Disable a webhook because of its failures."""
        await self._change(webhook.caller, webhook.id, lambda before: replace(before, disabled=reason))

    async def delete(self, caller_id: str, webhook_id: str) -> None:
        """Delete a webhook and its messages; does nothing if there is none."""
        found = await self._field(caller_id, webhook_id)
        if found is None:
            return
        webhook = Webhook.decoded(found)
        # The worker removes what a check that is under way still writes.
        await self._schedule.schedule(webhook.name, self._clock() + REMOVAL_GRACE)
        await self._remove(webhook)
        await self._store.unsubscribe(inbox_board(caller_id), webhook.name)
        await self.queue(webhook).remove()

    async def _remove(self, webhook: Webhook) -> None:
        for _ in range(CHANGE_ATTEMPTS):
            stored, ids = await self._ids(webhook.caller)
            left = json.dumps([each for each in ids if each != webhook.id]).encode()
            change = MapChange({IDS: stored}, {IDS: left}, remove=[webhook.id])
            if await self._store.change_map(_map(webhook.caller), change):
                return
        raise _too_many_changes()

    async def rotate(
        self, caller_id: str, webhook_id: str, keep: int, request: RequestKey | None
    ) -> tuple[Webhook, bytes]:
        """Replace the secret; deliveries are also signed with the old one for `keep` microseconds."""
        fresh, rotation = self._entropy(WEBHOOK_SECRET_BYTES), _fingerprint(request)

        def rotated(before: Webhook) -> Webhook:
            if rotation and before.rotation == rotation:
                return before
            return replace(
                before,
                secret=self._sealer.seal(fresh),
                old_secret=before.secret if keep else "",
                old_secret_until=self._clock() + keep if keep else 0,
                rotation=rotation,
            )

        webhook = await self._change(caller_id, webhook_id, rotated)
        return webhook, self._sealer.unseal(webhook.secret)

    def signing_secrets(self, webhook: Webhook) -> Sequence[bytes]:
        """Return the secrets that are valid now, the newest first."""
        sealed = [webhook.secret, *[webhook.old_secret] * (self._clock() < webhook.old_secret_until)]
        return [self._sealer.unseal(secret) for secret in sealed]

    async def failures(
        self, caller_id: str, webhook_id: str, start: int, limit: int
    ) -> tuple[Sequence[Message], bool]:
        """Return a page of failed messages, and whether there may be more."""
        return await self.queue(await self.get(caller_id, webhook_id)).failures(start, limit)

    async def replay(self, caller_id: str, webhook_id: str, message_ids: Sequence[str]) -> int:
        """Have these failed messages sent again now, all of them if none is named; return their number."""
        webhook = await self.get(caller_id, webhook_id)
        queue = self.queue(webhook)
        wanted = list(message_ids) or await _all_failed(queue)
        replayed = [await queue.replay(each, self._clock()) for each in wanted]
        if any(replayed):
            await self._resume(webhook)
        return sum(replayed)

    async def _resume(self, webhook: Webhook) -> None:
        """Have a webhook checked now, also if it is paused after failures."""
        queue = self.queue(webhook)
        stored, state = await queue.state()
        if state and state.paused_until:
            await queue.save_state(stored, replace(state, paused_until=0, failing_since=0))
        await self._schedule.schedule(webhook.name, self._clock())

    async def _change(
        self, caller_id: str, webhook_id: str, changed: Callable[[Webhook], Webhook]
    ) -> Webhook:
        """Replace a webhook by what `changed` makes of it, again if another process was faster."""
        for _ in range(CHANGE_ATTEMPTS):
            stored, before = await self._stored(caller_id, webhook_id)
            after = changed(before)
            change = MapChange({webhook_id: stored}, {webhook_id: after.encoded()})
            if await self._store.change_map(_map(caller_id), change):
                return after
        raise _too_many_changes()

    async def _stored(self, caller_id: str, webhook_id: str) -> tuple[bytes, Webhook]:
        found = await self._field(caller_id, webhook_id)
        if found is None:
            raise NotFound(f"you have no webhook {webhook_id}", reason="WEBHOOK_NOT_FOUND")
        return found, Webhook.decoded(found)

    def queue(self, webhook: Webhook) -> MessageQueue:
        """Return the queue of messages of a webhook."""
        return MessageQueue(self._store, webhook.id)


def _updated(before: Webhook, wanted: WebhookChanges) -> Webhook:
    disabled = before.disabled
    if wanted.enabled is not None:
        disabled = "" if wanted.enabled else before.disabled or CALLER
    return replace(
        before,
        url=before.url if wanted.url is None else wanted.url,
        event_types=before.event_types if wanted.event_types is None else tuple(wanted.event_types),
        description=before.description if wanted.description is None else wanted.description,
        disabled=disabled,
    )


async def _all_failed(queue: MessageQueue) -> Sequence[str]:
    """Return the ids of all failed messages, of which a bounded number is kept."""
    found, _ = await queue.failures(0, 2 * MOST_FAILED)
    return [message.id for message in found]


def _too_many_changes() -> Unavailable:
    return Unavailable("too many concurrent changes of webhooks", retry_after=0.1)


def _map(caller_id: str) -> str:
    return f"webhooks:{owner_digest(caller_id)}"


def _fingerprint(request: RequestKey | None) -> str:
    if request is None:
        return ""
    return f"{hashlib.sha256(request.id.encode()).hexdigest()[:16]}:{request.fingerprint.hex()}"
