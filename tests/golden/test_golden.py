"""Tests that recorded games fold and are decided as they were recorded."""

from __future__ import annotations

import pytest

from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import replay

from .games import golden_name, golden_paths, known, write
from .record import WANTED

PATHS = golden_paths()
EACH = pytest.mark.parametrize("path", PATHS, ids=[*map(golden_name, PATHS)])


def read_current(path):
    golden = known(path)
    if golden.rules_version != golden.rules.version:
        pytest.skip("recorded under other rules")
    return golden


@pytest.mark.parametrize("title", CATALOG)
def test_a_title_has_its_games_recorded(title):
    recorded = {path.stem for path in golden_paths(title)}

    assert {wanted.name for wanted in WANTED[title]} <= recorded


@EACH
def test_folding_the_events_gives_the_outcome(path):
    golden = known(path)

    assert golden.outcome == golden.rules.outcome(replay(golden.rules, golden.events))


@EACH
def test_deciding_again_gives_the_same_game(path):
    golden = read_current(path)

    again = golden.decided_again()

    assert golden.moves == again.moves
    assert golden.outcome == again.outcome


@EACH
def test_a_recording_is_written_as_it_was_read(path, tmp_path):
    write(known(path), tmp_path / "again.jsonl")

    assert path.read_text() == (tmp_path / "again.jsonl").read_text()


@EACH
def test_a_recording_shows_what_it_says(path):
    golden = read_current(path)
    wanted = {wanted.name: wanted for wanted in WANTED[golden.title]}

    assert path.stem not in wanted or wanted[path.stem].found(golden)
