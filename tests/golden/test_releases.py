"""Tests that this release reads the logs of every release, and shows what was shown then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gamehost.commands.recorded.verify import verify_game
from gamehost.play.table.events import Reveal, Visibility
from gamehost.play.table.table import Status
from gamehost.rules.catalog import CATALOG
from gamehost.titles.tides.rules.rules import Tides
from luck.games import exported
from support.releases import previous_files

from . import releases
from .releases import (
    RELEASES,
    golden_games,
    kept_for_ever,
    load,
    lost,
    main,
    packed,
    reading,
    recorded,
    released,
    spoilt,
    table_events,
    uncovered,
    unpacked,
)
from .scenarios import SCENARIOS

RECORDINGS = {release: load(release) for release in released()}
LOGS = [log for recording in RECORDINGS.values() for log in recording.logs]
EACH = pytest.mark.parametrize("log", LOGS, ids=[f"{log.release}/{log.name}" for log in LOGS])
TESTS = Path(__file__).parent.parent
EACH_RELEASE = pytest.mark.parametrize("recording", RECORDINGS.values(), ids=RECORDINGS)
OLDEST = RECORDINGS["0.2.0"]


@EACH
async def test_a_log_is_seen_as_it_was(log):
    assert [] == list(lost(log.seen, (await reading(log)).seen))


@EACH
async def test_a_log_is_listed_as_it_was(log):
    """From the stored summary, which its release wrote."""
    read = await reading(log)
    codec = read.service.codec

    summary = codec.decode_table(log.kept.game, log.kept.summary)

    assert codec.renderer.game(read.table) == codec.renderer.game(summary)


@EACH
async def test_a_log_that_may_be_told_is_verified(log):
    read = await reading(log)
    table = read.table
    told = table.created.reveal is Reveal.FULL and table.created.visibility is not Visibility.PRIVATE
    if not told or table.status is not Status.FINISHED or len(log.kept.events) > 400:
        return
    if table.created.rules_version != table.rules.version:
        return

    verdict = verify_game(await exported(read.service, log.kept.game))

    assert verdict.verified, verdict.text


# What is recorded


@EACH_RELEASE
def test_what_a_release_recorded_is_all_there_and_known_today(recording):
    assert [] == list(spoilt(recording, golden_games(), CATALOG, table_events()))


def test_nothing_that_the_previous_release_had_recorded_has_changed():
    """Compares the files themselves, independently of the manifests."""
    found = (path for folder in ("golden", "titles") for path in (TESTS / folder).rglob("*"))
    today = {str(path.relative_to(TESTS)): path.read_bytes() for path in found if path.is_file()}

    then, now = kept_for_ever(previous_files("tests")), kept_for_ever(today)

    assert then
    assert set() == {name for name, data in then.items() if now.get(name) != data}


def test_a_release_that_is_packed_now_has_what_its_folder_had():
    folder = {f"releases/1.0.0/tides/{name}": name.encode() for name in ("a.json.gz", "a.seen.gz")}
    files = {"tides/won.jsonl": b"{}", "releases/previous.json": b"{}", "plain.py": b""}
    zipped = {
        "releases/1.0.0.zip": packed({"tides/a.json.gz": b"a.json.gz", "tides/a.seen.gz": b"a.seen.gz"})
    }

    before, after = (
        kept_for_ever(files | folder),
        kept_for_ever(files | zipped | {"releases/1.0.0.json": b"[]"}),
    )

    assert folder | {"tides/won.jsonl": b"{}"} == before
    assert before | {"releases/1.0.0.json": b"[]"} == after


def test_every_release_has_its_pack_and_its_manifest_and_there_is_nothing_else():
    expected = {f"{release}{suffix}" for release in RECORDINGS for suffix in (".zip", ".json")}

    assert expected | {"previous.json"} == {path.name for path in RELEASES.iterdir()}


# Growth


def test_a_release_that_knows_more_finds_nothing_spoilt_in_an_older_one():
    titles, events = {*CATALOG, "invented"}, table_events() | {"table_invented"}
    more = golden_games() | {"invented/won.jsonl": b"{}", "tides/invented.jsonl": b"{}"}

    assert [] == list(spoilt(OLDEST, more, titles, events))


class Invented(Tides):
    title = "invented"


async def test_logs_are_read_as_they_were_beside_a_new_title(monkeypatch):
    monkeypatch.setitem(CATALOG, "invented", Invented())
    monkeypatch.setattr(releases, "READINGS", {})
    logs = {log.title: log for log in OLDEST.logs if len(log.kept.events) < 100}

    found = [difference for log in logs.values() for difference in lost(log.seen, (await reading(log)).seen)]

    assert {*OLDEST.manifest["titles"]} == logs.keys()
    assert [] == found


NAME = "tides/own_options.json.gz"
GAME = "tides/own_options.jsonl"


@pytest.mark.parametrize(
    ("members", "games", "titles", "events", "why"),
    [
        ({NAME: None}, {}, [], [], [f"the member {NAME} is lost"]),
        ({NAME: OLDEST.members[NAME] + b"\0"}, {}, [], [], [f"the member {NAME} has changed"]),
        ({"tides/late.seen.gz": b""}, {}, [], [], ["the member tides/late.seen.gz was not recorded"]),
        ({}, {GAME: None}, [], [], [f"the golden game {GAME} is lost"]),
        ({}, {GAME: b"{}"}, [], [], [f"the golden game {GAME} has changed"]),
        ({}, {}, ["tides"], [], ["the title tides is unknown now"]),
        ({}, {}, [], ["seat_left"], ["the event seat_left is unknown now"]),
    ],
    ids=["lost", "changed", "added", "game lost", "game changed", "title unknown", "event unknown"],
)
def test_what_is_lost_or_changed_or_unknown_is_noticed(members, games, titles, events, why):
    """In the parameters, None stands for a file that was removed."""
    changed = {name: data for name, data in (OLDEST.members | members).items() if data is not None}
    golden = {name: data for name, data in (golden_games() | games).items() if data is not None}
    recording = replace(OLDEST, members=changed)

    found = spoilt(recording, golden, {*CATALOG} - {*titles}, table_events() - {*events})

    assert why == list(found)


def test_a_title_or_a_table_event_without_a_log_is_noticed():
    manifest = OLDEST.manifest
    grown = {
        "titles": [*manifest["titles"], "invented"],
        "table_events": [*manifest["table_events"], "table_invented"],
    }

    found = uncovered(replace(OLDEST, manifest=manifest | grown))

    assert ["no log of the title invented", "no log with the event table_invented"] == list(found)


# Recording


async def test_a_recording_of_this_release_covers_its_titles_and_table_events(tmp_path):
    recording = await recorded("9.9.9", [GAME])
    recording.write(tmp_path)

    assert [] == list(spoilt(load("9.9.9", tmp_path), golden_games(), CATALOG, table_events()))
    assert sorted(["own_options", *SCENARIOS]) == sorted(log.name.split("/")[1] for log in recording.logs)
    assert {*CATALOG} == {log.title for log in recording.logs}
    for log in recording.logs:
        assert [] == list(lost(log.seen, (await reading(log)).seen))


def test_the_same_members_give_the_same_pack():
    members = {"tides/b.seen.gz": b"b", "tides/a.json.gz": b"a"}

    again = packed(dict(reversed(members.items())))

    assert packed(members) == again
    assert members == unpacked(again)


def test_a_release_is_recorded_once():
    with pytest.raises(SystemExit, match="never recorded again"):
        main("0.2.0")


def test_a_release_whose_logs_would_not_cover_it_is_not_recorded(tmp_path, monkeypatch):
    async def nothing(release, games):
        return replace(OLDEST, release=release, members={})

    monkeypatch.setattr(releases, "recorded", nothing)

    with pytest.raises(SystemExit, match=r"would be missing: no log of the title stone_age"):
        main("9.9.9", tmp_path)

    assert [] == list(tmp_path.iterdir())


def test_something_that_is_not_seen_any_more_is_missed():
    then = {"a": 1, "b": [{"c": 2}, {"d": 3}]}

    assert [] == list(lost(then, {"a": 1, "b": [{"c": 2, "new": 0}, {"d": 3}], "more": 1}))
    assert [".b[1].d: 3 then, None now"] == list(lost(then, {"a": 1, "b": [{"c": 2}, {}]}))
    assert 1 == len(list(lost(then, {"a": 1, "b": [{"c": 2}]})))
