"""Processor time of processes, as Linux counts it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


def seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def all_seconds(pids: Mapping[str, int]) -> dict[str, float]:
    return {name: seconds(pid) for name, pid in pids.items()}
