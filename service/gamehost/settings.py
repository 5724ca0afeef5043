"""What an operator can set: by an option of `shedu serve`, or by an environment variable SHEDU_…"""

from __future__ import annotations

import ipaddress
import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class LogFormat(StrEnum):
    AUTO = "auto"
    CONSOLE = "console"
    JSON = "json"


class Fsync(StrEnum):
    ALWAYS = "always"
    EVERYSEC = "everysec"


def data_home() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "shedu"


class Settings(BaseSettings):
    """Secrets come from files, never from values; the first signs, all are trusted."""

    model_config = SettingsConfigDict(env_prefix="SHEDU_", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8080
    grpc_port: Annotated[int, Field(ge=0, le=65535)] = 50051
    redis: str | None = None
    data_dir: Path = Field(default_factory=data_home)
    fsync: Fsync = Fsync.ALWAYS
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    secret_files: tuple[Path, ...] = ()
    seat_token_days: Annotated[float, Field(gt=0)] = 90.0
    cache_mb: Annotated[int, Field(ge=1)] = 256
    heartbeat_seconds: Annotated[float, Field(gt=0)] = 15.0
    drain_seconds: Annotated[float, Field(ge=0)] = 1.0
    log_format: LogFormat = LogFormat.AUTO

    @property
    def loopback(self) -> bool:
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"
