"""`shedu archive`: move finished games from the store to the archive."""

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
from .options import AsJson, DataDir, RedisUrl

RedisFile = Annotated[Path | None, typer.Option(help="A file with the Redis URL.")]
ArchiveDir = Annotated[Path | None, typer.Option(help="The archive directory of the service.")]
Hours = Annotated[
    float | None,
    typer.Option("--hours", help="Archive games that ended at least this many hours ago.", show_default="24"),
]


@dataclass(slots=True)
class ArchiveCounts:
    """Counts of games: archived, left in the store, unreadable. Field names are those of --json."""

    archived: int = 0
    staying: int = 0
    failed: int = 0


def register(app: typer.Typer) -> None:
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
    """Move finished games into the archive now. A service with an archive does this by itself; the command is
    for games that ended before the archive was configured. It may run beside the service."""
    given = {name: value for name, value in locals().items() if value is not None and name != "as_json"}
    from gamehost import main
    from gamehost.settings import Settings
    from gamehost.stores.embedded import server_url

    try:
        settings = Settings(**given)
        if settings.archive_dir is None:
            fail("no archive directory: set --archive-dir")
        with nullcontext(settings.redis) if settings.redis else server_url(settings.data_dir) as url:
            counts = asyncio.run(archive_finished(settings, url))
    except ValidationError as error:
        fail("; ".join(str(found["msg"]) for found in error.errors()))
    except main.CANNOT_START as error:
        fail(str(error))
    report(counts, as_json)


def report(counts: ArchiveCounts, as_json: bool) -> None:
    if as_json:
        print(json.dumps(asdict(counts)))
    else:
        out.print(f"{counts.archived} games archived, {counts.staying} kept, {counts.failed} unreadable")
    raise typer.Exit(1 if counts.failed else 0)


async def archive_finished(settings: Any, url: str) -> ArchiveCounts:
    """Archive every game of the store that ended long enough ago."""
    from gamehost.api.pipeline.metrics import PrometheusBackgroundMetrics
    from gamehost.composition import archive_from, connect_store, dependencies
    from gamehost.play.application import Application
    from gamehost.play.errors import PlayError, Unavailable

    file_archive, store, counts = archive_from(settings), connect_store(url, settings), ArchiveCounts()
    assert file_archive is not None
    file_archive.prepare()
    try:
        # A random secret is enough: archiving issues nothing that another process must verify.
        application = Application(await dependencies(store, settings, [os.urandom(32)]))
        # The time of the store, which the logs have, too: the clock of this machine may differ.
        since = await store.time() - int(settings.archive_after_hours * 3600 * 1e6)
        # Listed first: the progress bar needs the total, and archiving removes games from what is listed.
        games = [game async for game in store.games()]
        worker = application.archive_worker(file_archive, PrometheusBackgroundMetrics())
        for game in track(games, description="games", console=err, disable=not sys.stderr.isatty()):
            try:
                finished_at = await application.tables.finished_at(game)
                if finished_at is None or finished_at > since:
                    counts.staying += 1
                    continue
                await worker.check(game)
                counts.archived += 1
            # Unavailable is a PlayError, but says nothing about the game. Going on would count every game as
            # unreadable.
            except Unavailable:
                raise
            except PlayError:
                counts.failed += 1
            finally:
                # Every game is folded once; keeping all of them cached would use up the memory.
                application.tables.discard(game)
    finally:
        await store.close()
    return counts
