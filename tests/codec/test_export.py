"""Tests of the export of a finished game, and of reading it back."""

from __future__ import annotations

import json

import pytest

from gamehost.codec import exported_game
from gamehost.codec.exported_game import ExportedGame, InvalidExport, parse_export, recorded_game
from gamehost.codec.messages import OUTCOME
from gamehost.codec.store_codec import StoreCodec
from gamehost.codec.titles import TITLES
from gamehost.commands.recorded.files import read_exported
from gamehost.play.table.table import fold, open_table
from gamehost.rules.catalog import CATALOG
from luck.games import finished
from shedu.v1 import game_pb2

CODEC = StoreCodec(TITLES)
EACH = pytest.mark.parametrize("title", CATALOG)


def folded(game: ExportedGame):
    found = recorded_game(CODEC, game)
    return fold(open_table(found.game_id, found.rules, found.records[0]), found.records[1:])


@EACH
async def test_a_file_is_read_as_it_was_written(title):
    game = await finished(title)

    again = parse_export(exported_game.export_lines(game))

    assert game == again


@EACH
async def test_a_file_folds_offline_to_the_same_outcome(title):
    game = parse_export(exported_game.export_lines(await finished(title)))

    assert folded(game).outcome == OUTCOME.decode(game.game.outcome)
    assert folded(game).rules.outcome(folded(game).state) == OUTCOME.decode(game.game.outcome)


async def test_the_header_says_what_is_played_by_whom_and_under_which_rules():
    header, *_, last = map(json.loads, exported_game.export_lines(await finished("tides")))

    assert ("shedu-game", 1, "tides", 1) == (
        header["format"],
        header["formatVersion"],
        header["title"],
        header["rulesVersion"],
    )
    assert ["Player 0", "Player 1"] == [seat["displayName"] for seat in header["seats"]]
    assert {"options", "commitment", "gameId"} <= header.keys()
    assert "outcome" not in header
    assert ["outcome"] == list(last)


async def test_a_name_that_breaks_lines_elsewhere_breaks_none_here(tmp_path):
    game = await finished("tides")
    game = ExportedGame(game_pb2.Game.FromString(game.game.SerializeToString()), game.events)
    game.game.seats[0].display_name = "a\u2028b\x85c\x0bd"
    file = tmp_path / "game.jsonl"
    file.write_text("".join(f"{line}\n" for line in exported_game.export_lines(game)), encoding="utf-8")

    assert game == read_exported(file)


def replaced(lines: list[str], at: int, **fields: object) -> list[str]:
    row = json.loads(lines[at]) | fields
    return [*lines[:at], json.dumps(row), *lines[at:][1:]]


def recreated(lines: list[str], **fields: object) -> list[str]:
    return replaced(lines, 1, gameCreated=json.loads(lines[1])["gameCreated"] | fields)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda lines: [], "not an exported game"),
        (lambda lines: ["hello"], "line 1 is not a JSON object"),
        (lambda lines: ["[]"], "line 1 is not a JSON object"),
        (lambda lines: lines[1:], "not an exported game"),
        (lambda lines: lines[:-1], "the outcome, which is the last line, is missing"),
        (lambda lines: replaced(lines, 0, formatVersion=2), "reads format 1 of exported games, not 2"),
        (lambda lines: replaced(lines, 0, title="chess"), "does not know the title 'chess'"),
        (lambda lines: replaced(lines, 0, rulesVersion=7), "disagree on rules_version"),
        (lambda lines: replaced(lines, 3, dance=True), "line 4 is not a shedu.v1.Event"),
        (lambda lines: [lines[0], *lines[2:]], "the first event does not create the game"),
        (lambda lines: replaced(lines, 9, tides={}), "no known case is set"),
        (lambda lines: recreated(lines, visibility=7), "visibility 7"),
        (lambda lines: recreated(lines, visibility="VISIBILITY_UNSPECIFIED"), "visibility 0"),
        (lambda lines: recreated(lines, seatCount=3), "3 seats"),
        (lambda lines: recreated(lines, seatCount=2**32 - 1), "4294967295 seats"),
    ],
)
async def test_a_file_that_cannot_be_read_says_why(spoil, why):
    lines = list(exported_game.export_lines(await finished("tides")))

    with pytest.raises(InvalidExport) as refused:
        recorded_game(CODEC, parse_export(spoil(lines)))

    assert why in str(refused.value)
