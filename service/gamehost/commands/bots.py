"""`shedu bots`: runs hosted bots in a separate process."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.markup import escape

from .console import err, fail, printable
from .options import DataDir, RedisUrl

Processes = Annotated[
    int | None,
    typer.Option("--processes", help="Number of bots that run at the same time.", show_default="1"),
]
SecretFiles = Annotated[
    list[Path] | None, typer.Option("--secret-file", help="The secret files of the service, if it has any.")
]
MetricsPort = Annotated[
    int | None, typer.Option(help="Serve Prometheus metrics on this port.", show_default="none")
]
LogForm = Annotated[str | None, typer.Option(help="auto, console or json.", show_default="auto")]


def register(app: typer.Typer) -> None:
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
    """Run hosted bots and clock time-outs for a service that runs elsewhere. Start as many as needed."""
    given: dict[str, Any] = {name: value for name, value in locals().items() if value is not None}
    from gamehost import bots_process, main
    from gamehost.settings import Settings
    from gamehost.stores.embedded import NoDataDirectory, attach

    given.pop("metrics_port", None)
    try:
        settings = Settings(**given)
        url = settings.redis or attach(settings.data_dir, warn_that_it_waits)
        bots_process.run_bots(settings, url, metrics_port)
    except ValidationError as error:
        fail("; ".join(str(found["msg"]) for found in error.errors()))
    except NoDataDirectory as error:
        fail(f"{error}: start `shedu serve` first, or use its --data-dir or --redis")
    except main.CANNOT_START as error:
        fail(str(error))


def warn_that_it_waits(data: Path) -> None:
    why = f"no service runs in {data}; waiting for one"
    err.print("[bold yellow]shedu:[/]", escape(printable(why)), highlight=False, soft_wrap=True)
