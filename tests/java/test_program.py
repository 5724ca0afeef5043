"""Tests of a bot as a program: its messages, its report and its exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import shedu
from shedu.v1 import game_pb2
from support.java import JAVA, compile_program
from support.process import Serve
from support.servers import free_port
from support.waiting import PATIENCE, wait_until

BROKEN = """
import shedu.client.BotProgram;
import shedu.client.BotRunner;

public class Broken {
    public static void main(String[] arguments) {
        BotProgram.run(BotRunner.forBot(turn -> think()).name("broken"));
    }

    static shedu.v1.LegalAction think() {
        throw new IllegalStateException("a fault of the bot");
    }
}
"""


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Compiles the example and a bot that always fails; returns their class path."""
    folder = tmp_path_factory.mktemp("classes")
    broken = folder / "Broken.java"
    broken.write_text(BROKEN)
    return compile_program(folder, broken, JAVA / "examples" / "MiddleBot.java")


@contextmanager
def started(classes: str, program: str, folder: Path, **settings: str) -> Iterator[subprocess.Popen[str]]:
    """Runs a program that prints into the files `out` and `err` of the folder."""
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        process = subprocess.Popen(
            ["java", "-cp", classes, program],
            env={**os.environ, **settings},
            stdout=out,
            stderr=err,
            text=True,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def ended(classes: str, program: str, folder: Path, **settings: str) -> tuple[int, str, str]:
    """Runs a program to its end; returns its exit code, stdout and stderr."""
    with started(classes, program, folder, **settings) as process:
        code = process.wait(PATIENCE)
    return code, (folder / "out").read_text(), (folder / "err").read_text()


def invite(serve: Serve, name: str) -> str:
    """Invites a new bot to a game against a hosted bot; returns its key."""
    key = serve.key(name)
    seats = [game_pb2.SeatPlan(reserved_for=f"key:{name}"), game_pb2.SeatPlan(bot_level="random")]
    with shedu.connect(serve.address, token=key) as server:
        server.create("tides", seats=seats)
    return key


def test_a_bot_that_fails_is_described_once_and_ends_with_1(
    keyed_serve: Serve, classes: str, tmp_path: Path
) -> None:
    settings = {"SHEDU_SERVER": keyed_serve.address, "SHEDU_TOKEN": invite(keyed_serve, "broken")}

    code, out, err = ended(classes, "Broken", tmp_path, SHEDU_GAMES="1", **settings)

    report = json.loads(out.splitlines()[-1])
    assert (1, 1, 14, 14) == (code, report["games"], report["decisions"], report["failures"])
    assert 1 == err.count("IllegalStateException: a fault of the bot")
    assert "at Broken.think(Broken.java:" in err
    assert "at shedu.client" not in err


def test_it_says_what_it_waits_for_and_reports_when_it_is_stopped(classes: str, tmp_path: Path) -> None:
    nobody = f"127.0.0.1:{free_port()}"

    with started(classes, "MiddleBot", tmp_path, SHEDU_SERVER=nobody, SHEDU_TOKEN="") as process:
        wait_until(lambda: f"middle: waiting for {nobody}: " in (tmp_path / "err").read_text())
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)

    assert f"middle: connecting to {nobody}\n" in (tmp_path / "err").read_text()
    assert 0 == json.loads((tmp_path / "out").read_text())["games"]


def test_it_says_that_it_waits_for_invitations(keyed_serve: Serve, classes: str, tmp_path: Path) -> None:
    settings = {"SHEDU_SERVER": keyed_serve.address, "SHEDU_TOKEN": keyed_serve.key("patient")}

    with started(classes, "MiddleBot", tmp_path, **settings) as process:
        wait_until(lambda: "waiting for invitations and decisions" in (tmp_path / "err").read_text())
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)

    assert 0 == json.loads((tmp_path / "out").read_text())["games"]


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("SHEDU_TOKEN", "nonsense", "the server does not accept the token in SHEDU_TOKEN"),
        ("SHEDU_TOKEN", "two words", "a token has only printable ASCII characters"),
        ("SHEDU_SERVER", "ftp://host", "ftp://host is not the address of a server"),
        ("SHEDU_GAMES", "many", "SHEDU_GAMES is not a number: many"),
        ("SHEDU_GAMES", "-1", "games is -1, less than 0"),
    ],
)
def test_a_wrong_setting_is_named(
    setting: str, value: str, expected: str, keyed_serve: Serve, classes: str, tmp_path: Path
) -> None:
    settings = {"SHEDU_SERVER": keyed_serve.address, "SHEDU_TOKEN": "", setting: value}

    code, _, err = ended(classes, "MiddleBot", tmp_path, **settings)

    assert 2 == code, err
    assert expected in err
    assert "\tat " not in err


def test_the_port_of_rest_is_named(keyed_serve: Serve, classes: str, tmp_path: Path) -> None:
    code, _, err = ended(classes, "MiddleBot", tmp_path, SHEDU_SERVER=f"127.0.0.1:{keyed_serve.port}")

    assert 2 == code
    assert "such as that of REST; gRPC is another one, by default 50051" in err
