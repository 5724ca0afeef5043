"""Every validator must notice its bug, whichever fault goes on."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import uvloop
from rich.console import Console
from rich.table import Table

from .crowd import Mix
from .judging import ALL
from .run import Plan, Result, run

# Together these are what every validator looks for; each comes up now and then.
BUGS = (
    "forgets_requests,loses_moves,writes_otherwise,reads_stale,skips_events,repeats_events,leaks,hash_order"
)
SECONDS = 12.0
HASTY = Mix(grpc=8, sdk=4, rest=1, bots=1, last_word=5.0)


def prove(faults: Sequence[str], topology: str, seed: int, console: Console) -> int:
    """The number of pairs of a fault and a validator that stayed green."""
    table = Table("fault", *ALL, title=f"bugs planted: {BUGS}")
    green = 0
    for number, fault in enumerate(faults or ("",)):
        result = proof((fault,) if fault else (), topology, seed + number)
        red = [name in result.verdict.red for name in ALL]
        green += red.count(False)
        table.add_row(fault or "none", *("red" if each else "[bold]GREEN[/]" for each in red))
        console.print(f"{fault or 'no fault'}: {dict(result.verdict.kinds)}")
    console.print(table)
    return green


def proof(faults: tuple[str, ...], topology: str, seed: int) -> Result:
    plan = Plan(seed, faults, seconds=SECONDS, topology=topology, plant=BUGS, mix=HASTY)
    with tempfile.TemporaryDirectory(prefix="shedu-robustness-") as folder:
        return uvloop.run(run(plan, Path(folder) / "world"))
