"""`python -m shedu bot run`: the client's own command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import shedu
from support.process import ROOT, Serve

FIRST = "def decide(view, decision, actions):\n    return actions[0]\n"
RAISES = "def decide(view, decision, actions):\n    raise ValueError('red\\x1b[31m')\n"


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    with Serve(tmp_path_factory.mktemp("bots"), "--identity", "keys") as process:
        yield process


@pytest.fixture(scope="module")
def key(serve) -> str:
    folder = str(serve.log.parent / "data")
    done = command(serve, "gamehost", "keys", "create", "my-bot", "--data-dir", folder)
    return done.communicate(timeout=60)[0].strip()


@pytest.fixture
def bot(tmp_path) -> Path:
    (tmp_path / "my_bot.py").write_text(FIRST)
    return tmp_path / "my_bot.py"


def command(serve: Serve, *words: str, **settings: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ROOT / "service"), str(ROOT / "clients/python")])
    server = f"127.0.0.1:{serve.grpc_port}"
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        env={**os.environ, "PYTHONPATH": path, "SHEDU_SERVER": server, "COLUMNS": "200", **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def bot_run(serve: Serve, *words: object, **settings: str) -> subprocess.Popen[str]:
    return command(serve, "shedu", "bot", "run", *map(str, words), **settings)


def test_it_plays_games_of_its_own_and_reports(serve, key, bot, tmp_path):
    (tmp_path / "key").write_text(key)
    wanted = ("--title", "tides", "--create", 2, "--against", "random", "--token-file", tmp_path / "key")

    said, complaints = bot_run(serve, bot, *wanted).communicate(timeout=60)

    shown = dict(line.split(maxsplit=1) for line in said.splitlines())
    assert ("", "2", "28") == (complaints, shown["games"], shown["decisions"])


@pytest.mark.parametrize("program", ["shedu", "gamehost"])
def test_what_a_bot_prints_is_not_taken_for_the_report(serve, key, bot, program):
    bot.write_text("print('loaded')\n" + FIRST.replace("return", "print('hm')\n    return"))
    words = ("--title", "tides", "--create", "1", "--against", "random", "--json")

    playing = command(serve, program, "bot", "run", str(bot), *words, SHEDU_TOKEN=key)
    said, complaints = playing.communicate(timeout=60)

    assert 14 == json.loads(said)["decisions"]
    assert ["loaded", *["hm"] * 14] == complaints.split()


def test_it_plays_games_that_it_is_invited_to(serve, key, bot):
    with shedu.connect(f"127.0.0.1:{serve.grpc_port}", token=key) as server:
        for _ in range(2):
            server.create("tides", seats=[*shedu.reserved("key:my-bot"), *shedu.reserved("key:my-bot")])

    playing = bot_run(serve, bot, "--title", "tides", "--games", 4, "--json", SHEDU_TOKEN=key)
    said, complaints = playing.communicate(timeout=60)

    assert ("", 4, 56) == (complaints, json.loads(said)["games"], json.loads(said)["decisions"])


def test_a_bot_that_fails_is_told_without_what_a_terminal_would_obey(serve, key, tmp_path):
    (tmp_path / "bad.py").write_text(RAISES)
    wanted = ("--title", "tides", "--create", 1, "--against", "random", "--on-failure", "resign", "--json")

    playing = bot_run(serve, tmp_path / "bad.py", *wanted, SHEDU_TOKEN=key)
    said, complaints = playing.communicate(timeout=60)

    assert (1, 1) == (json.loads(said)["games"], json.loads(said)["failures"])
    assert "bad.py: decide fails" in complaints
    assert "\x1b" not in complaints


def test_ctrl_c_says_how_far_it_got(serve, key, bot):
    waiting = bot_run(serve, bot, "--title", "tigris", "--json", SHEDU_TOKEN=key)
    with shedu.connect(f"127.0.0.1:{serve.grpc_port}", token=key) as server:
        game = server.create("tigris", seats=[*shedu.reserved("key:my-bot"), *shedu.reserved("key:ann")])
        while not game.look().seats[0].taken:
            assert waiting.poll() is None
            time.sleep(0.05)

    waiting.send_signal(signal.SIGINT)
    said, complaints = waiting.communicate(timeout=30)

    assert (0, "", 0) == (waiting.returncode, complaints, json.loads(said)["games"])


def test_a_command_that_cannot_work_says_why(serve, key, bot):
    wrong = {
        (bot,): "which title?",
        ("nowhere.py", "--title", "tides"): "there is no file nowhere.py",
        (bot, "--join", "a" * 20): "there is no game",
        (bot, "--title", "tides", "--against", "random"): "say how many with --create",
        (bot, "--title", "tides", "--server", "ftp://x"): "ftp://x is not an address",
        (bot, "--title", "tides", "--games", "0"): "0 is less than 1",
        (bot, "--title", "tides", "--token-file", "nowhere"): "nowhere",
    }

    for words, sentence in wrong.items():
        process = bot_run(serve, *words, SHEDU_TOKEN=key)
        said, complaints = process.communicate(timeout=60)
        assert (2, "") == (process.returncode, said), words
        assert sentence in complaints
        assert "Traceback" not in complaints
