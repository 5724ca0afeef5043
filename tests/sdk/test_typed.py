"""The client tells type checkers what everything is, blocking and with asyncio alike."""

from __future__ import annotations

import os
import subprocess
import sys

from support.process import ROOT

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


def mypy(program: str, folder: os.PathLike[str]) -> tuple[int, str]:
    path = os.path.join(folder, "program.py")
    with open(path, "w") as file:
        file.write(program)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--follow-imports=silent",
            "--config-file",
            os.devnull,
            path,
        ],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT / "clients/python")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout


def test_a_program_is_checked(tmp_path):
    code, said = mypy(PROGRAM, tmp_path)

    assert (0, "Success: no issues found in 1 source file\n") == (code, said)


def test_mistakes_are_found(tmp_path):
    code, said = mypy(MISTAKES, tmp_path)

    assert 1 == code
    assert "Found 2 errors" in said
