"""A finished game as a file, and back."""

from __future__ import annotations

import json

import pytest

from gamehost.codec import export
from gamehost.codec.export import BadExport, Exported, parse, recorded
from gamehost.codec.titles import TITLES
from gamehost.codec.wire import OUTCOME, WireCodec
from gamehost.play.table import fold, open_table
from gamehost.rules.catalog import CATALOG
from luck.games import finished

CODEC = WireCodec(TITLES)
EACH = pytest.mark.parametrize("title", CATALOG)


def folded(game: Exported):
    found = recorded(CODEC, game)
    return fold(open_table(found.game_id, found.rules, found.records[0]), found.records[1:])


@EACH
async def test_a_file_is_read_as_it_was_written(title):
    game = await finished(title)

    again = parse(export.lines(game))

    assert game == again


@EACH
async def test_a_file_folds_offline_to_the_same_outcome(title):
    game = parse(export.lines(await finished(title)))

    assert folded(game).outcome == OUTCOME.decode(game.game.outcome)
    assert folded(game).rules.outcome(folded(game).state) == OUTCOME.decode(game.game.outcome)


async def test_the_header_says_what_is_played_by_whom_and_under_which_rules():
    header, *_, last = map(json.loads, export.lines(await finished("tides")))

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


def replaced(lines: list[str], at: int, **fields: object) -> list[str]:
    row = json.loads(lines[at]) | fields
    return [*lines[:at], json.dumps(row), *lines[at:][1:]]


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
        (lambda lines: replaced(lines, 9, tides={}), "nothing known is set"),
    ],
)
async def test_a_file_that_cannot_be_read_says_why(spoil, why):
    lines = list(export.lines(await finished("tides")))

    with pytest.raises(BadExport) as refused:
        recorded(CODEC, parse(spoil(lines)))

    assert why in str(refused.value)
