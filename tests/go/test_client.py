"""Tests of the Go client: runs its own tests against real servers, checks style and generated packages."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.certificates import for_clients
from support.node import generator
from support.process import ROOT, Serve, shedu

GO = ROOT / "clients" / "go"
DRIVER = ROOT / "tests" / "conformance" / "clients" / "go"
ALLOWED = {
    "google.golang.org/grpc",
    "google.golang.org/protobuf",
    "google.golang.org/genproto/googleapis/rpc",
}
# To compile all packages takes minutes on a busy machine.
BUILD_SECONDS = 1800


def go(*arguments: str, folder: Path = GO, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["go", *arguments],
        cwd=folder,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
        check=False,
    )


@pytest.fixture(scope="module")
def expiring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A service whose seat tokens are valid for two seconds."""
    with Serve(tmp_path_factory.mktemp("expiring"), SHEDU_SEAT_TOKEN_DAYS=str(2 / 86400)) as process:
        yield process


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return for_clients(tmp_path_factory.mktemp("certificates"))


def test_its_own_tests_pass_and_none_is_left_out(
    serve: Serve, expiring: Serve, certificates: Path, tmp_path: Path
) -> None:
    exported = tmp_path / "game.jsonl"
    servers = {
        "SHEDU_TEST_CERTIFICATES": str(certificates),
        "SHEDU_TEST_EXPORT": str(exported),
        "SHEDU_TEST_SERVER": serve.address,
        "SHEDU_TEST_REST": f"127.0.0.1:{serve.port}",
        "SHEDU_TEST_EXPIRING_SERVER": expiring.address,
    }

    done = go("test", "-json", "-count=1", "./...", **servers)

    rows = [json.loads(line) for line in done.stdout.splitlines()]
    printed = "".join(row.get("Output", "") for row in rows)
    assert 0 == done.returncode, printed + done.stderr
    ended = {
        row["Test"]: row["Action"] for row in rows if row["Action"] in ("pass", "skip") and "Test" in row
    }
    assert {"pass"} == set(ended.values()), ended
    assert len(ended) > 40
    verified = shedu("verify", str(exported))
    assert 0 == verified.returncode, verified.stdout + verified.stderr


@pytest.mark.parametrize("folder", [GO, DRIVER], ids=["client", "driver"])
def test_it_is_formatted_and_vetted(folder: Path) -> None:
    formatted = subprocess.run(["gofmt", "-l", "."], cwd=folder, capture_output=True, text=True, check=True)
    vetted = go("vet", "./...", folder=folder)

    assert "" == formatted.stdout
    assert 0 == vetted.returncode, vetted.stderr


def test_its_packages_are_what_the_contract_generates(tmp_path: Path) -> None:
    generate = generator()
    generate.describe_and_generate_go(tmp_path)

    assert [] == generate.stale(tmp_path, generate.GENERATED_GO), (
        "run `python3 proto` and commit what it writes"
    )


def test_it_depends_on_grpc_and_protobuf_alone() -> None:
    wanted = re.findall(r"^\t(\S+) v\S+$", (GO / "go.mod").read_text(), re.MULTILINE)

    assert ALLOWED == set(wanted)
