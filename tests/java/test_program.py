"""Tests of a bot in Java as a program."""

from __future__ import annotations

import pytest

from conformance.bot_programs import BotPrograms, Programs
from conformance.languages import DRIVERS
from support.java import JAVA, compile_program


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Compiles the example and a bot that always fails."""
    sources = JAVA / "examples" / "MiddleBot.java", DRIVERS / "java" / "Broken.java"
    classes = compile_program(tmp_path_factory.mktemp("classes"), *sources)
    return Programs(["java", "-cp", classes, "MiddleBot"], ["java", "-cp", classes, "Broken"])


class TestJava(BotPrograms):
    fault = "IllegalStateException: a fault of the bot"
    place = r"\n    at Broken\.think\(Broken\.java:\d+\)"
    inner = "at shedu.client"
