"""A short run with the faults that matter most, one with two primaries, and bugs that must be noticed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from support.waiting import PATIENCE

from .__main__ import app
from .bug_detection import BUGS, MOVES, Bug, detections, findings
from .planted_bugs import PLANTS
from .report import Report
from .run import Plan, play, run
from .traffic_mix import TrafficMix
from .validators import Violation

FAULTS = ("service_kill", "drain", "redis_kill", "dropped_reply", "service_pause")
SEED = 2  # of the runs with a planted bug
# A bug that needs a failover at the right moment is found in one run of three. `--prove` covers it, and
# tests/topologies/test_replicas.py tests the same without chance.
CERTAIN = [bug for bug in BUGS if bug.topology != "sentinel"]
MIX = TrafficMix(grpc=6, sdk=4, rest=1, bots=1, silence=PATIENCE)
REPLAYED = 6


async def test_nothing_is_lost_doubled_forked_or_told_while_things_break(tmp_path: Path) -> None:
    plan = Plan(seed=1, faults=FAULTS, moves=300, mix=MIX, forked=True, replayed=REPLAYED)

    result = await run(plan, tmp_path / "world")

    report = "\n".join(Report([result], "seed 1").lines())
    print(report)
    assert [] == result.verdict.violations, report
    assert set(FAULTS) == {fault.name for fault in result.faults}
    assert result.verdict.checked["moves"] >= 300
    assert result.verdict.checked["resumed"], "no stream had to be taken up again"


async def test_nobody_saw_what_a_primary_without_its_replicas_loses(tmp_path: Path) -> None:
    """Plays the run in which the planted bug `shows_early` is found, without the bug."""
    (bug,) = (bug for bug in BUGS if "sentinel_partition" in bug.faults)
    plan = bug.plan(SEED)
    plan = replace(plan, plant="", moves=MOVES, mix=replace(plan.mix, silence=PATIENCE))

    played = await play(plan, tmp_path / "world")

    assert [] == findings(played, tmp_path)
    assert {"sentinel_partition"} == {fault.name for fault in played.faults}
    assert played.history.moves >= plan.moves


@pytest.fixture(scope="module")
def found() -> dict[str, list[Violation]]:
    return {bug.plant: violations for bug, violations in detections(CERTAIN, SEED)}


@pytest.mark.parametrize("bug", CERTAIN, ids=[bug.plant for bug in CERTAIN])
def test_a_planted_bug_alone_leads_to_its_finding(bug: Bug, found: dict[str, list[Violation]]) -> None:
    assert any(map(bug.caused, found[bug.plant])), found[bug.plant]


def test_every_bug_that_can_be_planted_has_its_finding() -> None:
    assert list(PLANTS) == [bug.plant for bug in BUGS]


def test_a_fault_that_nobody_knows_is_refused() -> None:
    said = CliRunner().invoke(app, ["--faults", "earthquake"])

    assert 2 == said.exit_code
    assert "earthquake is not one of service_kill" in " ".join(said.stderr.split())
