"""`shedu ratings`: check and restore the ratings of players."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError

from .archive import ArchiveDir, RedisFile
from .console import fail, out
from .options import AsJson, DataDir, RedisUrl

if TYPE_CHECKING:
    from gamehost.play.players.rating_model import Rating
    from gamehost.play.players.rebuild import Difference, RatingRebuild, RebuiltTitle

ratings_app = typer.Typer(help="Check and restore the ratings of players.", no_args_is_help=True)
CheckOnly = Annotated[
    bool, typer.Option("--check", help="Change nothing; exit with 1 if a rating differs from the logs.")
]
Lost = Annotated[
    bool,
    typer.Option("--lost", help="The stored ratings are lost: count the newest games, too."),
]


@ratings_app.callback()
def ratings() -> None:
    """Check and restore the ratings of players."""


@ratings_app.command(
    epilog="Examples:\n\n    shedu ratings rebuild --check\n\n"
    "    shedu ratings rebuild --redis redis://localhost:6379/0 --archive-dir archive"
)
def rebuild(
    check: CheckOnly = False,
    lost: Lost = False,
    redis: RedisUrl = None,
    redis_file: RedisFile = None,
    data_dir: DataDir = None,
    archive_dir: ArchiveDir = None,
    as_json: AsJson = False,
) -> None:
    """Compute all ratings again from the logs of games and the archive. It may run beside the service."""
    options: dict[str, Any] = {
        "redis": redis, "redis_file": redis_file, "data_dir": data_dir, "archive_dir": archive_dir
    }  # fmt: skip
    from gamehost import main
    from gamehost.play.errors import PlayError
    from gamehost.settings import Settings
    from gamehost.stores.embedded import server_url

    try:
        settings = Settings(**{name: value for name, value in options.items() if value is not None})
        with nullcontext(settings.redis) if settings.redis else server_url(settings.data_dir) as url:
            found = asyncio.run(rebuilt_ratings(settings, url, check=check, lost=lost))
    except ValidationError as error:
        fail("; ".join(str(found["msg"]) for found in error.errors()))
    except (*main.CANNOT_START, PlayError) as error:
        fail(str(error))
    report_ratings(found, check=check, as_json=as_json)


def report_ratings(found: Mapping[str, RebuiltTitle], *, check: bool, as_json: bool) -> None:
    """Print what was found; exit with 1 if `check` has found differences."""
    differences = [each for title in found.values() for each in title.differences]
    games = sum(len(title.games) for title in found.values())
    if as_json:
        print(json.dumps({"games": games, "differences": [difference_facts(each) for each in differences]}))
    else:
        verb = "differ" if check else "restored"
        out.print(f"{games} rated games, {len(differences)} ratings {verb}")
    raise typer.Exit(1 if check and differences else 0)


def difference_facts(difference: Difference) -> dict[str, Any]:
    """Return a difference as `--json` prints it."""
    return {
        "title": difference.title,
        "player": difference.player,
        "stored": rating_numbers(difference.stored),
        "computed": rating_numbers(difference.computed),
    }


def rating_numbers(rating: Rating | None) -> list[float] | None:
    """Return mean, deviation and number of games, None for no rating."""
    return [rating.mean, rating.deviation, rating.games] if rating else None


async def rebuilt_ratings(settings: Any, url: str, *, check: bool, lost: bool) -> Mapping[str, RebuiltTitle]:
    """Compute the ratings of all titles and, without `check`, restore those that differ."""
    from gamehost.api.pipeline.metrics import PrometheusBackgroundMetrics
    from gamehost.composition import archive_from, connect_store, dependencies
    from gamehost.play.application import Application

    store, archive = connect_store(url, settings), archive_from(settings)
    if archive:
        archive.prepare()
    try:
        # A random secret is enough: nothing is issued that another process must verify.
        application = Application(await dependencies(store, settings, [os.urandom(32)]))
        rebuild = application.rating_rebuild(PrometheusBackgroundMetrics())
        if rebuild is None:
            fail("this service keeps nothing about players: --no-players")
        found = await rebuild.compute(application.titles, all_games(store, archive), lost=lost)
        if not check:
            await restore_all(rebuild, found)
        return found
    finally:
        await store.close()


async def restore_all(rebuild: RatingRebuild, found: Mapping[str, RebuiltTitle]) -> None:
    """Restore the titles whose ratings differ."""
    for title, each in found.items():
        if each.differences:
            await rebuild.restore(title, each)


async def all_games(store: Any, archive: Any) -> AsyncIterator[str]:
    """Yield the ids of all games, first of the store: a game that is archived meanwhile is found later."""
    for game in [game async for game in store.games()]:
        yield game
    for game in archive.games() if archive else ():
        yield game
