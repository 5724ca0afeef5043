"""Runs the checks of the project, and installs what they need first.

python3 tests                       everything: 10 to 12 minutes on two cores
python3 tests quick                 what to run after every edit: at most 90 seconds
python3 tests -k tides -x           any arguments for pytest: one process, only these tests
python3 tests tests/rules           one folder; a file or file::test works too
python3 tests topologies            every test of Sentinel, Cluster and replicas, in its full length
python3 tests rehearsal             the rollout of the Kubernetes manifests under traffic, in its full length
python3 tests web                   whole games in the browser by pointing and by keys, on three screens
python3 tests robustness --help     traffic with injected faults, from a seed: see tests/robustness/README.md
python3 tests fuzz --help           requests at and beyond the limits of the contract, from a seed
python3 tests clients [--all]       the clients of all languages whose toolchains are here: scenarios, bots
python3 tests recipes               the recipes of clients/README.md for languages without a client: compilers
python3 tests packages [--all]      builds, checks, installs and tries the packages of all languages
python3 tests examples              records the examples of the OpenAPI document anew
python3 tests record high_card      records the games that tests/titles/high_card/recorded.py asks for
python3 tests durations             everything but the static checks; records how long each file takes, by
                                    which a full run orders them
python3 tests bench [name ...]      a benchmark of tests/bench; without a name, their list

everything   ruff, mypy, import contracts, and all tests in several processes. It starts real services,
             Redis servers and browsers, and ends with the slowest tests and the seconds of each folder.
quick        ruff, mypy, import contracts, all rules by id, the laws with a small budget, codec, recorded
             games, use cases on the memory store and handlers in process. It starts no service, no Redis
             and no browser.

tests/README.md says which folder protects which promise, and how to add a test. Ctrl-C ends a run within
seconds, with everything that it started.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "service"))

import bootstrap  # noqa: E402
import programs  # type: ignore[import-not-found]  # noqa: E402
from support import descendants  # type: ignore[import-not-found]  # noqa: E402

BENCHMARKS = ROOT / "tests" / "bench"
# The programs that a benchmark needs; those that are not listed need redis-server.
BENCH_PROGRAMS = {"arena": (), "highlight": ("chromium",), "seen": ("chromium",), "learning": (), "rules": ()}
SCRIPTS = [
    "service/bootstrap.py",
    "service/freeze.py",
    "service/__main__.py",
    "proto/generate.py",
    "proto/generate_go.py",
    "proto/generate_rust.py",
    "clients/python/verify_luck.py",
    "k8s/image/sbom.py",
    "clients/web/__main__.py",
    "clients/web/lighthouse.py",
    "clients/web/screenshots.py",
    "clients/web/tasks.py",
    "clients/web/texts.py",
    *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("clients/web/src/titles/*/composed_ids.py"))),
    "proto/__main__.py",
    "tests/__main__.py",
    "tests/programs.py",
]
CORES = os.cpu_count() or 1
QUICK = (
    "tests/test_repository.py",
    "tests/test_map.py",
    *(f"tests/{name}" for name in ("rules", "titles", "codec", "golden", "play", "api")),
)
# Tests of services wait for half of their time, so there are twice as many processes as cores. The tests of a
# file stay in one process, so that their fixtures are made once.
PARALLEL = ("-n", str(min(6, 2 * CORES)), "--dist", "loadfile", "--no-loadscope-reorder", "-rs")
FULL = {
    "topologies": "tests/topologies",
    "rehearsal": "tests/k8s/test_rehearsal.py",
    "web": "tests/web/test_whole_games.py",
}
MODULES = {
    "clients": "conformance",
    "examples": "openapi_tools.record_examples",
    "fuzz": "fuzz",
    "packages": "packages",
    "record": "golden.record",
    "robustness": "robustness",
}
OFFLINE = ("examples", "record")  # modules that need no other program
LEAVING = 5.0  # seconds that checks have to end after Ctrl-C
INTERRUPTED = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Check:
    """A command that runs beside others; its output is shown when it has ended."""

    name: str
    command: list[str]
    settings: dict[str, str] = field(default_factory=dict)

    def start(self, output: IO[bytes] | None = None) -> Running:
        began = time.monotonic()
        return Running(self.name, _popen(self.command, output, self.settings), output, began)


@dataclass
class Running:
    name: str
    process: subprocess.Popen[bytes]
    output: IO[bytes] | None
    began: float
    seconds: float = 0.0

    def ended(self) -> bool:
        """Whether the command has ended; records its seconds as soon as it has."""
        if self.process.poll() is not None and not self.seconds:
            self.seconds = time.monotonic() - self.began
        return self.process.returncode is not None

    def show(self) -> None:
        if self.output is not None:
            self.output.seek(0)
            print(f"\n== {self.name}\n{self.output.read().decode(errors='replace').rstrip()}", flush=True)


# They share a cache, so one runs after the other, in one shell command.
TYPES = "mypy && mypy " + " ".join(SCRIPTS)
STATIC = (
    Check("ruff check", ["ruff", "check", "--output-format", "concise", "."]),
    Check("ruff format", ["ruff", "format", "--check", "--output-format", "concise", "."]),
    Check("mypy", ["sh", "-c", TYPES]),
    Check("imports", ["lint-imports", "--no-logo"]),
)


def main(arguments: list[str]) -> int:
    name, *rest = arguments or ["everything"]
    if name in ("-h", "--help"):
        print(__doc__)
        return 0
    # Also SIGINT, which a background process ignores by default.
    for number in SIGNALS:
        signal.signal(number, _interrupt)
    descendants.adopt()
    try:
        return run(name, rest)
    except KeyboardInterrupt:
        print("\nInterrupted.", file=sys.stderr, flush=True)
        return INTERRUPTED
    finally:
        # Another Ctrl-C must not leave processes running.
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        descendants.end_all()


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def run(name: str, arguments: list[str]) -> int:
    bootstrap.ensure_environment("test")
    if name == "bench":
        return bench(*arguments)
    if name == "quick":
        return quick(*arguments)
    if name in OFFLINE:
        return module(name, *arguments)
    programs.install()
    if name == "everything":
        return everything()
    if name == "durations":
        return call(["pytest", *PARALLEL], SHEDU_TEST_DURATIONS="1")
    if name in MODULES:
        return module(name, *arguments)
    if name == "recipes":
        programs.install_for_recipes()
        return call(["pytest", "-rs", "tests/recipes", *arguments])
    if name in FULL:
        return call(["pytest", FULL[name], *arguments], SHEDU_TEST_FULL="1")
    return call(["pytest", name, *arguments])


def everything() -> int:
    return side_by_side(STATIC, Check("pytest", ["pytest", *PARALLEL]))


def quick(*arguments: str) -> int:
    parallel = ["-n", str(CORES), "--dist", "loadfile", "--no-loadscope-reorder", "-m", "not server"]
    tests = Check("pytest", ["pytest", *QUICK, *parallel, *arguments], {"SHEDU_TEST_BUDGET": "small"})
    return side_by_side(STATIC, tests)


def side_by_side(others: Iterable[Check], foreground: Check) -> int:
    """Runs all at once. The output of the others is shown when the foreground has ended."""
    with ExitStack() as stack:
        running = [check.start(stack.enter_context(tempfile.TemporaryFile())) for check in others]
        names = ", ".join(each.name for each in running)
        print(f"== {foreground.name}; beside it {names}", flush=True)
        running.append(foreground.start())
        wait(running)
        for each in running:
            each.show()
    print("\n== summary", flush=True)
    for each in running:
        print(f"{'failed' if each.process.returncode else 'ok':8}{each.seconds:7.1f} s  {each.name}")
    return int(any(each.process.returncode for each in running))


def call(command: list[str], **settings: str) -> int:
    running = Check(command[0], command, settings).start()
    wait([running])
    return running.process.returncode


def wait(running: list[Running]) -> None:
    """Waits until all have ended. After Ctrl-C they have some seconds to end, then they are killed."""
    try:
        while unfinished(running):
            time.sleep(0.05)
    except KeyboardInterrupt:
        deadline = time.monotonic() + LEAVING
        for each in running:
            each.process.send_signal(signal.SIGINT)
        while time.monotonic() < deadline and unfinished(running):
            time.sleep(0.05)
        for each in unfinished(running):
            each.process.kill()
        raise


def unfinished(running: list[Running]) -> list[Running]:
    return [each for each in running if not each.ended()]


def _popen(command: list[str], output: IO[bytes] | None, settings: dict[str, str]) -> subprocess.Popen[bytes]:
    path = f"{bootstrap.BIN}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    environment = {**os.environ, "PATH": path, **settings}
    # The tests start hundreds of processes, each of which would compile the sources again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)


def bench(name: str = "", *arguments: str) -> int:
    scripts = {path.stem.removeprefix("bench_"): path for path in sorted(BENCHMARKS.glob("bench_*.py"))}
    if name not in scripts:
        print("Benchmarks:", *scripts, sep="\n  ")
        return int(bool(name))
    programs.require(*BENCH_PROGRAMS.get(name, ("redis-server",)))
    return call(["python", str(scripts[name]), *arguments], PYTHONPATH=str(ROOT / "tests"))


def module(name: str, *arguments: str) -> int:
    if name not in OFFLINE:
        programs.require("redis-server")
    libraries = (str(ROOT / part) for part in ("service", "clients/python", "tests"))
    return call(["python", "-m", MODULES[name], *arguments], PYTHONPATH=os.pathsep.join(libraries))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
