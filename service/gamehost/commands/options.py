"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RedisUrl = Annotated[str | None, typer.Option(help="The Redis of the service, as for `shedu serve`.")]
DataDir = Annotated[Path | None, typer.Option(help="The data directory of the service, if it has no Redis.")]
ServerAddress = Annotated[
    str,
    typer.Option(
        envvar="SHEDU_SERVER",
        help="Its gRPC address: host:port, grpc:// or, with TLS, grpcs:// (SHEDU_SERVER_CA: a file of "
        "authorities to trust; SHEDU_CLIENT_CERT, SHEDU_CLIENT_KEY: files to present).",
    ),
]
CallerTokenFile = Annotated[
    Path | None,
    typer.Option(help="A file with an API key or a JWT, if the server requires one; or set SHEDU_TOKEN."),
]
OptionsJson = Annotated[
    str, typer.Option("--options", help="The title's options, as JSON in the form of the API.")
]
Jobs = Annotated[int | None, typer.Option(min=1, help="Number of processes.", show_default="one per core")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
