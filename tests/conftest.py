"""Set-up of every run: the order of tests, servers that tests share, the report, and the end of processes."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from support import descendants
from support.process import Serve
from support.servers import RedisServer, redis_server

# Seconds of slow files in a full run, as `python3 tests durations` records them.
DURATIONS = Path(__file__).with_name("durations.json")
RECORDING = "SHEDU_TEST_DURATIONS"  # the variable that asks for them
SLOW_FILE = 2.0  # seconds; faster files are not recorded
# These need the toolchain of a compiled language: run them by `python3 tests clients` or by their path.
collect_ignore = ["go", "java", "recipes", "rust"]
# Fixtures that start a process.
SERVERS = {"serve", "keyed_serve", "server", "shared_redis", "redis", "browser"}
SLOWEST = 20
DATABASES = 1000  # of the shared Redis

# Child processes inherit an ignored signal, not a handler. A shell starts background jobs with SIGINT
# ignored, but the processes that tests start must receive it. Resetting it in a forked child is not possible:
# gRPC does not survive a fork.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests start hundreds of processes that import the same sources. Without compiled files each one compiles
# them again, which doubles the time that a service needs to start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


BEFORE = pytest.StashKey[list[int]]()  # processes that existed before the run, such as those of an editor


def pytest_configure(config: pytest.Config) -> None:
    if not _is_worker(config):
        config.stash[BEFORE] = descendants.running()
        descendants.adopt()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends every service, Redis and browser that the run started, also after Ctrl-C."""
    if not _is_worker(config):
        descendants.end_all(but=config.stash[BEFORE])


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if SERVERS & {*getattr(item, "fixturenames", ())}:
            item.add_marker("server")
    durations = json.loads(DURATIONS.read_text())
    items.sort(key=lambda item: _turn(item, durations))


def _turn(item: pytest.Item, durations: Mapping[str, float]) -> tuple[bool, float]:
    """The longest files come first, so that no process is left with a long one at the end.

    Those of tests/web come before all others, because they share a browser until another folder follows.
    """
    file = item.nodeid.partition("::")[0]
    return not file.startswith("tests/web/"), -durations.get(file, 0.0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the slowest tests, fixtures included, and the seconds and number of tests of each folder."""
    tests: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                tests[report.nodeid] += report.duration
    if len(tests) <= SLOWEST:
        return
    folders: defaultdict[str, list[float]] = defaultdict(list)
    files: defaultdict[str, float] = defaultdict(float)
    for name, seconds in tests.items():
        file = name.split("::")[0]
        folders[file.rpartition("/")[0]].append(seconds)
        files[file] += seconds
    if os.environ.get(RECORDING):
        _record(files)
    terminalreporter.section(f"the slowest {SLOWEST} tests, in seconds")
    for name in sorted(tests, key=lambda name: -tests[name])[:SLOWEST]:
        terminalreporter.write_line(f"{tests[name]:8.1f}  {name}")
    terminalreporter.section("folders, in seconds of all processes together")
    for folder in sorted(folders, key=lambda folder: -sum(folders[folder])):
        each = folders[folder]
        terminalreporter.write_line(f"{sum(each):8.1f}  {folder} ({len(each)} tests)")


def _record(files: Mapping[str, float]) -> None:
    slow = {file: round(seconds) for file, seconds in sorted(files.items()) if seconds >= SLOW_FILE}
    DURATIONS.write_text(json.dumps(slow, indent=2) + "\n")


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """One service that all tests of this process share; it needs no keys, and its bots do not pause.

    A test creates its own games, and neither stops the service nor reads counters that others change.
    """
    settings = {"SHEDU_HEARTBEAT_SECONDS": "1", "SHEDU_BOT_THINK_SECONDS": "0"}
    with Serve(tmp_path_factory.mktemp("serve"), **settings) as process:
        yield process


@pytest.fixture(scope="session")
def keyed_serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """The same with `--identity keys`; `Serve.key` makes keys for it."""
    folder = tmp_path_factory.mktemp("keyed")
    settings = {"SHEDU_BOT_THINK_SECONDS": "0", "SHEDU_WRONG_TOKENS": "0"}  # all tests have one address
    with Serve(folder, "--identity", "keys", **settings) as process:
        yield process


@pytest.fixture(scope="session")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One Redis that all tests of this process share; no test stops or configures it."""
    folder = tmp_path_factory.mktemp("redis")
    with redis_server(folder, appendfsync="everysec", databases=str(DATABASES)) as server:
        yield server


@pytest.fixture(scope="session")
def _database_numbers() -> Iterator[int]:
    return iter(range(1, DATABASES))


@pytest.fixture
def redis_url(shared_redis: RedisServer, _database_numbers: Iterator[int]) -> str:
    """An empty database of the shared Redis, for one test."""
    return f"{shared_redis.url}/{next(_database_numbers)}"


@pytest.fixture(scope="module")
def module_redis_url(shared_redis: RedisServer, _database_numbers: Iterator[int]) -> str:
    """The same for all tests of a file."""
    return f"{shared_redis.url}/{next(_database_numbers)}"
