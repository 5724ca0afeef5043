"""Tests of the arena on a server: the same bots and results, and errors where it cannot be played."""

from __future__ import annotations

import json
import textwrap

import pytest
from typer.testing import CliRunner

from gamehost.bots.levels import HEURISTICS
from gamehost.cli import app
from support.process import Serve
from support.servers import free_port


@pytest.fixture
def address(serve: Serve) -> str:
    return serve.address


def arena(*arguments):
    return CliRunner().invoke(app, ["arena", *map(str, arguments)])


def told(address, *arguments):
    done = arena("--server", address, "--json", *arguments)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def file(folder, code):
    path = folder / "my_bot.py"
    path.write_text(textwrap.dedent(code), encoding="utf-8")
    return path


def joined(log):
    events = (json.loads(line) for line in log)
    return [event["seatTaken"] for event in events if "seatTaken" in event]


@pytest.mark.parametrize(
    ("title", "level"), [*((title, "greedy") for title in HEURISTICS), ("tides", "search:2")]
)
def test_levels_play_every_title_through_the_api(address, title, level, tmp_path):
    facts = told(
        address,
        *("--title", title, "--bots", f"{level},random", "--games", 1, "--jobs", 1, "--log", tmp_path),
    )
    [log] = tmp_path.iterdir()
    verified = CliRunner().invoke(app, ["verify", str(log), "--json"])

    better, random = facts["bots"]
    assert (1, 1) == (better["games"], random["games"])
    assert (0, 0) == (better["forfeits"], random["forfeits"])
    assert better["decisions"] > 10
    assert json.loads(verified.stdout)["verified"]


def test_seats_go_round_in_several_processes_and_a_file_plays(address, tmp_path):
    first = file(tmp_path, "def decide(view, decision, actions):\n    return actions[0]\n")
    facts = told(
        address, "--title", "tides", "--bots", f"greedy,{first}", "--games", 4, "--jobs", 2, "--log", tmp_path
    )

    logs = [path.read_text().splitlines() for path in sorted(tmp_path.glob("*.jsonl"))]
    names = [[seated["displayName"] for seated in joined(log)] for log in logs]
    assert [["greedy", "my_bot.py"], ["my_bot.py", "greedy"]] * 2 == names
    assert [56, 56] == [bot["decisions"] for bot in facts["bots"]]
    assert [4, 4] == [bot["wins"] + bot["draws"] + bot["losses"] for bot in facts["bots"]]


def test_one_that_fails_forfeits(address, tmp_path):
    bad = file(tmp_path, "def decide(view, decision, actions):\n    return 1 / 0\n")
    facts = told(address, "--title", "tides", "--bots", f"random,{bad}", "--games", 2, "--jobs", 1)

    assert [0, 2] == [bot["forfeits"] for bot in facts["bots"]]
    assert [2, 0] == [bot["wins"] for bot in facts["bots"]]
    assert all("ZeroDivisionError" in failure for failure in facts["failures"])
    assert 2 == sum(facts["failures"].values())


def test_a_server_that_is_away_is_told_before_the_first_game():
    done = arena("--title", "tides", "--bots", "random,random", "--server", f"127.0.0.1:{free_port()}")

    assert 2 == done.exit_code
    assert "no gRPC server answers" in done.stderr
    assert done.stderr.endswith("; set its address with --server\n")


def test_a_file_that_cannot_be_used_is_told_before_a_server_is_asked():
    done = arena("--title", "tides", "--bots", "random,nowhere.py", "--server", f"127.0.0.1:{free_port()}")

    assert 2 == done.exit_code
    assert "there is no file nowhere.py" in done.stderr.replace("\n", " ")


def test_options_reach_the_server(address):
    facts = told(
        address,
        *("--title", "stone_age", "--bots", "random,random", "--games", 1, "--jobs", 1),
        *("--options", '{"maxRounds": 1}'),
    )

    assert {"ROUNDS_PLAYED": 1} == facts["ends"]
