"""Tests of `python -m shedu bot run`, the command of the client."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import shedu
from shedu.__main__ import main
from support.process import Serve, started
from support.waiting import PATIENCE, wait_until

WAITING = "shedu: connecting to {}\nshedu: waiting for invitations to games of {}\n"
FIRST = "def decide(view, decision, actions):\n    return actions[0]\n"
RAISES = "def decide(view, decision, actions):\n    raise ValueError('red\\x1b[31m')\n"


@pytest.fixture
def key(keyed_serve) -> str:
    return keyed_serve.key("my-bot")


@pytest.fixture
def bot(tmp_path) -> Path:
    (tmp_path / "my_bot.py").write_text(FIRST)
    return tmp_path / "my_bot.py"


def command(serve: Serve, *words: object, **settings: str) -> subprocess.Popen[str]:
    return started(*words, SHEDU_SERVER=serve.address, COLUMNS="200", **settings)


def bot_run(serve: Serve, *words: object, **settings: str) -> subprocess.Popen[str]:
    return command(serve, "shedu", "bot", "run", *words, **settings)


def test_it_plays_games_of_its_own_and_reports(keyed_serve, key, bot, tmp_path):
    (tmp_path / "key").write_text(key)
    wanted = ("--title", "tides", "--create", 2, "--against", "random", "--token-file", tmp_path / "key")

    said, complaints = bot_run(keyed_serve, bot, *wanted).communicate(timeout=PATIENCE)

    shown = dict(line.split(maxsplit=1) for line in said.splitlines())
    assert (f"shedu: connecting to {keyed_serve.address}\n", "2", "28") == (
        complaints,
        shown["games"],
        shown["decisions"],
    )


@pytest.mark.parametrize("program", ["shedu", "gamehost"])
def test_what_a_bot_prints_is_not_taken_for_the_report(keyed_serve, key, bot, program):
    bot.write_text("print('loaded')\n" + FIRST.replace("return", "print('hm')\n    return"))
    words = ("--title", "tides", "--create", "1", "--against", "random", "--json")

    playing = command(keyed_serve, program, "bot", "run", str(bot), *words, SHEDU_TOKEN=key)
    said, complaints = playing.communicate(timeout=PATIENCE)

    assert 14 == json.loads(said)["decisions"]
    assert ["loaded", f"shedu: connecting to {keyed_serve.address}", *["hm"] * 14] == complaints.splitlines()


def test_it_plays_games_that_it_is_invited_to(keyed_serve, key, bot):
    with shedu.connect(keyed_serve.address, token=key) as server:
        for _ in range(2):
            server.create("tides", seats=[*shedu.reserved("key:my-bot"), *shedu.reserved("key:my-bot")])

    playing = bot_run(keyed_serve, bot, "--title", "tides", "--games", 4, "--json", SHEDU_TOKEN=key)
    said, complaints = playing.communicate(timeout=PATIENCE)

    assert (4, 56) == (json.loads(said)["games"], json.loads(said)["decisions"])
    assert WAITING.format(keyed_serve.address, "tides") == complaints


def test_a_bot_that_fails_is_told_without_what_a_terminal_would_obey(keyed_serve, key, tmp_path):
    (tmp_path / "bad.py").write_text(RAISES)
    wanted = ("--title", "tides", "--create", 1, "--against", "random", "--on-failure", "resign", "--json")

    playing = bot_run(keyed_serve, tmp_path / "bad.py", *wanted, SHEDU_TOKEN=key)
    said, complaints = playing.communicate(timeout=PATIENCE)

    assert (1, 1, 1) == (playing.returncode, json.loads(said)["games"], json.loads(said)["failures"])
    assert "bad.py: decide fails" in complaints
    assert "\x1b" not in complaints


@pytest.mark.parametrize("program", ["shedu", "gamehost"])
def test_a_traceback_of_the_bot_is_printed_once_for_each_kind_of_failure(keyed_serve, key, tmp_path, program):
    (tmp_path / "rules.py").write_text("def worth(action):\n    return 1 / 0\n")
    bad = tmp_path / "bad.py"
    bad.write_text(
        "import rules\n\ndef decide(view, decision, actions):\n    return rules.worth(actions[0])\n"
    )
    words = ("--title", "tides", "--create", "1", "--against", "random", "--json")

    playing = command(keyed_serve, program, "bot", "run", str(bad), *words, SHEDU_TOKEN=key)
    said, complaints = playing.communicate(timeout=PATIENCE)

    assert (1, 14) == (playing.returncode, json.loads(said)["failures"])
    assert 1 == complaints.count("return 1 / 0")
    assert 1 == complaints.count(f'File "{bad}", line 4, in decide')
    assert "deciding.py" not in complaints


@pytest.mark.parametrize("program", ["shedu", "gamehost"])
def test_the_rest_port_is_named_as_such(keyed_serve, bot, program):
    server = ("--server", f"127.0.0.1:{keyed_serve.port}")

    done = started(program, "bot", "run", str(bot), "--title", "tides", *server, COLUMNS="200")
    said, complaints = done.communicate(timeout=PATIENCE)

    assert (2, "") == (done.returncode, said)
    assert "it may be the REST port. The gRPC port is 50051 by default" in complaints


@pytest.mark.parametrize("program", ["shedu", "gamehost"])
def test_sigterm_says_how_far_it_got(keyed_serve, key, bot, program):
    waiting = command(
        keyed_serve, program, "bot", "run", str(bot), "--title", "tigris", "--json", SHEDU_TOKEN=key
    )
    assert waiting.stderr is not None
    said_first = waiting.stderr.readline() + waiting.stderr.readline()

    waiting.send_signal(signal.SIGTERM)
    said, complaints = waiting.communicate(timeout=PATIENCE)

    assert WAITING.format(keyed_serve.address, "tigris") == said_first
    assert (0, "", 0) == (waiting.returncode, complaints, json.loads(said)["games"])


def test_ctrl_c_says_how_far_it_got(keyed_serve, key, bot):
    waiting = bot_run(keyed_serve, bot, "--title", "tigris", "--json", SHEDU_TOKEN=key)
    with shedu.connect(keyed_serve.address, token=key) as server:
        game = server.create("tigris", seats=[*shedu.reserved("key:my-bot"), *shedu.reserved("key:ann")])
        wait_until(lambda: waiting.poll() is not None or game.look().seats[0].taken)

    waiting.send_signal(signal.SIGINT)
    said, complaints = waiting.communicate(timeout=PATIENCE)

    assert (0, 0) == (waiting.returncode, json.loads(said)["games"])
    assert WAITING.format(keyed_serve.address, "tigris") == complaints


def test_a_command_that_cannot_work_says_why(keyed_serve, key, bot):
    done = bot_run(keyed_serve, bot, "--join", "a" * 20, SHEDU_TOKEN=key)
    said, complaints = done.communicate(timeout=PATIENCE)

    assert (2, "") == (done.returncode, said)
    assert "there is no game" in complaints
    assert "Traceback" not in complaints


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("{bot}",), "which title?"),
        (("nowhere.py", "--title", "tides"), "there is no file nowhere.py"),
        (("{bot}", "--title", "tides", "--against", "random"), "say how many with --create"),
        (("{bot}", "--title", "tides", "--server", "ftp://x"), "ftp://x is not an address"),
        (("{bot}", "--title", "tides", "--games", "0"), "0 is less than 1"),
        (("{bot}", "--title", "tides", "--token-file", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_work_is_said_before_a_server_is_asked(bot, words, sentence, monkeypatch, capsys):
    given = [word.format(bot=bot) for word in words]
    monkeypatch.setattr(sys, "argv", ["shedu", "bot", "run", *given])

    with pytest.raises(SystemExit) as ended:
        main()

    said, complaints = capsys.readouterr()
    assert (2, "") == (ended.value.code, said)
    assert sentence in complaints


def test_a_command_of_the_service_is_refused_with_the_package_that_has_it(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["shedu", "play"])

    with pytest.raises(SystemExit) as ended:
        main("shedu")

    said, complaints = capsys.readouterr()
    assert (2, "") == (ended.value.code, said)
    assert "invalid choice: 'play'" in complaints
    assert "the package shedu-gamehost" in complaints
