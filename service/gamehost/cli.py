"""The command line `shedu`: all commands, and `shedu serve` and `shedu titles` themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.table import Table

from gamehost import __version__
from gamehost.commands import archive, arena
from gamehost.commands import bots as bot_commands
from gamehost.commands import ladder as ladder_command
from gamehost.commands import simulate as simulate_command
from gamehost.commands.bot_run import bot_app
from gamehost.commands.console import err, fail, out
from gamehost.commands.doctor.command import doctor
from gamehost.commands.doctor.variables import WithVariables
from gamehost.commands.keys import keys_app
from gamehost.commands.new_title import command as new_title_command
from gamehost.commands.options import AsJson
from gamehost.commands.play import command as play_command
from gamehost.commands.ratings import ratings_app
from gamehost.commands.recorded import commands as game_commands
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


play_command.register(app)
game_commands.register(app)
arena.register(app)
ladder_command.register(app)
simulate_command.register(app)
bot_commands.register(app)
archive.register(app)
new_title_command.register(app)
app.add_typer(keys_app, name="keys")
app.add_typer(ratings_app, name="ratings")
app.add_typer(bot_app, name="bot")
app.command(
    epilog="Examples:\n\n    shedu doctor\n\n    shedu doctor --durability durable --json\n\n"
    "    shedu doctor --probe http://localhost:8080 --server localhost:50051\n\n"
    "    shedu doctor --probe https://play.example.org --server grpcs://grpc.example.org --json"
)(doctor)


def main() -> None:
    app()


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"shedu {__version__}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Board games as a service."""


Host = Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")]
Port = Annotated[
    int | None,
    typer.Option(help="Port for REST, Connect, the web client and the documentation.", show_default="8080"),
]
GrpcPort = Annotated[int | None, typer.Option(help="Port for gRPC.", show_default="50051")]
HealthPort = Annotated[
    int | None,
    typer.Option(
        help="Additional port for /healthz, /readyz and /metrics, always without TLS, for probes without a "
        "certificate.",
        show_default="none",
    ),
]
TlsCert = Annotated[
    Path | None,
    typer.Option(
        help="Use TLS on both ports, with this certificate (PEM, followed by its chain). "
        "The TLS files are reloaded when they change."
    ),
]
TlsKey = Annotated[
    Path | None, typer.Option(help="The private key of the certificate (PEM, without a password).")
]
TlsClientCa = Annotated[
    Path | None,
    typer.Option(help="Accept only clients with a certificate of these authorities (PEM)."),
]
RedisUrl = Annotated[
    str | None,
    typer.Option(
        help="URL of the Redis that stores the games, see below. Without it, an embedded server stores them "
        "in the data directory."
    ),
]
RedisFile = Annotated[
    Path | None, typer.Option(help="A file that contains the Redis URL, for a URL with a password.")
]
DataDir = Annotated[
    Path | None,
    typer.Option(help="Directory of the embedded server.", show_default="~/.local/share/shedu"),
]
FsyncOption = Annotated[
    str | None,
    typer.Option(help="When the embedded server writes to disk: always or everysec.", show_default="always"),
]
DurabilityOption = Annotated[
    str | None,
    typer.Option(
        help="The durability that the store must have, or the service does not start. memory: none; durable: "
        "moves survive a power cut; replicated: they also survive the loss of the server, see --replicas.",
        show_default="any",
    ),
]
Replicas = Annotated[
    int | None,
    typer.Option(
        help="With --durability replicated: how many replicas must have a move before it is acknowledged."
    ),
]
Workers = Annotated[
    int | None, typer.Option(help="Number of processes that share the ports.", show_default="1")
]
SecretFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--secret-file",
        help="File with the secret that signs seat tokens; repeat the option to trust older secrets too.",
    ),
]
Identity = Annotated[
    str | None,
    typer.Option(
        help="Who may call. open: anyone; keys: callers with an API key, see `shedu keys`; "
        "jwt: callers with a token of your issuer.",
        show_default="open",
    ),
]
ProxyNetworks = Annotated[
    list[str] | None,
    typer.Option(
        "--proxy",
        help="A network of your own proxies, such as 10.0.0.0/8, whose X-Forwarded-For header is trusted; "
        "repeat the option for more.",
        show_default="none",
    ),
]
CorsOrigins = Annotated[
    list[str] | None,
    typer.Option(
        "--cors-origin",
        help="An origin whose web pages may call, such as https://play.example.com, or * for all; "
        "repeat the option for more.",
        show_default="none; * if only this machine can call and --identity is open",
    ),
]
ArchiveDir = Annotated[
    Path | None,
    typer.Option(
        help="Directory for finished games, shared by all processes. Games are moved there "
        "SHEDU_ARCHIVE_AFTER_HOURS (24) after their end.",
        show_default="games stay in the store",
    ),
]
JwtKeysFile = Annotated[
    Path | None, typer.Option(help="File with the public keys of the issuer: a JWK set, or PEM.")
]
JwtJwksUrl = Annotated[str | None, typer.Option(help="URL of the JWK set of the issuer.")]
JwtIssuer = Annotated[str | None, typer.Option(help="The `iss` that tokens must have.", show_default="any")]
JwtAudience = Annotated[str | None, typer.Option(help="The `aud` that tokens must have.", show_default="any")]
RunBots = Annotated[
    bool | None,
    typer.Option(
        "--bots/--no-bots",
        help="Run bots in this service; without them, run `shedu bots`.",
        show_default="bots",
    ),
]
LogFormatOption = Annotated[
    str | None, typer.Option(help="Format of log lines: auto, console or json.", show_default="auto")
]


@app.command(
    cls=WithVariables,
    epilog="A Redis URL is one of:\n\n    redis://host:port/db   rediss://host:port/db   unix://path\n\n"
    "    redis+sentinel://host:port,host:port/service\n\n    redis+cluster://host:port\n\n"
    "Examples:\n\n    shedu serve\n\n"
    "    shedu serve --port 9000 --workers 2 --redis redis://localhost:6379/0\n\n"
    "    shedu serve --host 0.0.0.0 --identity keys --tls-cert tls.crt --tls-key tls.key",
)
def serve(
    host: Host = None,
    port: Port = None,
    grpc_port: GrpcPort = None,
    health_port: HealthPort = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    tls_client_ca: TlsClientCa = None,
    redis: RedisUrl = None,
    redis_file: RedisFile = None,
    data_dir: DataDir = None,
    fsync: FsyncOption = None,
    durability: DurabilityOption = None,
    replicas: Replicas = None,
    workers: Workers = None,
    secret_files: SecretFiles = None,
    identity: Identity = None,
    jwt_keys_file: JwtKeysFile = None,
    jwt_jwks_url: JwtJwksUrl = None,
    jwt_issuer: JwtIssuer = None,
    jwt_audience: JwtAudience = None,
    proxies: ProxyNetworks = None,
    cors_origins: CorsOrigins = None,
    archive_dir: ArchiveDir = None,
    bots: RunBots = None,
    log_format: LogFormatOption = None,
) -> None:
    """Serve games. Every option can also be set as an environment variable: SHEDU_PORT, SHEDU_REDIS, ..."""
    start_service({name: value for name, value in locals().items() if value is not None})


def start_service(given: dict[str, Any]) -> None:
    """Serves with these settings, or prints in one line what is wrong with them and exits with 2."""
    # Imported here because the server modules take long to load, and other commands do not need them.
    from gamehost import main as service
    from gamehost.commands import banner
    from gamehost.settings import Settings

    try:
        settings = service.with_free_ports(Settings(**given))
        with service.store_url(settings) as url:
            banner.show_banner(err, settings, service.check_durability(settings, url))
            service.run_service(settings, url)
    except ValidationError as error:
        fail("; ".join(map(validation_error_text, error.errors())))
    except service.CANNOT_START as error:
        fail(str(error))


@app.command(epilog="Example:\n\n    shedu titles --json")
def titles(as_json: AsJson = False) -> None:
    """List the titles that can be played."""
    if as_json:
        print(json.dumps([title_facts(rules) for rules in CATALOG.values()]))
        return
    table = Table("title", "name", "players", "description", "options")
    for rules in CATALOG.values():
        players = (
            f"{rules.seats.start}-{rules.seats.stop - 1}" if len(rules.seats) > 1 else f"{rules.seats.start}"
        )
        table.add_row(
            rules.title, rules.name, players, rules.summary, "\n".join(rules.options.__dataclass_fields__)
        )
    out.print(table)


def validation_error_text(error: Any) -> str:
    """Returns a validation error as text: the name of the setting, if it is only one, and the problem."""
    problem = str(error["msg"]).removeprefix("Value error, ")
    return ": ".join([*map(str, error["loc"][:1]), problem])


def title_facts(rules: AnyRules) -> dict[str, Any]:
    seats = [rules.seats.start, rules.seats.stop - 1]
    return {"title": rules.title, "name": rules.name, "summary": rules.summary, "seats": seats}
