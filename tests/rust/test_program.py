"""Tests of a bot in Rust as a program."""

from __future__ import annotations

import pytest

from conformance.bot_programs import BotPrograms, Programs
from support.rust import DRIVER, PROGRAMS, RUST, build


@pytest.fixture(scope="module")
def programs() -> Programs:
    """Builds the example and a bot that always fails."""
    build("--example", "bot", folder=RUST)
    build("--bin", "broken", folder=DRIVER)
    return Programs([str(PROGRAMS / "examples" / "bot")], [str(PROGRAMS / "broken")])


class TestRust(BotPrograms):
    fault = "panic: a fault of the bot"
    place = r"\n    at src/bin/broken\.rs:\d+:\d+\n"
    inner = "clients/rust/src"
