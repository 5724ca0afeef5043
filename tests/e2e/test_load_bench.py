"""The load benchmark runs, and writes its page."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from bench.load import page
from support.process import ROOT
from support.waiting import PATIENCE


def bench_load(*arguments: str) -> str:
    path = os.pathsep.join(str(ROOT / part) for part in ("service", "clients/python", "tests"))
    command = [sys.executable, str(ROOT / "tests/bench/bench_load.py"), *arguments]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=2 * PATIENCE
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout


def test_a_smoke_run_measures_everything_and_fills_the_page(tmp_path):
    sheet = tmp_path / "page.md"
    begin, end = page.marks("load")
    sheet.write_text(f"before\n{begin}\nyesterday\n{end}\nafter\n")

    told = json.loads(bench_load("--smoke", "--json", "--page", str(sheet)))

    (rate,), (growth,), (title,), (watchers,) = (
        told[part] for part in ("rates", "growth", "titles", "watchers")
    )
    moves = [rate["best"]["moves"], growth["moves"], title["moves"], watchers["moves"]]
    assert all(moves), moves
    assert 0 < rate["best"]["p50_ms"] <= rate["best"]["p99_ms"] <= rate["best"]["p99.9_ms"]
    assert min(rate["best"]["us_per_move"].values()) >= 0
    assert 28 == title["moves_of_a_game"]
    assert 0 < title["bytes_new"] < title["bytes_finished"]
    assert watchers["moves"] <= watchers["heard"]
    text = sheet.read_text()
    assert text.startswith(f"before\n{begin}\nMeasured ")
    assert text.endswith(f"{end}\nafter\n")
    assert "yesterday" not in text
    assert "**Example:**" in text


def test_a_page_without_marks_is_left_alone():
    with pytest.raises(ValueError, match="load: begin"):
        page.rewritten("no marks here", "figures")
