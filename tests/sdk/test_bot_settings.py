"""Tests of `bot run` with a TOML file, of bots that read events, and of what stops a bot before it plays."""

from __future__ import annotations

import json
import socket
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from shedu.bot_config import SETTINGS, read_config
from shedu.deciding import BadBot, load, load_in_time, wants_events
from support.process import ROOT, shedu_here, started
from support.waiting import PATIENCE

FIRST = "def decide(view, decision, actions):\n    return actions[0]\n"
# Returns the first action, after it has compared what it was told with what the view says.
REMEMBERS = """
class Bot:
    def __init__(self):
        self.decisions = 0

    def decide(self, view, decision, actions, events):
        assert [event.version for event in events] == list(range(1, view.version + 1))
        mine = [event for event in events if event.tides.card_chosen.seat == view.seat]
        assert all(event.tides.card_chosen.card for event in mine if event.tides.HasField("card_chosen"))
        self.decisions += 1
        return actions[0]
"""
PROGRAMS = pytest.mark.parametrize("program", ["shedu", "gamehost"])


@pytest.fixture
def write(tmp_path) -> Callable[[str, str], Path]:
    def written(name: str, text: str) -> Path:
        (tmp_path / name).write_text(textwrap.dedent(text))
        return tmp_path / name

    return written


def run(program: str, *words: object, **settings: str) -> tuple[int, str, str]:
    playing = started(program, "bot", "run", *words, COLUMNS="200", **settings)
    said, complaints = playing.communicate(timeout=PATIENCE)
    return playing.returncode, said, complaints


@PROGRAMS
def test_a_file_of_settings_challenges_every_level_in_every_title(keyed_serve, write, program):
    write("key", keyed_serve.key("my-bot"))
    write("first.py", FIRST)
    settings = write(
        "my_bot.toml",
        f"""
        bot = "first.py"
        server = "{keyed_serve.address}"
        token_file = "key"
        titles = ["tides", "tigris_cards"]
        challenge = ["random", "greedy"]
        at_once = 2
        """,
    )

    code, said, complaints = run(program, settings, "--title", "tides", "--create", 2, "--json")

    assert (0, f"shedu: connecting to {keyed_serve.address}\n") == (code, complaints)
    assert (4, 56) == (json.loads(said)["games"], json.loads(said)["decisions"])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("titel = 'tides'", "there is no setting titel; there are bot, server, token_file"),
        ("titles = 'tides'", "titles must be a list of texts"),
        ("at_once = 0", "at_once must be a whole number above 0"),
        ("threads = true", "threads must be a whole number above 0"),
        ("on_failure = 'cry'", 'on_failure must be "first" or "resign"'),
        ("= 3", "is not TOML"),
        ("name = 'x'", "names no bot"),
    ],
)
def test_a_file_of_settings_with_a_mistake_is_refused(write, line, complaint):
    file = write("my_bot.toml", line if complaint == "names no bot" else f"bot = 'x.py'\n{line}")

    with pytest.raises(BadBot, match=complaint) as refused:
        read_config(file)

    assert str(refused.value).startswith(str(file))


@PROGRAMS
def test_a_mistake_in_the_settings_is_told_in_one_line(tmp_path, write, program):
    code, said, complaints = run(program, write("my_bot.toml", "at_onc = 3"))

    assert (2, "") == (code, said)
    assert f"shedu: {tmp_path}/my_bot.toml: there is no setting at_onc" in complaints
    assert 1 == len(complaints.splitlines())


def test_the_settings_are_in_the_readme():
    readme = (ROOT / "clients/python/README.md").read_text()

    assert [] == [name for name in SETTINGS if f"`{name}`" not in readme]


def test_a_bot_reads_what_its_seat_has_witnessed_online_and_offline(keyed_serve, write, capsys):
    bot = write("reader.py", REMEMBERS)
    key = keyed_serve.key("witness")

    code, said, complaints = run(
        *("shedu", bot, "--title", "tides", "--challenge", "random", "--json"),
        SHEDU_SERVER=keyed_serve.address,
        SHEDU_TOKEN=key,
    )
    offline = shedu_here("arena", "--title", "tides", "--games", "2", "--bots", f"{bot},random", "--json")

    assert (0, 14) == (code, json.loads(said)["decisions"]), complaints
    assert 0 == offline.returncode, offline.stderr
    assert (2, 0) == tuple(json.loads(offline.stdout)["bots"][0][name] for name in ("games", "forfeits"))


@pytest.mark.parametrize(
    ("signature", "wanted"),
    [
        ("view, decision, actions", False),
        ("view, decision, actions, events", True),
        ("view, decision, actions, seen", True),
        ("view, decision, actions, events=()", True),
        ("view, decision, actions, depth=3", False),
        ("view, decision, actions, *rest", False),
        ("view, decision, actions, *, events=()", False),
    ],
)
def test_only_a_fourth_parameter_for_events_gets_them(write, signature, wanted):
    bot = write("my_bot.py", f"def decide({signature}):\n    return actions[0]\n")

    assert wanted is wants_events(load(bot)())


def test_a_file_that_hangs_at_import_is_named_with_its_line(write):
    bot = write("hangs.py", "import threading\n\nthreading.Event().wait()\n")

    with pytest.raises(BadBot) as refused:
        load_in_time(bot, 0.2)

    assert f"{bot} is not loaded after 0.2 s: line 3 does not end" == str(refused.value)


@PROGRAMS
def test_a_bad_token_is_named_with_its_place(keyed_serve, tmp_path, write, program):
    bot = write("my_bot.py", FIRST)
    file = write("key", "shedu_key_wrong")

    given = run(program, bot, "--title", "tides", "--server", keyed_serve.address, "--token-file", file)
    of_environment = run(
        program, bot, "--title", "tides", SHEDU_SERVER=keyed_serve.address, SHEDU_TOKEN="shedu_key_wrong"
    )
    missing = run(program, bot, "--title", "tides", SHEDU_SERVER=keyed_serve.address)

    assert [(2, "")] * 3 == [each[:2] for each in (given, of_environment, missing)]
    assert f"the server does not accept the token in {file}: " in given[2]
    assert "the server does not accept the token in SHEDU_TOKEN: " in of_environment[2]
    assert "the server does not accept a caller without a token" in missing[2]


def test_the_user_is_told_who_does_not_answer(write):
    bot = write("my_bot.py", FIRST)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = f"127.0.0.1:{silent.getsockname()[1]}"
        waiting = started("shedu", "bot", "run", bot, "--title", "tides", "--server", server)
        assert waiting.stderr is not None

        line = waiting.stderr.readline()
        waiting.terminate()
        waiting.communicate(timeout=PATIENCE)

    assert f"shedu: connecting to {server}\n" == line
