"""Tests of the Java client: runs its own tests against real servers, and checks its dependencies."""

from __future__ import annotations

import os
import subprocess
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.certificates import for_clients
from support.java import JAVA, build_folder
from support.process import Serve
from support.waiting import PATIENCE

POM = {"pom": "http://maven.apache.org/POM/4.0.0"}
ALLOWED = {"io.grpc", "com.google.protobuf"}
REPORTS = JAVA / "target" / "surefire-reports"


@pytest.fixture(scope="module")
def expiring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A service whose seat tokens are valid for two seconds."""
    with Serve(tmp_path_factory.mktemp("expiring"), SHEDU_SEAT_TOKEN_DAYS=str(2 / 86400)) as process:
        yield process


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return for_clients(tmp_path_factory.mktemp("certificates"))


def test_its_own_tests_pass_and_none_is_left_out(serve: Serve, expiring: Serve, certificates: Path) -> None:
    servers = {
        "SHEDU_TEST_CERTIFICATES": str(certificates),
        "SHEDU_TEST_SERVER": serve.address,
        "SHEDU_TEST_REST": f"127.0.0.1:{serve.port}",
        "SHEDU_TEST_EXPIRING_SERVER": expiring.address,
    }

    with build_folder():
        done = subprocess.run(
            ["mvn", "-q", "-B", "test"],
            cwd=JAVA,
            env={**os.environ, **servers},
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
            check=False,
        )
        suites = [xml.parse(path).getroot() for path in sorted(REPORTS.glob("TEST-*.xml"))]

    assert 0 == done.returncode, done.stdout + done.stderr
    assert 0 == sum(int(suite.get("skipped", "0")) for suite in suites)
    assert sum(int(suite.get("tests", "0")) for suite in suites) > 40


def test_it_depends_on_grpc_and_protobuf_alone() -> None:
    project = xml.parse(JAVA / "pom.xml").getroot()
    wanted = [
        dependency.findtext("pom:groupId", namespaces=POM)
        for dependency in project.findall("pom:dependencies/pom:dependency", POM)
        if dependency.findtext("pom:scope", namespaces=POM) != "test"
    ]

    assert ALLOWED == set(wanted)
