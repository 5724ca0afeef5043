"""What the store keeps of a webhook: its settings, the state of its deliveries, and its messages; as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

CALLER, GONE, FAILING = "CALLER", "GONE", "FAILING"
"""Why a webhook is disabled, see the enum WebhookDisabledReason of the contract."""


class JsonRecord:
    """A dataclass that is stored as JSON. Fields that a later release has added are ignored."""

    def encoded(self) -> bytes:
        values: Mapping[str, Any] = asdict(self)  # type: ignore[call-overload]
        return json.dumps(values, separators=(",", ":")).encode()

    @classmethod
    def decoded(cls, payload: bytes) -> Self:
        known = {field.name for field in fields(cls)}  # type: ignore[arg-type]
        return cls(**{name: value for name, value in json.loads(payload).items() if name in known})


@dataclass(frozen=True)
class Webhook(JsonRecord):
    """A webhook as its caller has set it up. Times are microseconds since 1970.

    `cursor` is the position in the caller's inbox at its creation. `secret` and `old_secret` are sealed; they
    must never be shown. `request` and `rotation` recognise repeated calls.
    """

    id: str
    caller: str
    url: str
    created_at: int
    cursor: int
    secret: str
    event_types: tuple[str, ...] = ()
    description: str = ""
    disabled: str = ""
    old_secret: str = ""
    old_secret_until: int = 0
    request: str = ""
    rotation: str = ""

    def __repr__(self) -> str:
        return f"Webhook({self.id!r})"

    @property
    def name(self) -> str:
        """The name in the schedule of webhooks."""
        return f"{owner_digest(self.caller)}:{self.id}"

    def wants(self, event_type: str) -> bool:
        return not self.event_types or event_type in self.event_types


@dataclass(frozen=True)
class DeliveryState(JsonRecord):
    """How far a webhook has read its caller's inbox, and its recent failures.

    `failures` counts rounds of attempts in a row without any success. Until `paused_until` nothing is sent.
    """

    cursor: int
    swept_at: int = 0
    failures: int = 0
    failing_since: int = 0
    paused_until: int = 0


@dataclass(frozen=True)
class Message(JsonRecord):
    """An event that waits for its delivery, or was given up.

    `begun_at` is when the current series of `tries` began: at first, or by a replay.
    """

    id: str
    type: str
    body: str
    begun_at: int
    tries: int = 0
    attempts: int = 0
    last_status: int = 0
    last_error: str = ""
    last_at: int = 0
    next_at: int = 0


def owner_digest(caller_id: str) -> str:
    """Return the name of a caller in keys, which keeps identities out of them."""
    return hashlib.sha256(caller_id.encode()).hexdigest()[:32]


def delivery_id(webhook_id: str, key: str) -> str:
    """Return the `webhook-id` of an event: the same whenever the same event is noticed again."""
    return f"msg_{hashlib.sha256(f'{webhook_id}:{key}'.encode()).hexdigest()[:32]}"
