"""The client languages that `python3 tests clients` checks. A language is one entry of LANGUAGES.

Commands are tuples of words with the placeholders {built} (the folder that `build` filled), {address}
(host:port of gRPC), {url} (http://host:port of Connect and REST) and {scenarios} (the file of scenarios).
Their environment has SHEDU_SERVER ({address}) and SHEDU_URL ({url}); that of the bot also SHEDU_TOKEN and
SHEDU_GAMES. The bot has only {built}: it finds its server in the environment.

The driver of the scenarios prints a line as soon as a scenario has ended: a JSON object with the name of the
scenario and the list of the results or failures of its steps, as `conformance/clients/run.mjs` does.

The example bot plays every game that it is invited to (its inbox names them), answers each decision with the
action at index len(actions) // 2, and ends after SHEDU_GAMES games. The last line that it prints is a JSON
report like that of `shedu.reporting.Report`: games, wins, decisions, failures, late, lost, and waiting_ms,
thinking_ms, answering_ms, each with p50 and p99. The server is killed twice while it plays.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from support import java, rust
from support.node import generator
from support.process import ROOT, environment
from support.typescript import compiled_client

CLIENTS = ROOT / "clients"
DRIVERS = ROOT / "tests" / "conformance" / "clients"


def nothing_to_build(_folder: Path) -> None: ...


@dataclass(frozen=True, slots=True)
class Language:
    """`programs` must be on the PATH. `tests` are files and folders of pytest that need these programs, too;
    the everyday suite leaves them out."""

    name: str
    scenarios: tuple[str, ...]
    bot: tuple[str, ...]
    example: Path
    programs: tuple[str, ...] = ()
    build: Callable[[Path], None] = nothing_to_build
    environment: Callable[[], dict[str, str]] = environment
    tests: tuple[str, ...] = ()

    @property
    def missing(self) -> list[str]:
        """Returns the programs that this machine does not have."""
        return [name for name in self.programs if not shutil.which(name, path=self.environment()["PATH"])]


def run(*command: str, cwd: Path, environment: dict[str, str] | None = None) -> None:
    """Runs a step of a build; shows its output only if it fails."""
    done = subprocess.run(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        raise BuildFailed(f"{' '.join(command)}\n{done.stdout}")


class BuildFailed(Exception):
    """The message has the command and what it printed."""


def build_typescript(folder: Path) -> None:
    compiled_client(folder)
    shutil.copyfile(CLIENTS / "typescript" / "examples" / "bot.mjs", folder / "bot.mjs")


def build_go(folder: Path) -> None:
    """Builds the bot and the driver; a second build is fast, because Go caches what it compiled."""
    run("go", "build", "-o", str(folder / "bot"), "./examples/bot", cwd=CLIENTS / "go")
    run("go", "build", "-o", str(folder / "driver"), ".", cwd=DRIVERS / "go")


def build_java(folder: Path) -> None:
    sources = DRIVERS / "java" / "Scenarios.java", CLIENTS / "java" / "examples" / "MiddleBot.java"
    try:
        classes = java.compile_program(folder, *sources)
    except java.BuildFailed as failed:
        raise BuildFailed(str(failed)) from failed
    (folder / "options").write_text(f'-cp "{classes}"\n')


def build_rust(folder: Path) -> None:
    """Builds the bot and the driver. Libraries are compiled once for all tests."""
    try:
        rust.build("--example", "bot", folder=rust.RUST)
        rust.build(folder=rust.DRIVER)
    except rust.BuildFailed as failed:
        raise BuildFailed(str(failed)) from failed
    shutil.copy(rust.PROGRAMS / "examples" / "bot", folder / "bot")
    shutil.copy(rust.PROGRAMS / "shedu-scenarios", folder / "driver")


PYTHON = Language(
    name="python",
    scenarios=(sys.executable, str(DRIVERS / "run.py"), "{address}"),
    bot=(sys.executable, str(CLIENTS / "python" / "examples" / "bot.py")),
    example=CLIENTS / "python" / "examples" / "bot.py",
)
TYPESCRIPT = Language(
    name="typescript",
    scenarios=(
        "node",
        str(DRIVERS / "run.mjs"),
        "{built}/node_modules/@shedu/client/dist/index.js",
        "{url}",
        "{scenarios}",
    ),
    bot=("node", "{built}/bot.mjs"),
    example=CLIENTS / "typescript" / "examples" / "bot.mjs",
    programs=("node",),
    build=build_typescript,
    environment=lambda: generator().node(),
)
GO = Language(
    name="go",
    scenarios=("{built}/driver", "{address}", "{scenarios}"),
    bot=("{built}/bot",),
    example=CLIENTS / "go" / "examples" / "bot" / "main.go",
    programs=("go",),
    build=build_go,
    tests=("tests/go",),
)
JAVA = Language(
    name="java",
    scenarios=("java", "@{built}/options", "Scenarios", "{address}", "{scenarios}"),
    bot=("java", "@{built}/options", "MiddleBot"),
    example=CLIENTS / "java" / "examples" / "MiddleBot.java",
    programs=("java", "javac", "mvn"),
    build=build_java,
    tests=("tests/java",),
)
RUST = Language(
    name="rust",
    scenarios=("{built}/driver", "{address}", "{scenarios}"),
    bot=("{built}/bot",),
    example=CLIENTS / "rust" / "examples" / "bot.rs",
    programs=("cargo", "rustc"),
    build=build_rust,
    tests=("tests/rust",),
)
LANGUAGES: tuple[Language, ...] = (PYTHON, TYPESCRIPT, GO, JAVA, RUST)
