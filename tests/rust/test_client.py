"""Tests of the Rust client: runs its own tests against real servers, checks style and generated modules."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.certificates import authority
from support.node import generator
from support.process import Serve
from support.rust import DRIVER, RUST, cargo

# The gRPC library, its messages, and the runtime that it runs on.
ALLOWED = {"prost", "prost-types", "tokio", "tonic", "tonic-prost"}


@pytest.fixture(scope="module")
def expiring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A service whose seat tokens are valid for two seconds."""
    with Serve(tmp_path_factory.mktemp("expiring"), SHEDU_SEAT_TOKEN_DAYS=str(2 / 86400)) as process:
        yield process


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority, its certificates for a server and a caller, and another authority."""
    folder = tmp_path_factory.mktemp("certificates")
    known = authority(folder, "ca")
    known.issue("server")
    known.issue("caller")
    authority(folder, "other")
    return folder


def test_its_own_tests_pass_and_none_is_left_out(serve: Serve, expiring: Serve, certificates: Path) -> None:
    servers = {
        "SHEDU_TEST_CERTIFICATES": str(certificates),
        "SHEDU_SERVER_CA": str(certificates / "ca.crt"),
        "SHEDU_CLIENT_CERT": str(certificates / "caller.crt"),
        "SHEDU_CLIENT_KEY": str(certificates / "caller.key"),
        "SHEDU_TEST_SERVER": serve.address,
        "SHEDU_TEST_REST": f"127.0.0.1:{serve.port}",
        "SHEDU_TEST_EXPIRING_SERVER": expiring.address,
    }
    built = cargo("test", "--no-run")
    assert 0 == built.returncode, built.stderr

    done = cargo("test", "--", "--include-ignored", **servers)

    assert 0 == done.returncode, done.stdout + done.stderr
    assert set(re.findall(r"^test \S+ \.\.\. (\w+)", done.stdout, re.MULTILINE)) == {"ok"}, done.stdout
    assert len(re.findall(r"^test \S+ \.\.\. ok", done.stdout, re.MULTILINE)) >= 30, done.stdout


@pytest.mark.parametrize("folder", [RUST, DRIVER], ids=["client", "driver"])
def test_it_is_formatted_and_has_no_warnings(folder: Path) -> None:
    formatted = cargo("fmt", "--check", folder=folder)
    linted = cargo("clippy", "--quiet", "--all-targets", "--", "--deny", "warnings", folder=folder)

    assert 0 == formatted.returncode, formatted.stdout + formatted.stderr
    assert 0 == linted.returncode, linted.stdout + linted.stderr


def test_everything_public_is_documented() -> None:
    assert "#![deny(missing_docs)]" in (RUST / "src" / "lib.rs").read_text()
    written = [path for path in (RUST / "src").rglob("*.rs") if path.parent.name != "gen"]
    assert [] == [path.name for path in written if "allow(missing_docs" in path.read_text()]


def test_its_modules_are_what_the_contract_generates(tmp_path: Path) -> None:
    generate = generator()
    generate.describe_and_generate_rust(tmp_path)

    assert [] == generate.stale(tmp_path, generate.GENERATED_RUST), (
        "run `python3 proto` and commit what it writes"
    )


def test_it_depends_on_tonic_and_prost_alone_with_pinned_versions() -> None:
    wanted = tomllib.loads((RUST / "Cargo.toml").read_text())
    versions = {
        name: given if isinstance(given, str) else given["version"]
        for group in ("dependencies", "dev-dependencies")
        for name, given in wanted[group].items()
    }

    assert set(versions) == ALLOWED
    assert {version[0] for version in versions.values()} == {"="}
