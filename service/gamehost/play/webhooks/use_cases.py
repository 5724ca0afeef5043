"""Builds what webhooks need from their ports."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from gamehost.play.background.schedule import Schedule
from gamehost.play.background.schedule_worker import ScheduleWorker
from gamehost.play.inbox.sources import InboxSources
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.ports.webhooks import SecretSealer, WebhookEncoder, WebhookSender, WebhookStore
from gamehost.play.table.clocks import SECOND

from .addresses import AddressPolicy
from .announcements import WebhookAnnouncements
from .delivery import MOST_CHECKS, DeliveryTimes, WebhookDelivery
from .trial_delivery import TrialDelivery
from .webhooks import Webhooks

CHECK_LEASE = 20.0  # seconds; longer than a check can take, which is its time and that of an attempt


@dataclass(frozen=True, slots=True)
class WebhookPorts:
    """Dependencies of webhooks. `retry` and `sweep` are microseconds, see `DeliveryTimes`."""

    sender: WebhookSender
    sealer: SecretSealer
    encoder: WebhookEncoder
    policy: AddressPolicy = field(default_factory=AddressPolicy)
    retry: int = 5 * SECOND
    sweep: int = 60 * SECOND
    jitter: Callable[[], float] = lambda: random.uniform(0.8, 1.2)


class WebhookUseCases:
    """The webhooks of a process: `webhooks` to change them, `trial`, `announcements`, and the worker."""

    def __init__(
        self,
        store: WebhookStore,
        schedule: Schedule,
        sources: InboxSources,
        ports: WebhookPorts,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._store, self._schedule, self._sources, self._ports = store, schedule, sources, ports
        self._clock = clock
        self.webhooks = Webhooks(store, schedule, ports.policy, ports.sealer, clock, entropy)
        self.trial = TrialDelivery(store, self.webhooks, ports.sender, ports.encoder, clock)
        self.announcements = WebhookAnnouncements(self.webhooks, schedule, ports.encoder, clock)

    def worker(self, metrics: BackgroundMetrics) -> ScheduleWorker:
        """Return the loop that delivers events."""
        ports = self._ports
        delivery = WebhookDelivery(
            self._store,
            self.webhooks,
            self._sources,
            ports.sender,
            ports.encoder,
            DeliveryTimes(ports.retry, ports.sweep, ports.jitter),
            self._clock,
            metrics,
        )
        return ScheduleWorker(
            self._schedule, delivery.check, self._clock, metrics, capacity=MOST_CHECKS, lease=CHECK_LEASE
        )
