"""`python3 tests fuzz`: sends requests at and beyond the limits of the contract, and prints a report."""

from __future__ import annotations

import secrets
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
import uvloop
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from support.process import Serve

from .run import Findings, Plan, Target, run

err = Console(stderr=True)
app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
# All requests come from one address.
UNLIMITED = {
    f"SHEDU_{name}": "0"
    for name in ("CALLS_PER_SECOND", "CONNECTION_CALLS_PER_SECOND", "CREATES_PER_MINUTE", "OPEN_GAMES")
}
UNLIMITED |= {f"SHEDU_{name}": "0" for name in ("STREAMS_PER_CALLER", "WRONG_TOKENS", "BOT_THINK_SECONDS")}
IDENTITIES = ("open", "keys")


@app.command(
    epilog="Examples:\n\n    python3 tests fuzz --requests 50000 --seed 1\n\n"
    "    python3 tests fuzz --identity keys --seed 7"
)
def main(
    requests: Annotated[int, typer.Option(min=1, help="Number of requests, over all transports.")] = 10_000,
    seed: Annotated[int | None, typer.Option(help="Seed of the random requests; random if omitted.")] = None,
    identity: Annotated[
        str, typer.Option(help=f"Identity mode of the service: {' or '.join(IDENTITIES)}.")
    ] = "open",
) -> None:
    """Sends requests for every rpc, made from the descriptors, over gRPC, Connect, gRPC-Web and REST.

    Exits with 1 if an answer is INTERNAL, UNKNOWN, DATA_LOSS or HTTP 500, or if the log has a traceback.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that child processes are ended
    if identity not in IDENTITIES:
        raise typer.BadParameter(f"{identity} is not one of {', '.join(IDENTITIES)}")
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="shedu-fuzz-") as folder:
        found = fuzzed(Path(folder), seed, requests, identity)
    print("\n".join(found.lines()))
    verdict = "all good" if found.good else f"{len(found.bad)} bad answers, {len(found.traces)} tracebacks"
    print(f"seed {seed}: {requests:,} requests in {time.monotonic() - began:.0f} s, {verdict}")
    sys.exit(not found.good)


def fuzzed(folder: Path, seed: int, requests: int, identity: str) -> Findings:
    with bar() as shown, Serve(folder, "--identity", identity, **UNLIMITED) as serve:
        task = shown.add_task(f"seed {seed}", total=requests)
        tokens = (serve.key("ann"), serve.key("bob")) if identity == "keys" else ()
        target = Target(serve.url, serve.address, serve.log)
        plan = Plan(seed, requests, tokens)
        return uvloop.run(run(plan, target, lambda done: shown.update(task, completed=done)))


def bar() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    return Progress(*columns, console=err, disable=not sys.stderr.isatty())


if __name__ == "__main__":
    app()
