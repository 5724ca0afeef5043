"""A short run with the faults that matter most, and one with bugs that must be noticed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .crowd import Mix
from .judging import ALL
from .proving import BUGS, HASTY
from .report import Report
from .run import Plan, run
from .services import PYTHONPATH

FAULTS = ("service_kill", "drain", "redis_kill", "dropped_reply", "service_pause")
MIX = Mix(grpc=6, sdk=4, rest=1, bots=1)


async def test_nothing_is_lost_doubled_forked_or_told_while_things_break(tmp_path: Path) -> None:
    plan = Plan(seed=1, faults=FAULTS, moves=300, mix=MIX)

    result = await run(plan, tmp_path / "world")

    report = "\n".join(Report([result], "seed 1").lines())
    print(report)
    assert [] == result.verdict.violations, report
    assert set(FAULTS) == {fault.name for fault in result.faults}
    assert result.verdict.checked["moves"] >= 300
    assert result.verdict.checked["resumed"], "no stream had to be taken up again"


async def test_every_validator_notices_its_bug_on_a_real_service(tmp_path: Path) -> None:
    plan = Plan(seed=2, faults=("service_kill",), seconds=8, plant=BUGS, mix=HASTY)

    result = await run(plan, tmp_path / "world")

    assert sorted(ALL) == result.verdict.red


def test_a_fault_that_nobody_knows_is_refused() -> None:
    command = [sys.executable, "-m", "robustness", "--faults", "earthquake"]

    said = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": PYTHONPATH}, capture_output=True, text=True, check=False
    )

    assert 2 == said.returncode
    assert "earthquake is not one of service_kill" in " ".join(said.stderr.split())
