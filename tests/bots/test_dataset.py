"""Tests of `shedu simulate`, which writes games to a Parquet file."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from itertools import permutations
from unittest.mock import patch

import pyarrow.parquet
import pytest
from google.protobuf import json_format

from bots.seasons import inline, session
from gamehost import dataset
from gamehost.arena.fixtures import enter
from gamehost.codec.titles import TITLES
from gamehost.dataset import COLUMNS
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import replay
from gamehost.simulate import RecordingReferee, Simulation
from support.process import shedu_here
from support.waiting import PATIENCE, wait_until


def simulate(*arguments, jobs=0):
    """Runs the command; without jobs, its games are played in this process."""
    asked = ("simulate", *arguments, "--jobs", jobs or 1)
    with nullcontext() if jobs else patch("gamehost.simulate.play_all", inline):
        return shedu_here(*asked)


def simulated(title, path, *arguments, games=2, jobs=0):
    done = simulate(title, "--games", games, "--out", path, "--json", *arguments, jobs=jobs)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), pyarrow.parquet.read_table(path).to_pylist()


@pytest.mark.parametrize("title", CATALOG)
def test_a_game_can_be_played_again_from_its_rows(title, tmp_path):
    codec, rules = TITLES[title], CATALOG[title]
    _, rows = simulated(title, tmp_path / "games.parquet", games=1)
    secret = bytes.fromhex(rows[0]["seed"])
    options = codec.options.decode(json_format.Parse(rows[0]["options"], codec.wire.Options()))
    events = list(rules.setup(options, 2, SeededChance(secret, 0)))
    state = replay(rules, events)

    for number, row in enumerate(rows):
        listed = json.loads(row["actions"])
        if number % 7 == 0:
            legal = map(codec.action.encode, rules.legal_actions(state, row["seat"]))
            view = codec.view.encode(rules.view(state, row["seat"]))
            assert [json_format.ParseDict(one, codec.wire.Action()) for one in listed] == list(legal)
            assert json_format.Parse(row["view"], codec.wire.View()) == view
        action = codec.action.decode(json_format.ParseDict(listed[row["choice"]], codec.wire.Action()))
        happened = rules.decide(state, row["seat"], action, SeededChance(secret, len(events)))
        state, events = replay(rules, happened, state), [*events, *happened]
    outcome = rules.outcome(state)
    assert list(range(len(rows))) == [row["decision"] for row in rows]
    assert [(outcome.ranks[row["seat"]], outcome.scores[row["seat"]]) for row in rows] == [
        (row["rank"], row["score"]) for row in rows
    ]


def test_the_columns_are_as_documented(tmp_path):
    facts, rows = simulated("tides", tmp_path / "games.parquet", "--seed", "9")
    schema = pyarrow.parquet.read_schema(tmp_path / "games.parquet")

    assert COLUMNS == {field.name: str(field.type) for field in schema}
    assert COLUMNS == dict(re.findall(r"^\| (\w+) +\| (int\d+|string) +\|", dataset.__doc__, re.MULTILINE))
    assert [0] * 28 + [1] * 28 == [row["game"] for row in rows]
    assert 2 == len({row["seed"] for row in rows})
    assert {"random"} == {row["bot"] for row in rows}
    assert {"tides.prompt.choose_card", "tides.prompt.choose_relic"} == {row["kind"] for row in rows}
    scores = [sum(row["score"] for row in rows if row["seat"] == seat) / 28 for seat in (0, 1)]
    assert facts["mean_score_by_seat"] == pytest.approx(scores)


def test_a_file_changes_no_game(tmp_path):
    written, _ = simulated("tides", tmp_path / "games.parquet")
    done = simulate("tides", "--games", 2, "--json")

    assert json.loads(done.stdout)["mean_score_by_seat"] == written["mean_score_by_seat"]


def test_the_same_seed_gives_the_same_rows_on_any_number_of_cores(tmp_path):
    asked = ("--bots", "greedy,search:1", "--seed", 5)
    _, alone = simulated("tides", tmp_path / "alone.parquet", *asked)
    _, together = simulated("tides", tmp_path / "together.parquet", *asked, jobs=2)
    _, other = simulated("tides", tmp_path / "other.parquet", "--bots", "random", "--seed", 6)

    assert alone == together
    assert alone[0]["view"] != other[0]["view"]


def test_a_row_says_which_bot_answered_and_the_seats_go_round(tmp_path):
    facts, rows = simulated("tides", tmp_path / "games.parquet", "--bots", "greedy,random", games=3)

    assert ["greedy", "random"] == facts["bots"]
    assert [("greedy", "random"), ("random", "greedy"), ("greedy", "random")] == [
        tuple(bot for _, bot in sorted({(row["seat"], row["bot"]) for row in rows if row["game"] == game}))
        for game in range(3)
    ]


def test_the_choices_are_those_of_the_bot(tmp_path):
    bot = tmp_path / "last.py"
    bot.write_text("def decide(view, decision, actions):\n    return actions[-1]\n")

    _, rows = simulated("tides", tmp_path / "games.parquet", "--bots", bot, games=1)

    assert {"last.py"} == {row["bot"] for row in rows}
    assert [len(json.loads(row["actions"])) - 1 for row in rows] == [row["choice"] for row in rows]


def test_more_bots_than_seats_all_play(tmp_path):
    asked = simulation(bots=("random", "greedy", "search:1"), games=6)

    met = [tuple(player.name for player in fixture.players) for fixture in asked.fixtures()]

    assert {*permutations(("random", "greedy", "search:1"), 2)} == set(met)


def test_options_are_those_of_the_api(tmp_path):
    options = ("--options", '{"maxRounds": 1}')
    facts, rows = simulated("stone_age", tmp_path / "games.parquet", *options, games=1)

    assert {"ROUNDS_PLAYED": 1} == facts["ends"]
    assert 1 == json.loads(rows[0]["options"])["maxRounds"]


def test_a_forfeited_game_is_counted_told_and_left_out(tmp_path):
    bot = tmp_path / "weary.py"
    bot.write_text(
        "def decide(view, decision, actions):\n"
        "    assert decision.seat == 0, 'weary'\n"
        "    return actions[0]\n"
    )
    asked = ("tides", "--bots", f"{bot},random", "--games", 3, "--json")

    done = simulate(*asked, "--out", tmp_path / "games.parquet")

    facts = json.loads(done.stdout)
    assert (2, 1) == (facts["games"], facts["forfeited"])
    assert {0, 2} == set(pyarrow.parquet.read_table(tmp_path / "games.parquet")["game"].to_pylist())
    assert "forfeited 1:" in done.stderr
    assert "AssertionError: weary" in done.stderr


def test_if_no_game_comes_to_its_end_that_is_said(tmp_path):
    bot = tmp_path / "broken.py"
    bot.write_text("def decide(view, decision, actions):\n    raise ValueError('never')\n")

    done = simulate("tides", "--bots", bot, "--games", 2, "--out", tmp_path / "games.parquet")

    assert 2 == done.returncode
    assert "no game was finished" in done.stderr
    assert 0 == pyarrow.parquet.read_metadata(tmp_path / "games.parquet").num_rows


def simulation(bots=("random",), games=1):
    return Simulation("tides", CATALOG["tides"].options(), tuple(enter("tides", bots)), 2, games, 1)


def test_many_games_share_a_row_group(tmp_path):
    (game,) = inline(simulation().fixtures(), referee=RecordingReferee(dataset.decision_row))
    short = replace(game, rows=tuple({**row, "view": "{}", "actions": "[]"} for row in game.rows))
    with dataset.ParquetRecorder(tmp_path / "games.parquet") as recorder:
        for _ in range(4000):
            recorder.add(short)

    written = pyarrow.parquet.read_metadata(tmp_path / "games.parquet")

    assert 4000 * 28 == written.num_rows
    assert [50_008, 50_008, 11_984] == [
        written.row_group(at).num_rows for at in range(written.num_row_groups)
    ]


def test_long_views_end_a_row_group_sooner(tmp_path):
    (game,) = inline(simulation().fixtures(), referee=RecordingReferee(dataset.decision_row))
    long = replace(game, rows=tuple({**row, "view": " " * 1_000_000} for row in game.rows))
    with dataset.ParquetRecorder(tmp_path / "games.parquet") as recorder:
        for _ in range(4):
            recorder.add(long)

    written = pyarrow.parquet.read_metadata(tmp_path / "games.parquet")

    assert [3 * 28, 28] == [written.row_group(at).num_rows for at in range(written.num_row_groups)]


def test_ctrl_c_leaves_a_readable_file_with_the_games_so_far(tmp_path):
    bot, count, file = tmp_path / "slow.py", tmp_path / "count", tmp_path / "games.parquet"
    bot.write_text(
        "import os\n\n\ndef decide(view, decision, actions):\n"
        f"    with open({str(count)!r}, 'a') as file:\n        print(os.getpid(), file=file)\n"
        "    return actions[0]\n"
    )
    count.touch()
    asked = ("--bots", bot, "--jobs", 2, "--games", 1_000_000, "--json", "--out", file)
    with session("simulate", "tides", *asked) as running:
        # Games are written in order: when both processes play their fourth game, the first ones are written.
        wait_until(
            lambda: (
                running.poll() is not None
                or (
                    len(answers := Counter(count.read_text().split())) == 2 and min(answers.values()) > 28 * 3
                )
            )
        )

        os.killpg(running.pid, signal.SIGINT)  # as a terminal signals the whole group
        told, complaints = running.communicate(timeout=PATIENCE)

    games = json.loads(told)["games"]
    assert games > 0
    assert list(range(games)) == sorted(set(pyarrow.parquet.read_table(file)["game"].to_pylist()))
    assert f"stopped after {games} of 1000000 games, and wrote {games} to {file}" in complaints
    assert "Traceback" not in complaints
    assert 130 == running.returncode


def test_without_pyarrow_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    done = simulate("tides", "--out", tmp_path / "games.parquet")

    assert 2 == done.returncode
    assert "python3 service/bootstrap.py --extra data" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess"], "there is no title chess"),
        (["tides", "--bots", "clever"], "--bots: there is no level clever"),
        (["tides", "--bots", "search:0"], "--bots: there is no level search:0"),
        (["tides", "--bots", "nowhere.py"], "--bots: there is no file nowhere.py"),
        (["tides", "--bots", " , "], "--bots: name at least one"),
        (["tides", "--seats", "3"], "tides is for 2 players"),
        (["tides", "--options", "{"], "--options:"),
        (["tides", "--options", '{"dance": 1}'], "--options:"),
        (["stone_age", "--options", '{"maxRounds": 0}'], "--options: max_rounds: must be"),
        (["tides", "--out", "none/games.parquet"], "cannot write none/games.parquet"),
        (["tides", "--out", "games.csv"], "games.csv does not end in .parquet"),
    ],
)
def test_what_cannot_be_played_or_written_is_said(arguments, why, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    done = simulate(*arguments)

    assert 2 == done.returncode
    assert why in done.stderr.replace("\n", " ")
    assert [] == list(tmp_path.iterdir())
