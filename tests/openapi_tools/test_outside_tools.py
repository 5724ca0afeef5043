"""Tests that linters find nothing in the OpenAPI document, and that generated clients play a whole game."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from api.echo import SERVICES, Echo, open_admission
from gamehost.api.openapi.document import document
from gamehost.api.pipeline.dispatch import Dispatch
from support.node import generator, install, node
from support.process import Serve
from support.waiting import PATIENCE

HERE = Path(__file__).resolve().parent
PINS = HERE / "requirements.txt"
# That rule compiles the schemas of all events anew for each example, which takes minutes. redocly checks the
# examples, too, and so does tests/api/test_openapi.py.
SPECTRAL_RULES = {"extends": ["spectral:oas"], "rules": {"oas3-valid-media-example": "off"}}
# CommonJS finds modules without extensions, as hey-api imports them.
COMPILER = {
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "target": "es2022",
    "module": "commonjs",
    "moduleResolution": "node10",
    "lib": ["es2023", "dom", "dom.iterable"],
    "types": [],
    "outDir": "out",
}


@pytest.fixture(scope="module")
def tools() -> Path:
    """The installed packages."""
    try:
        install(HERE)
    except SystemExit as failure:
        pytest.skip(f"NOT CHECKED: the OpenAPI tools cannot be installed (npm ends with {failure.code})")
    return HERE / "node_modules"


@pytest.fixture(scope="module")
def python_tools() -> Path:
    """The programs of an environment for openapi-python-client: it needs other versions than the service."""
    bootstrap = generator().bootstrap
    home = Path(sys.prefix) / "openapi-tools"
    stamp, digest = home / "installed", hashlib.sha256(PINS.read_bytes()).hexdigest()
    with bootstrap.install_lock(HERE):
        if not stamp.exists() or stamp.read_text() != digest:
            bootstrap.create_environment(home)
            command = [
                *bootstrap.pip(home / "bin" / "python"),
                "install",
                "-q",
                "--require-hashes",
                "-r",
                str(PINS),
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"NOT CHECKED: openapi-python-client cannot be installed: {done.stderr}")
            stamp.write_text(digest)
    return home / "bin"


@pytest.fixture
def folder(tools: Path, tmp_path: Path) -> Path:
    """A folder with the document and the packages."""
    found = document(Dispatch([Echo()], SERVICES, open_admission()))
    (tmp_path / "openapi.json").write_text(json.dumps(found))
    (tmp_path / "node_modules").symlink_to(tools)
    return tmp_path


def test_redocly_finds_nothing(tools: Path, folder: Path) -> None:
    script = str(tools / "@redocly" / "cli" / "bin" / "cli.js")

    done = node(
        script,
        "lint",
        str(folder / "openapi.json"),
        "--format=json",
        REDOCLY_TELEMETRY="off",
        REDOCLY_SUPPRESS_UPDATE_NOTICE="true",
    )

    found = json.loads(done.stdout)
    assert [] == [(each["ruleId"], each["message"]) for each in found["problems"]]
    assert {"errors": 0, "warnings": 0, "ignored": 0} == found["totals"]


def test_spectral_finds_nothing(tools: Path, folder: Path) -> None:
    script = str(tools / "@stoplight" / "spectral-cli" / "dist" / "index.js")
    (folder / "rules.json").write_text(json.dumps(SPECTRAL_RULES))

    done = node(
        script, "lint", str(folder / "openapi.json"), "-r", str(folder / "rules.json"), "--format=json"
    )

    assert (0, []) == (done.returncode, json.JSONDecoder().raw_decode(done.stdout)[0]), done.stderr


def test_a_client_of_openapi_typescript_plays_a_game(serve: Serve, tools: Path, folder: Path) -> None:
    script = str(tools / "openapi-typescript" / "bin" / "cli.js")

    made = node(script, str(folder / "openapi.json"), "-o", str(folder / "schema.ts"))

    assert 0 == made.returncode, made.stdout + made.stderr
    assert_plays(serve, tools, folder, "openapi_typescript_game")


def test_a_client_of_hey_api_plays_a_game(serve: Serve, tools: Path, folder: Path) -> None:
    script = str(tools / "@hey-api" / "openapi-ts" / "bin" / "run.js")

    made = node(script, "-i", str(folder / "openapi.json"), "-o", str(folder / "generated"), "--no-log-file")

    assert 0 == made.returncode, made.stdout + made.stderr
    assert_plays(serve, tools, folder, "hey_api_game")


def test_a_client_of_openapi_python_client_plays_a_game(
    serve: Serve, python_tools: Path, folder: Path
) -> None:
    generate = [
        str(python_tools / "openapi-python-client"),
        "generate",
        "--meta",
        "none",
        "--fail-on-warning",
    ]
    files = ["--path", str(folder / "openapi.json"), "--output-path", str(folder / "generated")]
    shutil.copy(HERE / "openapi_python_client_game.py", folder / "game.py")

    made = run(python_tools, *generate, *files)
    done = run(python_tools, str(python_tools / "python"), str(folder / "game.py"), SHEDU=serve.url)

    assert 0 == made.returncode, made.stdout + made.stderr
    assert ([3, 2], "") == (json.loads(done.stdout or "null"), done.stderr)


def run(tools: Path, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs a program with those of the tools on the PATH, where the generator looks for its formatter."""
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        env={**os.environ, "PATH": path, **settings},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def assert_plays(serve: Serve, tools: Path, folder: Path, program: str) -> None:
    """Compiles the program with all checks and lets it play; three rounds are scored for two seats."""
    shutil.copy(HERE / f"{program}.ts", folder)
    project = {"compilerOptions": COMPILER, "files": [f"{program}.ts"]}
    (folder / "tsconfig.json").write_text(json.dumps(project))

    compiled = node(str(tools / "typescript" / "bin" / "tsc"), "-p", str(folder))
    done = node(str(folder / "out" / f"{program}.js"), SHEDU=serve.url)

    assert (0, "") == (compiled.returncode, compiled.stdout)
    assert ([3, 2], "") == (json.loads(done.stdout or "null"), done.stderr)
