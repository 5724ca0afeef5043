"""`python3 tests`: sets up if need be, then runs every check and ends with a summary.

python3 tests                     everything
python3 tests -k tides -x         any arguments for pytest: only pytest
python3 tests bench [name ...]    a benchmark of tests/bench; without a name, their list
python3 tests robustness --help   traffic while things break, by a seed: see tests/robustness/README.md
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "service"))

import bootstrap  # noqa: E402
import programs  # type: ignore[import-not-found]  # noqa: E402

BENCHMARKS = ROOT / "tests" / "bench"
SCRIPTS = [
    "service/bootstrap.py",
    "service/__main__.py",
    "proto/generate.py",
    "clients/python/verify_luck.py",
    "clients/web/__main__.py",
    "clients/web/screenshots.py",
    "clients/web/tasks.py",
    "clients/web/texts.py",
    "proto/__main__.py",
    "tests/__main__.py",
    "tests/programs.py",
]
# A file's tests stay in one process, so that servers shared by them start once. Tests of services wait more
# than they work, so there is a process more than there are cores.
PROCESSES = str(min(4, 1 + (os.cpu_count() or 1)))
PARALLEL = ["-n", PROCESSES, "--dist", "loadfile", "--no-loadscope-reorder", "-rs"]
STEPS: dict[str, list[str]] = {
    "ruff check": ["ruff", "check", "--output-format", "concise", "."],
    "ruff format": ["ruff", "format", "--check", "--output-format", "concise", "."],
    "mypy": ["mypy"],
    "mypy of the scripts": ["mypy", *SCRIPTS],
    "imports": ["lint-imports", "--no-logo"],
    "pytest": ["pytest", *PARALLEL],
}


def main(arguments: list[str]) -> int:
    bootstrap.ready("test")
    if arguments[:1] == ["bench"]:
        return bench(*arguments[1:])
    programs.install()
    if arguments[:1] == ["robustness"]:
        return robustness(*arguments[1:])
    if arguments:
        return run(["pytest", *arguments])
    return everything()


def everything() -> int:
    results = [(name, *timed(name, command)) for name, command in STEPS.items()]
    print("\n== summary", flush=True)
    for name, code, seconds in results:
        print(f"{'failed' if code else 'ok':8}{seconds:7.1f} s  {name}")
    return int(any(code for _, code, _ in results))


def timed(name: str, command: list[str]) -> tuple[int, float]:
    print(f"\n== {name}", flush=True)
    start = time.monotonic()
    return run(command), time.monotonic() - start


def run(command: list[str], **settings: str) -> int:
    path = f"{bootstrap.BIN}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    environment = {**os.environ, "PATH": path, **settings}
    return subprocess.run([bootstrap.BIN / command[0], *command[1:]], cwd=ROOT, env=environment).returncode


def bench(name: str = "", *arguments: str) -> int:
    scripts = {path.stem.removeprefix("bench_"): path for path in sorted(BENCHMARKS.glob("bench_*.py"))}
    if name in scripts:
        return run(["python", str(scripts[name]), *arguments], PYTHONPATH=str(ROOT / "tests"))
    print("Benchmarks:", *scripts, sep="\n  ")
    return int(bool(name))


def robustness(*arguments: str) -> int:
    libraries = (str(ROOT / part) for part in ("service", "clients/python", "tests"))
    return run(["python", "-m", "robustness", *arguments], PYTHONPATH=os.pathsep.join(libraries))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
