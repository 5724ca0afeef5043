"""Simulated games as a Parquet file."""

from __future__ import annotations

import json
import sys

import pyarrow.parquet
import pytest
from google.protobuf import json_format
from typer.testing import CliRunner

from gamehost.cli import app
from gamehost.codec.titles import TITLES
from gamehost.dataset import COLUMNS
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import replay


def simulated(title, path, *arguments, games=2):
    done = CliRunner().invoke(
        app, ["simulate", title, "--games", str(games), "--out", str(path), "--json", *arguments]
    )
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout), pyarrow.parquet.read_table(path).to_pylist()


@pytest.mark.parametrize("title", CATALOG)
def test_a_game_can_be_played_again_from_its_rows(title, tmp_path):
    codec, rules = TITLES[title], CATALOG[title]
    _, rows = simulated(title, tmp_path / "games.parquet", games=1)
    secret = rows[0]["seed"].encode()
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
    assert [0] * 28 + [1] * 28 == [row["game"] for row in rows]
    assert {"9:0", "9:1"} == {row["seed"] for row in rows}
    assert {"tides.prompt.choose_card", "tides.prompt.choose_relic"} == {row["kind"] for row in rows}
    scores = [sum(row["score"] for row in rows if row["seat"] == seat) / 28 for seat in (0, 1)]
    assert facts["mean_score_by_seat"] == pytest.approx(scores)


def test_a_file_changes_no_game(tmp_path):
    written, _ = simulated("tides", tmp_path / "games.parquet")
    done = CliRunner().invoke(app, ["simulate", "tides", "--games", "2", "--json"])

    assert json.loads(done.stdout)["mean_score_by_seat"] == written["mean_score_by_seat"]


def test_without_pyarrow_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    done = CliRunner().invoke(app, ["simulate", "tides", "--out", str(tmp_path / "games.parquet")])

    assert 2 == done.exit_code
    assert "pip install 'shedu-gamehost[data]'" in done.stderr.replace("\n", " ")


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    done = CliRunner().invoke(app, ["simulate", "tides", "--out", str(tmp_path / "none" / "games.parquet")])

    assert 2 == done.exit_code
    assert "games.parquet" in done.stderr.replace("\n", "")
