"""`shedu archive`: put games that are over away now, also those of before there was an archive."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.progress import track

from .console import err, fail, out

RedisUrl = Annotated[str | None, typer.Option(help="The Redis of the service, as for `shedu serve`.")]
RedisFile = Annotated[Path | None, typer.Option(help="A file with that URL.")]
DataDir = Annotated[Path | None, typer.Option(help="The data directory of the service, if it has no Redis.")]
ArchiveDir = Annotated[Path | None, typer.Option(help="The archive of the service.")]
Hours = Annotated[
    float | None, typer.Option("--hours", help="How long a game must have been over.", show_default="24")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@dataclass(slots=True)
class Tidied:
    """What became of the games in the store."""

    archived: int = 0
    staying: int = 0
    failed: int = 0


def join(app: typer.Typer) -> None:
    app.command(
        epilog="Examples:\n\n    shedu archive --redis redis://localhost:6379/0 --archive-dir archive\n\n"
        "    shedu archive --hours 0 --json"
    )(archive)


def archive(
    redis: RedisUrl = None,
    redis_file: RedisFile = None,
    data_dir: DataDir = None,
    archive_dir: ArchiveDir = None,
    archive_after_hours: Hours = None,
    as_json: AsJson = False,
) -> None:
    """Put games that are over into the archive now. A service with an archive does so by itself: this is for
    games that were over before it had one. It may run beside the service."""
    given = {name: value for name, value in locals().items() if value is not None and name != "as_json"}
    from gamehost import main
    from gamehost.settings import Settings
    from gamehost.stores.embedded import reach

    try:
        settings = Settings(**given)
        if settings.archive_dir is None:
            fail("say where with --archive-dir")
        with nullcontext(settings.redis) if settings.redis else reach(settings.data_dir) as url:
            tidied = asyncio.run(tidy(settings, url))
    except ValidationError as error:
        fail("; ".join(str(found["msg"]) for found in error.errors()))
    except main.CANNOT_START as error:
        fail(str(error))
    report(tidied, as_json)


def report(tidied: Tidied, as_json: bool) -> None:
    if as_json:
        print(json.dumps(asdict(tidied)))
    else:
        out.print(
            f"{tidied.archived} games put away, {tidied.staying} stay, {tidied.failed} could not be read"
        )
    raise typer.Exit(1 if tidied.failed else 0)


async def tidy(settings: Any, url: str) -> Tidied:
    from gamehost.api.pipeline.metrics import PrometheusBackgroundMetrics
    from gamehost.composition import archive_from, connect_store, dependencies
    from gamehost.play.application import Application
    from gamehost.play.errors import PlayError, Unavailable

    keeper, store, tidied = archive_from(settings), connect_store(url, settings), Tidied()
    assert keeper is not None
    keeper.prepare()
    try:
        house = Application(await dependencies(store, settings, os.urandom(32)))
        since = await store.time() - int(settings.archive_after_hours * 3600 * 1e6)
        games = [game async for game in store.games()]
        rounds = house.archive_worker(keeper, PrometheusBackgroundMetrics())
        for game in track(games, description="games", console=err, disable=not sys.stderr.isatty()):
            try:
                over = await house.tables.finished_at(game)
                if over is None or over > since:
                    tidied.staying += 1
                    continue
                await rounds.check(game)
                tidied.archived += 1
            except Unavailable:
                raise
            except PlayError:
                tidied.failed += 1
            finally:
                house.tables.discard(game)
    finally:
        await store.close()
    return tidied
