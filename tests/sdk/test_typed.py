"""Tests that the blocking and the asyncio client are typed, with mypy."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.process import ROOT
from support.waiting import PATIENCE

PROGRAM = """
from typing import assert_type

import shedu
from shedu import aio
from shedu.tides.v1 import tides_pb2 as tides
from shedu.v1 import game_pb2, game_service_pb2 as pb


def blocking(server: shedu.Server) -> None:
    game = server.create("tides", options=tides.Options(), clock=shedu.per_decision(30))
    assert_type(game, shedu.Game)
    me = game.join("Ann")
    assert_type(me, shedu.Player)
    for turn in me.turns():
        assert_type(turn.actions[0], pb.LegalAction)
        assert_type(turn.play(turn.actions[0]), pb.PlayActionResponse)
    assert_type(next(game.watch()), shedu.Moment)
    assert_type(me.fork(), list[shedu.Player])


async def with_asyncio(server: aio.Server) -> None:
    game = await server.create("tides", bots=["random"])
    assert_type(game, aio.Game)
    me = await game.join("Ann")
    assert_type(me, aio.Player)
    async for turn in me.turns():
        assert_type(await turn.play(turn.actions[0]), pb.PlayActionResponse)
    assert_type(await game.outcome(), game_pb2.Outcome | None)
"""
MISTAKES = """
import shedu

server = shedu.connect()
server.create("tides", visibility="secret")
server.game("id").join(7)
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Runs mypy on both programs, and returns its output."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "program.py").write_text(PROGRAM)
    (folder / "mistakes.py").write_text(MISTAKES)
    # `google.rpc` has no types. mypy reports that for packages on MYPYPATH, but not for installed ones.
    (folder / "mypy.ini").write_text("[mypy]\n[mypy-google.rpc.*]\nignore_missing_imports = True\n")
    strictly = ("--strict", "--follow-imports=silent", "--config-file", "mypy.ini")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *strictly, "program.py", "mistakes.py"],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT / "clients/python")},
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
    )
    assert 1 == done.returncode, done.stderr
    return done.stdout


def test_a_program_is_checked(said):
    assert "checked 2 source files" in said
    assert "program.py" not in said


def test_mistakes_are_found(said):
    assert "Found 2 errors in 1 file" in said
    assert 2 == said.count("mistakes.py:")
