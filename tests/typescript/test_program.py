"""Tests of a bot in TypeScript as a program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conformance.bot_programs import BotPrograms, Programs
from support.node import program
from support.process import Serve
from support.typescript import TYPESCRIPT, compiled_client

BROKEN = Path(__file__).with_name("broken_bot.mjs")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """The example and a bot that always fails, beside the compiled client."""
    folder = tmp_path_factory.mktemp("programs")
    compiled_client(folder)
    files = [Path(shutil.copy(file, folder)) for file in (TYPESCRIPT / "examples" / "bot.mjs", BROKEN)]
    middle, broken = ([program(), str(file)] for file in files)
    return Programs(middle, broken)


class TestTypeScript(BotPrograms):
    fault = "Error: a fault of the bot"
    place = r"\n +at think \(.*broken_bot\.mjs:\d+:\d+\)"
    inner = "dist/bots"
    place_of_server = "SHEDU_URL"
    scheme = "http://"
    other_port = "another port than gRPC, by default 8080"

    def address(self, serve: Serve) -> str:
        return serve.url

    def wrong_port(self, serve: Serve) -> int:
        return serve.grpc_port
