"""Puts events that do not come from inboxes into the queues of webhooks."""

from __future__ import annotations

from collections.abc import Callable

from gamehost.play.background.schedule import Schedule
from gamehost.play.ports.webhooks import WebhookEncoder

from .delivery import add_news
from .events import EventType, RatingChange, WebhookNews
from .webhooks import Webhooks


class WebhookAnnouncements:
    """Implements the port `CallerNews`."""

    def __init__(
        self, webhooks: Webhooks, schedule: Schedule, encoder: WebhookEncoder, clock: Callable[[], int]
    ) -> None:
        self._webhooks, self._schedule, self._encoder, self._clock = webhooks, schedule, encoder, clock

    async def matched(self, caller_id: str, *, ticket_id: str, game_id: str, title: str, seat: int) -> None:
        news = WebhookNews(
            EventType.GAME_MATCHED,
            f"matched:{ticket_id}",
            self._clock(),
            game_id,
            title,
            seat,
            ticket_id=ticket_id,
        )
        await self._announce(caller_id, news)

    async def rating_changed(
        self, caller_id: str, *, game_id: str, title: str, seat: int, before: int, after: int
    ) -> None:
        news = WebhookNews(
            EventType.RATING_CHANGED,
            f"rating:{game_id}:{seat}",
            self._clock(),
            game_id,
            title,
            seat,
            rating=RatingChange(before, after),
        )
        await self._announce(caller_id, news)

    async def _announce(self, caller_id: str, news: WebhookNews) -> None:
        for webhook in await self._webhooks.all_of(caller_id):
            if not webhook.disabled:
                await add_news(webhook, self._webhooks.queue(webhook), [news], self._encoder)
                await self._schedule.schedule(webhook.name, news.at)
