"""Delivers the events of webhooks.

Events come from the inbox of the caller, which loses nothing: its marks are read from the position where the
last check stopped, and every `sweep` microseconds all active games are read, for marks that a process could
not write before it died. So a move costs nothing for callers without webhooks, and for others one entry in
the schedule, written after the move.

Every webhook is checked by one process at a time, which holds a lease on it. Messages have leases of their
own; a message whose process died is sent again under the same id. A process checks a bounded number of the
webhooks of one caller at the same time, so that slow receivers of one caller leave room for those of others.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from gamehost.play.inbox.index import inbox_board
from gamehost.play.inbox.sources import CallerInbox, InboxSources
from gamehost.play.inbox.stream import InboxEntry
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.ports.schedule import DueGame
from gamehost.play.ports.webhooks import (
    DeliveryResult,
    WebhookEncoder,
    WebhookSender,
    WebhookStore,
)
from gamehost.play.table.clocks import DAY, HOUR, SECOND

from .events import WebhookNews, news_of
from .queue import MessageQueue
from .records import FAILING, GONE, DeliveryState, Message, Webhook
from .signing import signed_headers
from .webhooks import Webhooks

GIVE_UP = DAY  # after which a message is not tried again
DISABLE = 5 * DAY  # after which a webhook without any success is disabled
GONE_STATUS = 410
MOST_QUEUED = 1000  # messages of a webhook; the inbox keeps what comes after them
MOST_AT_ONCE = 4  # requests to one webhook
MOST_REQUESTS = 64  # of a process at the same time
# So many webhooks are checked at the same time that no message waits for its request while it is leased.
MOST_CHECKS = MOST_REQUESTS // MOST_AT_ONCE
MOST_CHECKS_OF_A_CALLER = 2
TURN_WAIT = SECOND // 2  # until a webhook is looked at again whose caller has so many checks under way
FAILURES_BEFORE_PAUSE = 3  # rounds of attempts in a row without any success
LONGEST_RETRY_WAIT = 8 * HOUR  # between two tries of a message
LONGEST_PAUSE = HOUR  # of a webhook that fails
GROWTH = 4  # from one wait to the next
MESSAGE_LEASE = 20 * SECOND  # longer than an attempt can take
CHECK_TIME = 5 * SECOND  # after which a check ends, although more messages are due
TURN_PAUSE = 2 * TURN_WAIT  # until the next check after that: other webhooks of the caller come first
ENTRIES_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class DeliveryTimes:
    """Microseconds until the first repetition, and between two passes over the active games.

    `jitter` returns a number around 1 by which a wait is multiplied, so that deliveries to a server that was
    away do not all come back at the same time.
    """

    retry: int
    sweep: int
    jitter: Callable[[], float]

    def wait(self, tries: int) -> int:
        """Return the wait after so many failed tries."""
        grown = self.retry * GROWTH ** min(tries - 1, 20)
        return int(min(grown, LONGEST_RETRY_WAIT) * self.jitter())

    def pause(self, failures: int) -> int:
        """Return how long nothing is sent after so many failed rounds in a row; 0 at first."""
        if failures < FAILURES_BEFORE_PAUSE:
            return 0
        grown = self.retry * 2 ** min(failures - FAILURES_BEFORE_PAUSE, 20)
        return int(min(grown, LONGEST_PAUSE) * self.jitter())


class WebhookDelivery:
    """Checks webhooks: puts new events into their queues, and sends what is due."""

    def __init__(
        self,
        store: WebhookStore,
        webhooks: Webhooks,
        sources: InboxSources,
        sender: WebhookSender,
        encoder: WebhookEncoder,
        times: DeliveryTimes,
        clock: Callable[[], int],
        metrics: BackgroundMetrics,
    ) -> None:
        self._store, self._webhooks, self._sources = store, webhooks, sources
        self._sender, self._encoder, self._times = sender, encoder, times
        self._clock, self._metrics = clock, metrics
        self._checks_of = Counter[str]()

    async def check(self, name: str) -> int | None:
        """Do what is due for a webhook. Returns when to check it again, None for never."""
        caller, _, webhook_id = name.partition(":")
        if self._checks_of[caller] >= MOST_CHECKS_OF_A_CALLER:
            return self._clock() + TURN_WAIT
        self._checks_of[caller] += 1
        try:
            return await self._check(name, webhook_id)
        finally:
            self._checks_of -= Counter([caller])  # a caller without checks is not kept

    async def _check(self, name: str, webhook_id: str) -> int | None:
        webhook = await self._webhooks.named(name)
        if webhook is None:
            await MessageQueue(self._store, webhook_id).remove()
            return None
        if webhook.disabled:
            return None
        queue = self._webhooks.queue(webhook)
        stored, state = await queue.state()
        began, known = self._clock(), state or DeliveryState(webhook.cursor)
        collected = await self._collect(webhook, queue, known)
        after = await self._send_due(webhook, queue, collected, began)
        if not await queue.save_state(stored, after):
            return self._clock()  # the caller has resumed the webhook meanwhile
        return await self._next_check(webhook, queue, after, began)

    async def _next_check(
        self, webhook: Webhook, queue: MessageQueue, state: DeliveryState, began: int
    ) -> int | None:
        current = await self._webhooks.named(webhook.name)
        if current is None or current.disabled:
            return None
        outlook, sweep = await queue.outlook(), state.swept_at + self._times.sweep
        if outlook.earliest is None:
            return sweep
        ended = self._clock()
        turn = ended + TURN_PAUSE if ended >= began + CHECK_TIME else 0
        return max(min(max(outlook.earliest, state.paused_until), sweep), turn)

    async def _collect(self, webhook: Webhook, queue: MessageQueue, state: DeliveryState) -> DeliveryState:
        """Put the new events of the caller's inbox into the queue; return the state after that."""
        if (await queue.outlook()).games >= MOST_QUEUED:
            return state
        inbox = await self._sources.of_caller(webhook.caller, state.cursor)
        swept_at, now = state.swept_at, self._clock()
        if swept_at + self._times.sweep <= now:
            # Also here, because a process may have died in the middle of the creation.
            await self._store.subscribe(inbox_board(webhook.caller), webhook.name)
            await self._add(webhook, queue, [entry async for entry in inbox.pending()])
            swept_at = now
        await self._add_since_cursor(webhook, queue, inbox)
        return replace(state, cursor=inbox.cursor, swept_at=swept_at)

    async def _add_since_cursor(self, webhook: Webhook, queue: MessageQueue, inbox: CallerInbox) -> None:
        entries = list[InboxEntry]()
        async with aclosing(inbox.since_cursor()) as found:  # type: ignore[type-var]
            async for entry in found:
                entries.append(entry)
                if len(entries) == ENTRIES_AT_ONCE:
                    await self._add(webhook, queue, entries)
                    entries.clear()
        await self._add(webhook, queue, entries)

    async def _add(self, webhook: Webhook, queue: MessageQueue, entries: Sequence[InboxEntry]) -> None:
        now = self._clock()
        found = [news_of(entry, now) for entry in entries]
        await add_news(webhook, queue, [news for news in found if news], self._encoder)

    async def _send_due(
        self, webhook: Webhook, queue: MessageQueue, state: DeliveryState, began: int
    ) -> DeliveryState:
        """Send what is due until nothing is, the webhook fails too often, or the time of a check is over."""
        while (now := self._clock()) < began + CHECK_TIME and state.paused_until <= now:
            # After a pause a single message tries whether the webhook works again.
            limit = 1 if state.failures >= FAILURES_BEFORE_PAUSE else MOST_AT_ONCE
            due = await queue.due(now, limit=limit, lease=MESSAGE_LEASE)
            if not due:
                break
            results = await asyncio.gather(*(self._send(webhook, queue, each) for each in due))
            state = self._state_after(state, results)
            if reason := self._reason_to_disable(state, results):
                await self._webhooks.disable(webhook, reason)
                self._metrics.count_disabled_webhook(reason)
                break
        return state

    def _reason_to_disable(self, state: DeliveryState, results: Sequence[DeliveryResult | None]) -> str:
        if any(result and result.status == GONE_STATUS for result in results):
            return GONE
        since = state.failing_since
        return FAILING if since and self._clock() - since >= DISABLE else ""

    def _state_after(self, state: DeliveryState, results: Sequence[DeliveryResult | None]) -> DeliveryState:
        """Return the state after these attempts; any success ends a series of failures."""
        attempts = [result for result in results if result]
        if not attempts:
            return state
        if any(result.delivered for result in attempts):
            return replace(state, failures=0, failing_since=0, paused_until=0)
        failures, now = state.failures + 1, self._clock()
        pause = self._times.pause(failures)
        return replace(
            state,
            failures=failures,
            failing_since=state.failing_since or now,
            paused_until=now + pause if pause else 0,
        )

    async def _send(self, webhook: Webhook, queue: MessageQueue, due: DueGame) -> DeliveryResult | None:
        """Send one message and record the result; None if there is nothing to send any more."""
        message = await queue.message(due.game)
        if message is None:
            await queue.delivered(due)
            return None
        began, body = self._clock(), message.body.encode()
        headers = signed_headers(self._webhooks.signing_secrets(webhook), message.id, began // SECOND, body)
        result = await self._sender.send(webhook.url, headers, body)
        self._metrics.count_delivery(_outcome(result), (self._clock() - began) / SECOND)
        if result.delivered:
            await queue.delivered(due)
        else:
            await queue.failed(due, self._after_failure(message, result))
        return result

    def _after_failure(self, message: Message, result: DeliveryResult) -> Message:
        now, tries = self._clock(), message.tries + 1
        given_up = result.status == GONE_STATUS or now - message.begun_at >= GIVE_UP
        return replace(
            message,
            tries=tries,
            attempts=message.attempts + 1,
            last_status=result.status,
            last_error=result.error,
            last_at=now,
            # The last try is a day after the first.
            next_at=0 if given_up else min(now + self._times.wait(tries), message.begun_at + GIVE_UP),
        )


async def add_news(
    webhook: Webhook, queue: MessageQueue, found: Sequence[WebhookNews], encoder: WebhookEncoder
) -> None:
    """Put those events into the queue that the webhook wants and that were not in it before."""
    wanted = {news.key: news for news in found if webhook.wants(news.type)}
    for key in await queue.unknown(list(wanted)):
        body = encoder.encode_webhook_event(webhook.id, wanted[key])
        await queue.add(key, wanted[key].type, body, wanted[key].at)


def _outcome(result: DeliveryResult) -> str:
    if result.delivered:
        return "delivered"
    return "refused" if result.status else "unreachable"
