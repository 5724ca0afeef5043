"""Tests of a bot in Go as a program."""

from __future__ import annotations

import pytest

from conformance.bot_programs import BotPrograms, Programs
from conformance.languages import CLIENTS, DRIVERS, run


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Builds the example and a bot that always fails."""
    folder = tmp_path_factory.mktemp("programs")
    run("go", "build", "-o", str(folder / "middle"), "./examples/bot", cwd=CLIENTS / "go")
    run("go", "build", "-o", str(folder / "broken"), "./broken", cwd=DRIVERS / "go")
    return Programs([str(folder / "middle")], [str(folder / "broken")])


class TestGo(BotPrograms):
    fault = "panic: a fault of the bot"
    place = r"\n    at main\.think \(.*main\.go:\d+\)"
    inner = "shedu.example/shedu."
