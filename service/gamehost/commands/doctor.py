"""`shedu doctor`: is everything as a service needs it, and if not, what to do."""

from __future__ import annotations

import asyncio
import json
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.markup import escape
from rich.table import Table

from .console import out, printable
from .finding import Finding, Grade, problem

COLOURS = {Grade.OK: "green", Grade.WARNING: "yellow", Grade.PROBLEM: "red"}


def doctor(
    redis: Annotated[str | None, typer.Option(help="The Redis of the service.")] = None,
    redis_file: Annotated[Path | None, typer.Option(help="A file with its URL.")] = None,
    data_dir: Annotated[Path | None, typer.Option(help="The data directory, if there is no Redis.")] = None,
    durability: Annotated[str | None, typer.Option(help="memory, durable or replicated.")] = None,
    replicas: Annotated[int | None, typer.Option(help="replicated: how many could be promoted.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Check settings, secrets, ports and the store, and say what to do. Reads the same environment as serve.

    Ends with 1 when something must be done; warnings alone end with 0."""
    given = {name: value for name, value in locals().items() if value is not None and name != "as_json"}
    found = findings(given)
    well = not any(each.grade is Grade.PROBLEM for each in found)
    if as_json:
        print(json.dumps({"ok": well, "findings": [asdict(each) for each in found]}))
    else:
        show(found)
    raise typer.Exit(0 if well else 1)


def findings(given: dict[str, Any]) -> list[Finding]:
    from gamehost.settings import Settings

    from . import checkup

    try:
        settings = Settings(**given)
    except ValidationError as error:
        return [
            problem("configuration", ": ".join([*map(str, each["loc"][:1]), each["msg"]]), "Correct it.")
            for each in error.errors(include_input=False)
        ]
    return [*checkup.machine(settings), *store(settings)]


def store(settings: Any) -> list[Finding]:
    from gamehost.stores.addresses import InvalidUrl
    from gamehost.stores.embedded import EmbeddedServerFailed, reach

    from . import checkup

    async def examine(url: str) -> list[Finding]:
        return [finding async for finding in checkup.store(settings, url)]

    try:
        with nullcontext(settings.redis) if settings.redis else reach(settings.data_dir) as url:
            return asyncio.run(examine(url))
    except InvalidUrl as error:
        return [problem("configuration", str(error), "Correct the URL.")]
    except (EmbeddedServerFailed, OSError) as error:
        return [problem("store", str(error), "Look at the data directory and its server.log.")]


def show(found: list[Finding]) -> None:
    table = Table("check", "", "found", "what to do")
    for each in found:
        words = (escape(printable(text)) for text in (each.detail, each.action))
        table.add_row(each.check, f"[{COLOURS[each.grade]}]{each.grade}[/]", *words)
    out.print(table)
