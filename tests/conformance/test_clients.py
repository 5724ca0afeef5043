"""Tests that the clients of two languages get the same answers to the scenarios from one server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import shedu
from conformance.__main__ import Run, verdict
from conformance.clients import scenarios
from conformance.clients.stubs import Stubs
from conformance.languages import PYTHON
from support.node import node
from support.process import Serve
from support.typescript import compiled_client

RUN = Path(__file__).with_name("clients") / "run.mjs"


@pytest.fixture(scope="module", params=["stubs", "client"])
def in_python(serve: Serve, request: pytest.FixtureRequest) -> dict[str, Any]:
    """Runs the scenarios with the generated stubs or with the client."""
    if request.param == "stubs":
        with serve.channel() as channel:
            return scenarios.run(Stubs(channel))
    if not hasattr(shedu, "connect"):
        pytest.skip("NOT CHECKED: this package has no client")
    from conformance.clients.sdk import Sdk

    with shedu.connect(serve.address) as server:
        return scenarios.run(Sdk(server))


@pytest.fixture(scope="module")
def in_typescript(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    client = compiled_client(tmp_path_factory.mktemp("typescript"))
    done = node(str(RUN), str(client), serve.url, str(scenarios.FILE))
    assert "" == done.stderr
    return scenarios.printed(done.stdout)


def test_python_answers_as_the_scenarios_say(in_python: dict[str, Any]) -> None:
    assert [] == scenarios.differences(in_python)


def test_typescript_answers_as_the_scenarios_say(in_typescript: dict[str, Any]) -> None:
    assert [] == scenarios.differences(in_typescript)


def test_both_answer_the_same(in_python: dict[str, Any], in_typescript: dict[str, Any]) -> None:
    assert without_luck(in_python) == without_luck(in_typescript)


def without_luck(results: Any) -> Any:
    """Removes the fields that depend on luck, which differs in the game of each client."""
    lucky = ("fairness.seed", "tides.hand.4")
    return {
        name: [{path: value for path, value in step.items() if path not in lucky} for step in steps]
        for name, steps in results.items()
    }


@pytest.mark.parametrize(
    ("all_", "last"),
    [
        (True, "failed: the toolchain of go is missing, the toolchain of rust is missing; checked: python"),
        (False, "ok: python"),
    ],
)
def test_the_last_line_names_missing_toolchains_only_where_they_are_a_failure(
    all_: bool, last: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    absent = {name: f"NOT CHECKED: {name} needs a compiler" for name in ("go", "rust")}

    code = verdict(Run(tmp_path, ready=[PYTHON], absent=absent), all_)

    assert ([*absent.values(), last], int(all_)) == (capsys.readouterr().out.splitlines()[2:], code)
