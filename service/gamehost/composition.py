"""The one place that wires the service: stores, use cases, handlers and admission, from the settings."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Sequence

from gamehost.api.auth.api_keys import ApiKeys
from gamehost.api.auth.identity import IdentityProvider, PrincipalReader
from gamehost.api.auth.jwks import JwksCache, file_fetcher, url_fetcher
from gamehost.api.auth.jwt import JwtIdentities
from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.auth.wrong_tokens import WrongTokens
from gamehost.api.handlers.groups import handler_groups
from gamehost.api.pipeline.admission import Admission
from gamehost.api.pipeline.metrics import PrometheusPlayMetrics
from gamehost.api.pipeline.quotas import Limits, Quotas
from gamehost.api.webhooks.sealing import SealedSecrets
from gamehost.api.webhooks.sender import HttpSender
from gamehost.codec.process_codec import CODEC, RENDERER
from gamehost.codec.webhook_events import WebhookEventEncoder
from gamehost.hosted.catalog import HostedBotCatalog
from gamehost.play.application import Application, Dependencies
from gamehost.play.matching.matchmaking import MatchSettings
from gamehost.play.matching.pairing import MatchRules
from gamehost.play.players.players import PlayerSettings
from gamehost.play.ports.event_store import EventStore
from gamehost.play.table.clocks import HOUR, SECOND
from gamehost.play.table.events import TalkPolicy
from gamehost.play.webhooks.addresses import AddressPolicy
from gamehost.play.webhooks.use_cases import WebhookPorts
from gamehost.rules.catalog import CATALOG
from gamehost.settings import IdentityMode, Settings, TalkMode
from gamehost.stores.archive.archived_store import ArchivedEventStore
from gamehost.stores.archive.files import FileArchive
from gamehost.stores.clock import StoreClock
from gamehost.stores.redis.store import connect
from shedu.v1 import (
    catalog_service_pb2,
    game_service_pb2,
    match_service_pb2,
    player_service_pb2,
    talk_service_pb2,
    webhook_service_pb2,
)

SERVICES = tuple(
    file.DESCRIPTOR.services_by_name[name]
    for file, name in (
        (catalog_service_pb2, "CatalogService"),
        (game_service_pb2, "GameService"),
        (webhook_service_pb2, "WebhookService"),
        (player_service_pb2, "PlayerService"),
        (match_service_pb2, "MatchService"),
        (talk_service_pb2, "TalkService"),
    )
)

TALK_POLICY = {
    TalkMode.OFF: TalkPolicy.NONE,
    TalkMode.PHRASES: TalkPolicy.PHRASES,
    TalkMode.FREE: TalkPolicy.FREE_TEXT,
}

CLOSE_SECONDS = 2.0  # for stopping background jobs, and again for closing the connections to the store


def connect_store(redis: str, settings: Settings) -> EventStore:
    """Returns the event store at this Redis URL, with the archive if one is configured."""
    return with_archive(connect(redis, replicas=settings.replicas), settings)


def with_archive(store: EventStore, settings: Settings) -> EventStore:
    """Returns the store, which also reads archived games if an archive is configured."""
    archive = archive_from(settings)
    return store if archive is None else ArchivedEventStore(store, archive)


async def close_store(store: EventStore) -> None:
    """Closes the connections to the store, with a time-out: closing also waits for a server that hangs."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_SECONDS):
            await store.close()


def archive_from(settings: Settings) -> FileArchive | None:
    return FileArchive(settings.archive_dir) if settings.archive_dir else None


async def dependencies(store: EventStore, settings: Settings, secrets: Sequence[bytes]) -> Dependencies:
    """Returns what the use cases depend on. Durations in it are microseconds unless named otherwise."""
    return Dependencies(
        store,
        CODEC,
        CATALOG,
        clock=await StoreClock.of(store),
        entropy=os.urandom,
        secret=secrets[0],
        bot_catalog=HostedBotCatalog(),
        cache_bytes=settings.cache_mb << 20,
        heartbeat=settings.heartbeat_seconds,
        most_open_games=int(settings.limit("open_games")),
        most_bot_only_games=int(settings.limit("bot_only_games")),
        background_seconds=settings.bot_only_seconds,
        expiry=int(settings.game_expiry_hours * HOUR),
        think=int(settings.bot_think_seconds * SECOND),
        archive=archive_from(settings),
        archive_after=int(settings.archive_after_hours * HOUR),
        talk=TALK_POLICY[settings.talk],
        webhooks=webhook_ports(settings, secrets),
        metrics=PrometheusPlayMetrics(),
        players=player_settings(settings),
        matching=match_settings(settings),
    )


def webhook_ports(settings: Settings, secrets: Sequence[bytes]) -> WebhookPorts | None:
    """Returns what webhooks need, or None if they are turned off."""
    if not settings.webhooks:
        return None
    policy = AddressPolicy(settings.webhook_networks, settings.webhook_http)
    return WebhookPorts(
        HttpSender(policy),
        SealedSecrets(secrets),
        WebhookEventEncoder(),
        policy,
        retry=int(settings.webhook_retry_seconds * SECOND),
        sweep=int(settings.webhook_sweep_seconds * SECOND),
    )


def player_settings(settings: Settings) -> PlayerSettings | None:
    """Returns the settings of players, None if the operator has turned them off."""
    if not settings.players:
        return None
    words = settings.refused_words_file.read_text().split() if settings.refused_words_file else []
    return PlayerSettings(settings.leaderboard_games, words)


def match_settings(settings: Settings) -> MatchSettings | None:
    """Returns the settings of matchmaking, None if the operator has turned it off."""
    if not settings.matchmaking:
        return None
    rules = MatchRules(settings.match_range, settings.match_widening)
    return MatchSettings(rules, settings.ticket_minutes * 60, int(settings.limit("waiting_tickets")))


def handlers(application: Application, tokens: SeatTokens) -> list[object]:
    """Returns the handlers of all rpcs."""
    return handler_groups(RENDERER, application, tokens, time.time)


def admission(store: EventStore, tokens: SeatTokens, settings: Settings) -> Admission:
    """Returns the checks that every call passes: identity, quotas and wrong tokens."""
    limits = Limits(
        calls_per_second=settings.limit("calls_per_second"),
        connection_calls_per_second=settings.limit("connection_calls_per_second"),
        creates_per_minute=int(settings.limit("creates_per_minute")),
        streams_per_caller=int(settings.limit("streams_per_caller")),
        streams=int(settings.limit("streams")),
        events_per_second=settings.limit("events_per_second"),
    )
    return Admission(
        PrincipalReader(tokens, identity_provider(store, settings)),
        Quotas(limits, store, time.time),
        time.monotonic,
        WrongTokens(int(settings.limit("wrong_tokens")), time.monotonic),
    )


def identity_provider(store: EventStore, settings: Settings) -> IdentityProvider | None:
    """Returns the provider for the configured identity mode, None if anyone may call."""
    if settings.identity is IdentityMode.OPEN:
        return None
    if settings.identity is IdentityMode.KEYS:
        return ApiKeys(store, time.monotonic)
    if settings.jwt_keys_file:
        fetch = file_fetcher(settings.jwt_keys_file)
    else:
        fetch = url_fetcher(str(settings.jwt_jwks_url))
    keys = JwksCache(fetch, time.monotonic)
    return JwtIdentities(keys, issuer=settings.jwt_issuer, audience=settings.jwt_audience)


async def service_secrets(store: EventStore, settings: Settings) -> Sequence[bytes]:
    """Returns the secrets from the configured files; the first one signs, all are trusted.

    Without files, a generated secret is kept in the store, where all processes find the same one.
    """
    if settings.secret_files:
        return [file.read_bytes().strip() for file in settings.secret_files]
    return [await store.secret("service", os.urandom(32))]
