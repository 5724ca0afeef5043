"""Checks that the validators find each planted bug when it is the only one."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvloop
from rich.console import Console
from rich.table import Table

from support.waiting import PATIENCE

from .environment import PROCESSES
from .history import History
from .run import Plan, Played, play
from .traffic_mix import TrafficMix
from .validators import Violation
from .verdict import HASHED, calls, replays, validate_all

MOVES, FIRST = 60, 20  # moves in a run without faults; moves before the first fault
TRIES = 5  # runs with consecutive seeds: some bugs show only if a fault comes at the right moment
AT_ONCE = 8  # runs at the same time: they mostly wait
FEW, SEEDS = 2, ("PYTHONHASHSEED=0", "PYTHONHASHSEED=1")  # games to fold again, and in which processes
HASTY = TrafficMix(grpc=4, sdk=1, rest=0, bots=0, silence=3.0, watched=1.0, clocked=0.5, looks=0.5)


@dataclass(frozen=True)
class Bug:
    """A planted bug and the violation that must be found: validator, kind, and a `word` of its text.

    Some bugs show only with several processes or during a fault. A bug in the fold of logs (`logs_of`) has no
    run of its own: it folds the logs of another bug's run, which that bug leaves intact.
    """

    plant: str
    validator: str
    kind: str
    word: str = ""
    processes: int = 1
    faults: tuple[str, ...] = ()
    topology: str = ""
    logs_of: str = ""

    def tries(self, fault: str) -> int:
        """Returns the number of runs: several where a fault must come at the right moment, otherwise one."""
        return TRIES if self.faults or fault or self.processes > 1 else 1

    def plan(self, seed: int, topology: str = "standalone", fault: str = "") -> Plan:
        """Returns the smallest run that shows the bug; a fault needs the full number of processes."""
        faults = tuple(dict.fromkeys([*self.faults, fault])) if fault else self.faults
        place, processes = self.topology or topology, PROCESSES if fault else self.processes
        return Plan(
            seed,
            faults,
            1 if faults else MOVES,
            PATIENCE,
            place,
            self.plant,
            HASTY,
            processes=processes,
            forked=True,
            first=FIRST,
            seen=self.failed,
        )

    def failed(self, history: History) -> bool:
        """Whether the expected call failure was seen, so that the run can end before it has all its moves."""
        return self.validator == "calls" and any(map(self.caused, calls(history)))

    def caused(self, found: Violation) -> bool:
        return (self.validator, self.kind) == (found.validator, found.kind) and self.word in found.text


BUGS = (
    Bug("forgets_requests", "exactly once", "duplicated", "no request asked for"),
    Bug("applies_twice", "exactly once", "duplicated", "says the same"),
    Bug("loses_moves", "nothing lost", "lost"),
    Bug("acknowledges_early", "nothing lost", "lost", faults=("service_kill",)),
    Bug("writes_otherwise", "no fork", "forked"),
    Bug("reads_stale", "linearizable", "stale read", "a look", processes=2),
    Bug("skips_events", "watchers", "gap", "was told of"),
    Bug("repeats_events", "watchers", "repeated"),
    Bug("catches_up_early", "linearizable", "stale read", "a stream"),
    Bug("shows_early", "no fork", "forked", faults=("sentinel_partition",), topology="sentinel"),
    Bug("hurries", "clocks", "hurried"),
    Bug("leaks", "secrecy", "wrong answer", "a spectator"),
    Bug("tells_all", "secrecy", "leak"),
    Bug("drains_rudely", "calls", "failed call", "this process is leaving", faults=("drain",)),
    Bug("own_secrets", "calls", "failed call", "UNAUTHENTICATED", processes=2),
    Bug(HASHED, "replay", "replay differs", logs_of="leaks"),
)


def report_detection(faults: Sequence[str], topology: str, seed: int, console: Console) -> int:
    """Plants every bug under every fault, prints a table, and returns the number of missed pairs."""
    here = [bug for bug in BUGS if bug.topology in ("", topology)]
    missed: dict[Bug, list[str]] = {bug: [] for bug in here}
    under = faults or ("",)
    for fault in under:
        for bug, found in detections(here, seed, topology, fault):
            kinds = Counter(f"{each.validator}: {each.kind}" for each in found)
            console.print(f"{fault or 'no fault'}, {bug.plant}: {dict(kinds)}")
            if not any(map(bug.caused, found)):
                missed[bug].append(fault or "no fault")
    table = Table("bug", "must be found", "was found", "MISSED UNDER", title=f"seed {seed}, {topology}")
    for bug, those in missed.items():
        caught = f"{len(under) - len(those)} of {len(under)}"
        table.add_row(bug.plant, f"{bug.validator}: {bug.kind}", caught, ", ".join(those))
    for bug in BUGS:
        if bug not in missed:
            table.add_row(bug.plant, f"{bug.validator}: {bug.kind}", f"only with {bug.topology}", "")
    console.print(table)
    return sum(map(len, missed.values()))


def detections(
    bugs: Sequence[Bug], seed: int, topology: str = "standalone", fault: str = ""
) -> Iterator[tuple[Bug, list[Violation]]]:
    """Yields each bug with the violations found while only that bug was planted."""
    with tempfile.TemporaryDirectory(prefix="shedu-robustness-") as name:
        folder = Path(name)
        plans = {
            bug: [bug.plan(seed + number, topology, fault) for number in range(bug.tries(fault))]
            for bug in bugs
            if not bug.logs_of
        }
        at_once = AT_ONCE // 2 if fault else AT_ONCE
        played = {bug.plant: last for bug, last in uvloop.run(play_all(plans, folder, at_once)).items()}
        for bug in bugs:
            yield bug, findings(played[bug.logs_of or bug.plant], folder, bug.plant)


async def play_all(plans_of: dict[Bug, list[Plan]], folder: Path, at_once: int) -> dict[Bug, Played]:
    """Plays the plans of every bug, `at_once` bugs at a time.

    Returns for each bug the first run in which it was found, or its last run.
    """
    free = asyncio.Semaphore(at_once)

    async def one(bug: Bug, plans: list[Plan]) -> Played:
        async with free:
            for plan in plans:
                played = await play(plan, folder / bug.plant)
                if any(map(bug.caused, findings(played, folder))):
                    break
            return played

    return dict(zip(plans_of, await asyncio.gather(*(one(*each) for each in plans_of.items())), strict=True))


def findings(played: Played, folder: Path, plant: str = "") -> list[Violation]:
    """Returns the violations that `judge` would report, computed in this process: the histories are short."""
    cases = [(played.history.games[log.game_id], log) for log in played.logs]
    found = validate_all(cases) + calls(played.history)
    return found + (replays(played.logs, folder, plant, FEW, SEEDS) if plant == HASHED else [])
