"""The settings of the service: options of `shedu serve`, or environment variables with the prefix SHEDU_."""

from __future__ import annotations

import ipaddress
import json
import os
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field, FilePath, IPvAnyNetwork, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


class LogFormat(StrEnum):
    """The format of log lines; AUTO is CONSOLE on a terminal and JSON elsewhere."""

    AUTO = "auto"
    CONSOLE = "console"
    JSON = "json"


class IdentityMode(StrEnum):
    """The callers that are accepted: anyone, those with an API key, or those with a JWT of the issuer."""

    OPEN = "open"
    KEYS = "keys"
    JWT = "jwt"


class Fsync(StrEnum):
    """The times at which the embedded store syncs to disk: after every write, or once a second."""

    ALWAYS = "always"
    EVERYSEC = "everysec"


class TalkMode(StrEnum):
    """The most that seats may say to each other: nothing, phrases, or any text."""

    OFF = "off"
    PHRASES = "phrases"
    FREE = "free"


class DurabilityMode(StrEnum):
    """The failures that an acknowledged move must survive: none, a power cut, or the loss of a server too."""

    MEMORY = "memory"
    DURABLE = "durable"
    REPLICATED = "replicated"


# The defaults of limits on a service that other machines can reach; 0 means no limit.
LIMITS: dict[str, float] = {
    "calls_per_second": 500,
    "connection_calls_per_second": 1000,
    "creates_per_minute": 120,
    "open_games": 2000,
    "bot_only_games": 10,
    "waiting_tickets": 10,
    "streams_per_caller": 1000,
    "streams": 5_000,
    "wrong_tokens": 10,
    "events_per_second": 2000,
    "connections_per_address": 1000,
}
MIN_SECRET_BYTES = 16
ANY_ORIGIN = "*"
Limit = Annotated[float | None, Field(ge=0)]


def data_home() -> Path:
    """Returns the default directory for data, as the XDG specification defines it."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "shedu"


class Settings(BaseSettings):
    """The validated settings.

    Secrets are given as files, never as values: values appear in process lists and in error messages. Of
    several secrets the first one signs, and all are trusted, so that secrets can be rotated.
    """

    model_config = SettingsConfigDict(env_prefix="SHEDU_", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8080
    grpc_port: Annotated[int, Field(ge=0, le=65535)] = 50051
    health_port: Annotated[int, Field(ge=0, le=65535)] | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    tls_client_ca: Path | None = None
    redis: Annotated[str | None, Field(repr=False)] = None
    redis_file: FilePath | None = None
    durability: DurabilityMode | None = None
    replicas: Annotated[int, Field(ge=0, le=16)] = 0
    data_dir: Path = Field(default_factory=data_home)
    fsync: Fsync = Fsync.ALWAYS
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    secret_files: Annotated[tuple[FilePath, ...], NoDecode] = ()
    identity: IdentityMode = IdentityMode.OPEN
    jwt_keys_file: FilePath | None = None
    jwt_jwks_url: str | None = None
    jwt_issuer: str | None = None
    jwt_audience: str | None = None
    calls_per_second: Limit = None
    connection_calls_per_second: Limit = None
    creates_per_minute: Limit = None
    open_games: Limit = None
    bot_only_games: Limit = None
    waiting_tickets: Limit = None
    streams_per_caller: Limit = None
    streams: Limit = None
    wrong_tokens: Limit = None
    proxies: Annotated[tuple[IPvAnyNetwork, ...], NoDecode] = ()
    cors_origins: Annotated[tuple[str, ...] | None, NoDecode] = None
    events_per_second: Limit = None
    connections_per_address: Limit = None
    connections: Annotated[int, Field(ge=1)] = 10_000
    idle_seconds: Annotated[float, Field(gt=0)] = 60.0
    head_seconds: Annotated[float, Field(gt=0)] = 10.0
    body_seconds: Annotated[float, Field(gt=0)] = 20.0
    seat_token_days: Annotated[float, Field(gt=0)] = 90.0
    cache_mb: Annotated[int, Field(ge=1)] = 256
    heartbeat_seconds: Annotated[float, Field(gt=0)] = 15.0
    drain_seconds: Annotated[float, Field(ge=0)] = 1.0
    game_expiry_hours: Annotated[float, Field(ge=0)] = 72.0
    archive_dir: Path | None = None
    archive_after_hours: Annotated[float, Field(ge=0)] = 24.0
    bots: bool = True
    bot_processes: Annotated[int, Field(ge=1, le=64)] = 1
    bot_seconds: Annotated[float, Field(gt=0)] = 10.0
    bot_think_seconds: Annotated[float, Field(ge=0)] = 0.3
    bot_only_seconds: Annotated[float, Field(ge=0)] = 30.0
    talk: TalkMode = TalkMode.PHRASES
    webhooks: bool = True
    webhook_networks: Annotated[tuple[IPvAnyNetwork, ...], NoDecode] = ()
    webhook_http: bool = False
    webhook_retry_seconds: Annotated[float, Field(gt=0)] = 5.0
    webhook_sweep_seconds: Annotated[float, Field(gt=0)] = 60.0
    players: bool = True
    matchmaking: bool = True
    match_range: Annotated[int, Field(ge=0, le=10_000)] = 100
    match_widening: Annotated[float, Field(gt=0, le=10_000)] = 10.0
    ticket_minutes: Annotated[float, Field(gt=0, le=1440)] = 30.0
    leaderboard_games: Annotated[int, Field(ge=1, le=1000)] = 5
    refused_words_file: FilePath | None = None
    log_format: LogFormat = LogFormat.AUTO
    traces: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _redis_from_file(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Reads the Redis URL from `redis_file`, unless `redis` is given too."""
        file = given.get("redis_file")
        if given.get("redis") or not file or not Path(file).is_file():
            return given
        if not (url := content(Path(file), "redis_file").decode(errors="replace").strip()):
            raise ValueError(f"redis_file: {file} is empty; it must contain the URL of a Redis server")
        return {**given, "redis": url}

    @model_validator(mode="after")
    def _replicas_are_counted(self) -> Settings:
        if (self.durability is DurabilityMode.REPLICATED) != bool(self.replicas):
            raise ValueError(
                "durability replicated needs --replicas (how many replicas must have a move); "
                "other modes do not accept it"
            )
        if self.replicas and not self.redis:
            raise ValueError("durability replicated needs --redis")
        return self

    @model_validator(mode="after")
    def _ports_differ(self) -> Settings:
        if self.port and self.port == self.grpc_port:
            raise ValueError(f"port and grpc_port must differ; both are {self.port}")
        if self.health_port and self.health_port in (self.port, self.grpc_port):
            raise ValueError(f"health_port must differ from port and grpc_port; it is {self.health_port}")
        return self

    @model_validator(mode="after")
    def _certificate_has_key(self) -> Settings:
        """Checks that the TLS files are configured together.

        Their contents are checked by `shedu serve` only: other commands read the same environment, possibly
        on a machine that does not have the files.
        """
        if (self.tls_cert is None) != (self.tls_key is None):
            given, missing = ("tls_cert", "tls_key") if self.tls_cert else ("tls_key", "tls_cert")
            raise ValueError(f"{given} needs {missing} too")
        if self.tls_client_ca and not self.tls_cert:
            raise ValueError("tls_client_ca needs tls_cert and tls_key too")
        return self

    @field_validator("secret_files", mode="before")
    @classmethod
    def _parse_json_list(cls, given: Any) -> Any:
        """Parses the value of the environment variable, which is a JSON list."""
        if not isinstance(given, str):
            return given
        try:
            return json.loads(given)
        except ValueError:
            raise ValueError(
                'must be a JSON list of files, such as ["/etc/signing", "/etc/trusted"]'
            ) from None

    @field_validator("proxies", "cors_origins", "webhook_networks", mode="before")
    @classmethod
    def _split_list(cls, given: Any) -> Any:
        """Splits the value of the environment variable at commas and spaces."""
        return tuple(filter(None, re.split(r"[\s,]+", given))) if isinstance(given, str) else given

    @field_validator("cors_origins")
    @classmethod
    def _check_origins(cls, origins: tuple[str, ...] | None) -> tuple[str, ...] | None:
        for origin in origins or ():
            parts = urlsplit(origin)
            if origin != ANY_ORIGIN and origin != f"{parts.scheme}://{parts.netloc}".lower():
                raise ValueError(f"{origin} is not an origin such as https://play.example.com, or * for all")
        return origins

    @field_validator("secret_files")
    @classmethod
    def _check_secrets(cls, files: tuple[Path, ...]) -> tuple[Path, ...]:
        for file in files:
            if len(content(file, "secret_files").strip()) < MIN_SECRET_BYTES:
                raise ValueError(f"{file} must contain at least {MIN_SECRET_BYTES} bytes")
        return files

    @model_validator(mode="after")
    def _issuer_has_keys(self) -> Settings:
        given = [self.jwt_keys_file, self.jwt_jwks_url]
        if self.identity is IdentityMode.JWT and given.count(None) != 1:
            raise ValueError("identity jwt needs either --jwt-keys-file or --jwt-jwks-url")
        if self.jwt_jwks_url and not is_trusted_url(self.jwt_jwks_url):
            raise ValueError("--jwt-jwks-url must start with https://, or be an address of this machine")
        return self

    @property
    def loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def unguarded(self) -> bool:
        """Whether only this machine can reach the service, and callers need no credentials."""
        return self.loopback and self.identity is IdentityMode.OPEN

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins of web pages that may call, in addition to the pages of the service itself."""
        if self.cors_origins is not None:
            return self.cors_origins
        return (ANY_ORIGIN,) if self.unguarded else ()

    def limit(self, name: str) -> float:
        """Returns a limit: the configured value, else the default, or 0 (none) on an unguarded service."""
        given: float | None = getattr(self, name)
        if given is not None:
            return given
        return 0 if self.unguarded else LIMITS[name]


def content(file: Path, setting: str) -> bytes:
    """Returns the content of a file; raises ValueError with the name of the setting if it is unreadable."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise ValueError(f"{setting}: {file} cannot be read: {error.strerror}") from None


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_trusted_url(url: str) -> bool:
    """Whether keys from this URL can be trusted: over HTTPS, or without it from this machine only."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))
