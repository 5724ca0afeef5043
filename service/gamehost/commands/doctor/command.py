"""`shedu doctor`: checks an installation or a running server, and says how to fix problems."""

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

from gamehost.commands.console import err, fail, out, printable

from .finding import Finding, Grade, problem

GRADE_COLOURS = {Grade.OK: "green", Grade.WARNING: "yellow", Grade.PROBLEM: "red"}


Probe = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Check a running server instead, at this HTTP address. Sends reads and invalid requests, and "
        "creates no game.",
    ),
]
Server = Annotated[str | None, typer.Option(help="--probe: its gRPC address too, host:port or grpcs://….")]
ServerCa = Annotated[
    Path | None,
    typer.Option(envvar="SHEDU_SERVER_CA", help="--probe, TLS: authorities to trust, a PEM file."),
]
ClientCert = Annotated[
    Path | None, typer.Option(envvar="SHEDU_CLIENT_CERT", help="--probe, TLS: a certificate to present.")
]
ClientKey = Annotated[Path | None, typer.Option(envvar="SHEDU_CLIENT_KEY", help="--probe, TLS: its key.")]
TryLimits = Annotated[
    bool | None,
    typer.Option(
        "--limits/--no-limits",
        help="--probe: call until a limit answers, at most 3000 times within 5 seconds. Callers from the "
        "same address may be refused for a second.",
        show_default="unless the server is on this machine",
    ),
]


def doctor(
    redis: Annotated[str | None, typer.Option(help="The Redis of the service.")] = None,
    redis_file: Annotated[Path | None, typer.Option(help="A file with the Redis URL.")] = None,
    data_dir: Annotated[Path | None, typer.Option(help="The data directory, if there is no Redis.")] = None,
    durability: Annotated[str | None, typer.Option(help="memory, durable or replicated.")] = None,
    replicas: Annotated[int | None, typer.Option(help="replicated: how many could be promoted.")] = None,
    probe: Probe = None,
    server: Server = None,
    server_ca: ServerCa = None,
    client_cert: ClientCert = None,
    client_key: ClientKey = None,
    limits: TryLimits = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Check settings, secrets, ports and the store, and say how to fix problems.

    Reads the environment of serve.

    With --probe, check only how a running server answers. The exit code is 1 if there is a problem; warnings
    alone give 0."""
    of_settings: dict[str, Any] = {"redis": redis, "redis_file": redis_file, "data_dir": data_dir}
    of_settings |= {"durability": durability, "replicas": replicas}
    given = {name: value for name, value in of_settings.items() if value is not None}
    if probe is None:
        found = check_installation(given) if server is None else fail("--server needs --probe")
    elif given:
        fail(f"--probe checks only a running server: omit --{next(iter(given)).replace('_', '-')}")
    else:
        found = probe_server(probe, server, (server_ca, client_cert, client_key), limits)
    well = not any(each.grade is Grade.PROBLEM for each in found)
    if as_json:
        print(json.dumps({"ok": well, "findings": [asdict(each) for each in found]}))
    else:
        show_findings(found)
    raise typer.Exit(0 if well else 1)


def probe_server(
    url: str, server: str | None, files: tuple[Path | None, Path | None, Path | None], limits: bool | None
) -> list[Finding]:
    from . import probe
    from .probe_grpc import GrpcAddress
    from .probe_http import ClientTlsFiles, HttpAddress

    try:
        pem = ClientTlsFiles(*files)
        http, rpc = HttpAddress(url, pem), GrpcAddress(server, pem) if server else None
    except ValueError as error:
        fail(str(error))
    # A server that only this machine can reach has no limits by default.
    limits = not http.loopback if limits is None else limits
    err.print("shedu:", escape(printable(probe.plan(http, rpc, limits))), highlight=False, soft_wrap=True)
    return list(probe.findings(http, rpc, limits))


def check_installation(given: dict[str, Any]) -> list[Finding]:
    from gamehost.settings import Settings

    from . import store_checks

    try:
        settings = Settings(**given)
    except ValidationError as error:
        return [
            problem("configuration", ": ".join([*map(str, each["loc"][:1]), each["msg"]]), "Correct it.")
            for each in error.errors(include_input=False)
        ]
    return [*store_checks.local_checks(settings), *check_store(settings)]


def check_store(settings: Any) -> list[Finding]:
    from gamehost.stores.embedded import EmbeddedServerFailed, server_url
    from gamehost.stores.redis.client import InvalidUrl

    from . import store_checks

    async def examine(url: str) -> list[Finding]:
        return [finding async for finding in store_checks.check_redis(settings, url)]

    try:
        with nullcontext(settings.redis) if settings.redis else server_url(settings.data_dir) as url:
            return asyncio.run(examine(url))
    except InvalidUrl as error:
        return [problem("configuration", str(error), "Correct the URL.")]
    except (EmbeddedServerFailed, OSError) as error:
        return [problem("store", str(error), "Look at the data directory and its server.log.")]


def show_findings(found: list[Finding]) -> None:
    table = Table("check", "", "found", "what to do")
    for each in found:
        words = (escape(printable(text)) for text in (each.detail, each.action))
        table.add_row(each.check, f"[{GRADE_COLOURS[each.grade]}]{each.grade}[/]", *words)
    out.print(table)
