"""Each planted bug, alone, must lead to the finding that it stands for."""

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
from .traffic_mix import Mix
from .validators import Violation
from .verdict import HASHED, calls, replays, validate_all

MOVES, FIRST = 60, 20  # moves, where nothing fails; before something fails, after which some never move again
TRIES = 5  # worlds, with one seed after the other: some bugs show only if something fails at the right moment
AT_ONCE = 8  # worlds: what they do most is wait
FEW, SEEDS = 2, ("PYTHONHASHSEED=0", "PYTHONHASHSEED=1")  # games to fold again, and by whom
HASTY = Mix(grpc=4, sdk=1, rest=0, bots=0, silence=3.0, watched=1.0, clocked=0.5, looks=0.5)


@dataclass(frozen=True)
class Bug:
    """It must lead to a validator's finding of that kind, with a `word` in it where the kind says little.

    It may show only where there are several processes, or while something fails. One that is planted into the
    fold of logs has no world: it takes those of another bug, which leaves them as they should be.
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
        """What needs a fault at the right moment gets several worlds; all else must show in the first."""
        return TRIES if self.faults or fault or self.processes > 1 else 1

    def plan(self, seed: int, topology: str = "standalone", fault: str = "") -> Plan:
        """As little as shows it; under a fault, as much as that may need."""
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
        """Whether a call failed as it should: those who fail make few moves, and need not make more."""
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


def prove(faults: Sequence[str], topology: str, seed: int, console: Console) -> int:
    """Every bug under every fault; the number of pairs in which it was not noticed."""
    here = [bug for bug in BUGS if bug.topology in ("", topology)]
    missed: dict[Bug, list[str]] = {bug: [] for bug in here}
    under = faults or ("",)
    for fault in under:
        for bug, found in proofs(here, seed, topology, fault):
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


def proofs(
    bugs: Sequence[Bug], seed: int, topology: str = "standalone", fault: str = ""
) -> Iterator[tuple[Bug, list[Violation]]]:
    """What was found of each, alone in a world of its own."""
    with tempfile.TemporaryDirectory(prefix="shedu-robustness-") as name:
        folder = Path(name)
        worlds = {
            bug: [bug.plan(seed + number, topology, fault) for number in range(bug.tries(fault))]
            for bug in bugs
            if not bug.logs_of
        }
        at_once = AT_ONCE // 2 if fault else AT_ONCE
        played = {bug.plant: last for bug, last in uvloop.run(all_played(worlds, folder, at_once)).items()}
        for bug in bugs:
            yield bug, findings(played[bug.logs_of or bug.plant], folder, bug.plant)


async def all_played(worlds: dict[Bug, list[Plan]], folder: Path, at_once: int) -> dict[Bug, Played]:
    """Of each the first world in which it is found, or the last; as soon as one is over, the next begins."""
    free = asyncio.Semaphore(at_once)

    async def one(bug: Bug, plans: list[Plan]) -> Played:
        async with free:
            for plan in plans:
                played = await play(plan, folder / bug.plant)
                if any(map(bug.caused, findings(played, folder))):
                    break
            return played

    return dict(zip(worlds, await asyncio.gather(*(one(*each) for each in worlds.items())), strict=True))


def findings(played: Played, folder: Path, plant: str = "") -> list[Violation]:
    """As `judge` comes to them, in this process: the histories are short."""
    cases = [(played.history.games[log.game_id], log) for log in played.logs]
    found = validate_all(cases) + calls(played.history)
    return found + (replays(played.logs, folder, plant, FEW, SEEDS) if plant == HASHED else [])
