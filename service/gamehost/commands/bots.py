"""`shedu bots`: hosted bots in a process of their own."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from .console import fail

RedisUrl = Annotated[str | None, typer.Option(help="The Redis of the service, as for `shedu serve`.")]
DataDir = Annotated[Path | None, typer.Option(help="The data directory of the service, if it has no Redis.")]
Processes = Annotated[
    int | None, typer.Option("--processes", help="How many bots think at once.", show_default="1")
]
SecretFiles = Annotated[
    list[Path] | None, typer.Option("--secret-file", help="Those of the service, if it has any.")
]
MetricsPort = Annotated[
    int | None, typer.Option(help="Serve metrics to Prometheus there.", show_default="no")
]
LogForm = Annotated[str | None, typer.Option(help="auto, console or json.", show_default="auto")]


def join(app: typer.Typer) -> None:
    app.command(
        epilog="Example:\n\n    shedu serve --no-bots --redis redis://localhost:6379/0\n\n"
        "    shedu bots --redis redis://localhost:6379/0 --processes 4"
    )(bots)


def bots(
    redis: RedisUrl = None,
    data_dir: DataDir = None,
    bot_processes: Processes = None,
    secret_files: SecretFiles = None,
    metrics_port: MetricsPort = None,
    log_format: LogForm = None,
) -> None:
    """Host bots, and keep time, for a service that runs elsewhere. Start as many as are needed."""
    given: dict[str, Any] = {name: value for name, value in locals().items() if value is not None}
    from gamehost import bot_host, main
    from gamehost.settings import Settings
    from gamehost.stores.embedded import reach

    given.pop("metrics_port", None)
    try:
        settings = Settings(**given)
        with nullcontext(settings.redis) if settings.redis else reach(settings.data_dir) as url:
            main.promised(settings, url)
            bot_host.run(settings, url, metrics_port)
    except ValidationError as error:
        fail("; ".join(str(found["msg"]) for found in error.errors()))
    except main.CANNOT_START as error:
        fail(str(error))
