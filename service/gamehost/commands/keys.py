"""`shedu keys`: API keys for a service with `--identity keys`."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.table import Table

from gamehost.api.auth import api_keys
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.play.ports.event_store import EventStore

from .console import fail, out
from .options import AsJson, DataDir, RedisUrl

keys_app = typer.Typer(
    help="Create, list and revoke the API keys of a service that runs with `--identity keys`.",
    no_args_is_help=True,
)
Name = Annotated[str, typer.Argument(help="A name for the key: lower-case letters, digits and hyphens.")]


Result = TypeVar("Result")


@keys_app.command(epilog="Example:\n\n    shedu keys create chess-club")
def create(name: Name, redis: RedisUrl = None, data_dir: DataDir = None) -> None:
    """Create a key and print it. It cannot be shown again: the service stores only a digest."""
    print(
        with_store(lambda store: api_keys.create_key(store, name, time.time(), os.urandom), redis, data_dir)
    )


@keys_app.command("list", epilog="Example:\n\n    shedu keys list --json")
def list_keys(redis: RedisUrl = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the names of all keys and when they were created."""
    found = with_store(api_keys.all_keys, redis, data_dir)
    times = {key.name: datetime.fromtimestamp(key.created, UTC).isoformat() for key in found}
    if as_json:
        print(json.dumps([{"name": name, "created": at} for name, at in times.items()]))
        return
    table = Table("name", "created")
    for name, at in times.items():
        table.add_row(name, at)
    out.print(table)


@keys_app.command(epilog="Example:\n\n    shedu keys revoke chess-club")
def revoke(name: Name, redis: RedisUrl = None, data_dir: DataDir = None) -> None:
    """Revoke a key for good. It takes effect within two seconds. Seats taken with it keep their tokens."""
    with_store(lambda store: api_keys.revoke_key(store, name), redis, data_dir)


def with_store(
    work: Callable[[EventStore], Awaitable[Result]], redis: str | None, data_dir: Path | None
) -> Result:
    """Run `work` with the store of the service, whether the service is running or not."""
    from gamehost.settings import Settings
    from gamehost.stores.embedded import EmbeddedServerFailed, server_url
    from gamehost.stores.redis.client import InvalidUrl

    given: dict[str, Any] = {"redis": redis, "data_dir": data_dir}
    settings = Settings(**{name: value for name, value in given.items() if value})
    try:
        # `server_url` uses the embedded server of a running service, or starts one for this command.
        with nullcontext(settings.redis) if settings.redis else server_url(settings.data_dir) as url:
            return asyncio.run(with_connection(url, work))
    except (api_keys.KeyProblem, InvalidUrl, EmbeddedServerFailed, StoreUnavailable, OSError) as problem:
        fail(str(problem))


async def with_connection(url: str, work: Callable[[EventStore], Awaitable[Result]]) -> Result:
    from gamehost.stores.redis.store import connect

    store = connect(url)
    try:
        return await work(store)
    finally:
        await store.close()
