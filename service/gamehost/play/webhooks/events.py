"""The events that webhooks deliver."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gamehost.play.inbox.items import DecisionAsked, GameBegan, GameOver
from gamehost.play.inbox.stream import InboxEntry
from gamehost.rules.kit import Outcome


class EventType(StrEnum):
    """The kinds of events, as they are named in deliveries. The names are stable."""

    GAME_MATCHED = "game.matched"
    GAME_STARTED = "game.started"
    DECISION_ASKED = "decision.asked"
    GAME_FINISHED = "game.finished"
    RATING_CHANGED = "rating.changed"


TEST = "webhook.test"
"""The type of the event that TestWebhook sends."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A rating before and after a game."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class WebhookNews:
    """An event for one caller, noticed at `at` (microseconds since 1970).

    `key` names the event. It is the same whenever the event is noticed again, so that it is delivered under
    one id. `decision` is the encoded message of the decision.
    """

    type: str
    key: str
    at: int
    game_id: str = ""
    title: str = ""
    seat: int | None = None
    version: int = 0
    decision: Any = None
    outcome: Outcome | None = None
    ticket_id: str = ""
    rating: RatingChange | None = None


def news_of(entry: InboxEntry, at: int) -> WebhookNews | None:
    """Return the event of an inbox entry, or None if webhooks do not deliver entries of its kind."""
    table = entry.table
    place = f"{table.game_id}:{entry.seat}"
    facts: dict[str, Any] = {
        "at": at,
        "game_id": table.game_id,
        "title": table.rules.title,
        "seat": entry.seat,
        "version": table.version,
    }
    match entry.item:
        case DecisionAsked(decision_id=decision_id, message=message):
            key = f"{place}:{decision_id}"
            return WebhookNews(EventType.DECISION_ASKED, key, decision=message, **facts)
        case GameBegan():
            return WebhookNews(EventType.GAME_STARTED, f"{place}:started", **facts)
        case GameOver(outcome):
            return WebhookNews(EventType.GAME_FINISHED, f"{place}:finished", outcome=outcome, **facts)
    return None
