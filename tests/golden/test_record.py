"""`python3 tests record` writes what a title asks for, and says what it cannot find or does not know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from . import record
from .games import read


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Returns the folder in which the games of this test are recorded: only the first of those of tides."""
    monkeypatch.setattr(record, "golden_path", lambda title, name: tmp_path / "golden" / f"{name}.jsonl")
    monkeypatch.setattr(record, "WANTED", {"tides": record.WANTED["tides"][:1]})
    return tmp_path / "golden"


def test_games_are_recorded_and_others_are_named(folder, capsys):
    [wanted] = record.WANTED["tides"]
    folder.mkdir()
    (folder / "outdated.jsonl").touch()

    record.main(["tides"])

    assert wanted.found(read(folder / f"{wanted.name}.jsonl"))
    said = capsys.readouterr()
    assert f"wrote: {wanted.name}.jsonl\n" == said.out
    assert "outdated.jsonl: no game of tides asks for it; delete it unless a release has it.\n" == said.err


def test_a_condition_that_no_game_meets_is_named(folder, monkeypatch):
    never = replace(record.WANTED["tides"][0], name="never", found=lambda game: False)
    monkeypatch.setattr(record, "WANTED", {"tides": (never,)})
    monkeypatch.setattr(record, "MOST_GAMES", 2)

    with pytest.raises(SystemExit, match="None of 2 games of tides is never: change its condition"):
        record.main(["tides"])


@pytest.mark.parametrize("titles", [[], ["chess"], ["tides", "chess"]])
def test_what_to_record_is_asked_for(folder, titles):
    with pytest.raises(SystemExit, match="Name titles to record: tides"):
        record.main(titles)

    assert not folder.exists()
