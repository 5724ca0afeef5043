"""The report of a run, as Markdown and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from .run import Result

SHOWN = 20  # violations that are listed in full
RESTARTS, KILLS = ("rolling_restart", "drain"), ("service_kill",)


class Report:
    """The report of one run or of several."""

    def __init__(self, results: Sequence[Result], command: str) -> None:
        self.results, self._command = results, command
        self.checked: Counter[str] = sum((each.verdict.checked for each in results), Counter())
        self.kinds: Counter[str] = sum((each.verdict.kinds for each in results), Counter())
        self.calls: Counter[str] = sum((each.history.calls for each in results), Counter())
        self.retries: Counter[str] = sum((each.history.retries for each in results), Counter())

    @property
    def good(self) -> bool:
        return all(result.good for result in self.results)

    def figures(self) -> dict[str, str]:
        """Returns each promise with what was checked and found."""
        count, found = self.checked, self.kinds
        otherwise = found["answered otherwise"] + found["misplaced"]
        calls = ", ".join(f"{number:,} {who}" for who, number in self.calls.items())
        return {
            "acknowledged moves": f"{count['moves']:,}: {found['lost']} lost, "
            f"{found['duplicated']} duplicated, {found['forked']} forked",
            "moves sent again once acknowledged": f"{count['repeated']:,}: {otherwise} answered otherwise",
            "looks and moves in the order of time": f"{count['looks'] + count['moves']:,}: "
            f"{found['stale read']} stale reads, {found['stale write']} stale writes",
            "watchers": f"{count['watchers']:,}, told of {count['told']:,} versions, back after "
            f"{count['resumed']:,} breaks: {found['gap']} gaps, {found['repeated']} duplicates",
            "answers compared with the rules": f"{count['looks'] + count['sightings']:,}: "
            f"{found['leak']} leaks, {found['wrong answer']} wrong",
            "games with a clock": f"{count['clocked']:,}: {found['hurried']} seats out of time too early",
            "games folded by four kinds of process": f"{count['replayed']}: "
            f"{found['replay differs']} differences",
            "planned restarts under load": self._during(RESTARTS),
            "SIGKILL of a process": self._during(KILLS),
            "calls": f"{calls}: {found['failed call']} failed ({self.retries.total():,} sent again by hand)",
        }

    def _during(self, names: Sequence[str]) -> str:
        """Counts moves and failed calls while these faults lasted, until the process was ready again."""
        those = [fault for result in self.results for fault in result.faults if fault.name in names]
        moves, failed = sum(each.moves for each in those), sum(each.failed for each in those)
        return f"{len(those)}, {moves:,} moves meanwhile: {failed} failed calls"

    def lines(self) -> Iterator[str]:
        yield f"`{self._command}`"
        yield ""
        for name, figure in self.figures().items():
            yield f"- {name}: {figure}"
        yield ""
        yield "| seed | topology | faults | moves | games | seconds | verdict |"
        yield "|---|---|---|---|---|---|---|"
        for result in self.results:
            yield self._row(result)
        yield from self._violations()

    def _row(self, result: Result) -> str:
        plan, checked = result.plan, result.verdict.checked
        faults = Counter(fault.name for fault in result.faults)
        told = ", ".join(f"{name} {number}" for name, number in sorted(faults.items()))
        verdict = "good" if result.good else f"**{', '.join(result.verdict.red)}**"
        cells = (
            plan.seed, plan.topology, told, f"{checked['moves']:,}", checked["games"],
            f"{result.seconds:.0f}", verdict,
        )  # fmt: skip
        return f"| {' | '.join(map(str, cells))} |"

    def _violations(self) -> Iterator[str]:
        for result in self.results:
            for violation in result.verdict.violations[:SHOWN]:
                yield (
                    f"- seed {result.plan.seed}, {violation.validator}: {violation.text} {violation.game_id}"
                )

    def facts(self) -> dict[str, Any]:
        return {
            "good": self.good,
            "checked": dict(self.checked),
            "found": dict(self.kinds),
            "calls": dict(self.calls),
            "runs": [
                {
                    "seed": result.plan.seed,
                    "topology": result.plan.topology,
                    "seconds": round(result.seconds, 1),
                    "checked": dict(result.verdict.checked),
                    "faults": [{"name": each.name, "note": each.note} for each in result.faults],
                    "violations": [
                        {
                            "validator": each.validator,
                            "kind": each.kind,
                            "game": each.game_id,
                            "text": each.text,
                        }
                        for each in result.verdict.violations
                    ],
                }
                for result in self.results
            ],
        }
