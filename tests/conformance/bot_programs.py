"""Tests of a bot as a program: its messages, its report and its exit codes.

All languages but Python, whose bots are files for a command, run them. A subclass has the fixture `programs`
and says what its language writes about a fault.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

import shedu
from shedu.v1 import game_pb2
from support.process import Serve
from support.servers import free_port
from support.waiting import PATIENCE, wait_until


@dataclass(frozen=True, slots=True)
class Programs:
    """The commands of the example bot, which is called middle, and of a bot that fails in every decision."""

    middle: Sequence[str]
    broken: Sequence[str]


@contextmanager
def started(command: Sequence[str], folder: Path, **settings: str) -> Iterator[subprocess.Popen[str]]:
    """Runs a program that prints into the files `out` and `err` of the folder."""
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        process = subprocess.Popen(command, env={**os.environ, **settings}, stdout=out, stderr=err, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def ended(command: Sequence[str], folder: Path, **settings: str) -> tuple[int, str, str]:
    """Runs a program to its end; returns its exit code, stdout and stderr."""
    with started(command, folder, **settings) as process:
        code = process.wait(PATIENCE)
    return code, (folder / "out").read_text(), (folder / "err").read_text()


def invite(serve: Serve, name: str) -> str:
    """Invites a new bot to a game against a hosted bot; returns its key."""
    key = serve.key(name)
    seats = [game_pb2.SeatPlan(reserved_for=f"key:{name}"), game_pb2.SeatPlan(bot_level="random")]
    with shedu.connect(serve.address, token=key) as server:
        server.create("tides", seats=seats)
    return key


class BotPrograms:
    fault: str  # how a fault of the bot is described
    place: str  # where it is, as a regular expression
    inner: str  # what only parts of the client have in their names
    place_of_server = "SHEDU_SERVER"
    scheme = ""
    other_port = "REST.*by default 50051"

    def address(self, serve: Serve) -> str:
        """Returns where the client finds the server."""
        return serve.address

    def wrong_port(self, serve: Serve) -> int:
        """Returns a port of the server at which the client cannot call it."""
        return serve.port

    def test_a_bot_that_fails_is_described_once_and_ends_with_1(
        self, keyed_serve: Serve, programs: Programs, tmp_path: Path
    ) -> None:
        key = invite(keyed_serve, f"broken-{type(self).__name__.lower()}")
        settings = {self.place_of_server: self.address(keyed_serve), "SHEDU_TOKEN": key}

        code, out, err = ended(programs.broken, tmp_path, SHEDU_GAMES="1", **settings)

        report = json.loads(out.splitlines()[-1])
        counted = report["games"], report["decisions"], report["failures"]
        assert (1, 1, 14, 14) == (code, *counted), err
        assert 1 == err.count(self.fault), err
        assert re.search(self.place, err), err
        assert self.inner not in err

    def test_it_says_what_it_waits_for_and_reports_when_it_is_stopped(
        self, programs: Programs, tmp_path: Path
    ) -> None:
        nobody = f"{self.scheme}127.0.0.1:{free_port()}"
        settings = {self.place_of_server: nobody, "SHEDU_TOKEN": ""}

        with started(programs.middle, tmp_path, **settings) as process:
            wait_until(lambda: f"middle: waiting for {nobody}: " in (tmp_path / "err").read_text())
            process.send_signal(signal.SIGTERM)
            code = process.wait(PATIENCE)

        assert f"middle: connecting to {nobody}\n" in (tmp_path / "err").read_text()
        assert 0 == json.loads((tmp_path / "out").read_text())["games"]
        assert 128 + signal.SIGTERM == code

    def test_it_says_that_it_waits_for_invitations(
        self, keyed_serve: Serve, programs: Programs, tmp_path: Path
    ) -> None:
        key = keyed_serve.key(f"patient-{type(self).__name__.lower()}")
        settings = {self.place_of_server: self.address(keyed_serve), "SHEDU_TOKEN": key}

        with started(programs.middle, tmp_path, **settings) as process:
            wait_until(lambda: "waiting for invitations and decisions" in (tmp_path / "err").read_text())
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)

        assert 0 == json.loads((tmp_path / "out").read_text())["games"]

    @pytest.mark.parametrize(
        ("setting", "value", "expected"),
        [
            ("SHEDU_TOKEN", "nonsense", "the server does not accept the token in SHEDU_TOKEN"),
            ("SHEDU_TOKEN", "two words", "a token has only printable ASCII characters"),
            ("", "ftp://host", "ftp://host is not (the|an) address of a server"),
            ("SHEDU_GAMES", "many", "SHEDU_GAMES is not a number: many"),
            ("SHEDU_GAMES", "-1", "games is -1, less than 0"),
        ],
    )
    def test_a_wrong_setting_is_named(
        self,
        setting: str,
        value: str,
        expected: str,
        keyed_serve: Serve,
        programs: Programs,
        tmp_path: Path,
    ) -> None:
        right = {self.place_of_server: self.address(keyed_serve), "SHEDU_TOKEN": ""}
        settings = right | {setting or self.place_of_server: value}

        code, _, err = ended(programs.middle, tmp_path, **settings)

        assert 2 == code, err
        assert re.search(f"^middle: .*{expected}", err, re.MULTILINE), err
        assert not re.search(r"\n\s+at ", err), err

    def test_a_missing_token_is_named(self, keyed_serve: Serve, programs: Programs, tmp_path: Path) -> None:
        settings = {self.place_of_server: self.address(keyed_serve), "SHEDU_TOKEN": ""}

        code, _, err = ended(programs.middle, tmp_path, **settings)

        assert 2 == code, err
        assert "middle: the server needs a token, and SHEDU_TOKEN is not set: " in err

    def test_a_port_of_another_protocol_is_named(
        self, keyed_serve: Serve, programs: Programs, tmp_path: Path
    ) -> None:
        wrong = f"{self.scheme}127.0.0.1:{self.wrong_port(keyed_serve)}"

        code, _, err = ended(programs.middle, tmp_path, **{self.place_of_server: wrong})

        assert 2 == code, err
        assert re.search(self.other_port, err), err
