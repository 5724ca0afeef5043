"""Simulated games as a Parquet file: one row for each decision, in the order of play.

| column   | type   | what it holds                                                                     |
|----------|--------|-----------------------------------------------------------------------------------|
| game     | int32  | number of the game, from 0; one that a bot forfeited is left out                  |
| seed     | string | the key of the game's luck, in hex, as `SeededChance` takes it                    |
| title    | string | the title, e.g. `tides`                                                           |
| options  | string | the title's options, JSON                                                         |
| decision | int32  | number of the decision in its game, from 0                                        |
| seat     | int8   | who was asked                                                                     |
| bot      | string | who answered for the seat: a level or a file of `--bots`, e.g. `search:200`       |
| kind     | string | what was asked: the id of the prompt, e.g. `tides.prompt.choose_card`             |
| view     | string | what the seat knew: the title's View, JSON as the API prints it                   |
| actions  | string | the legal actions: a JSON list of the title's Action, in the API's order          |
| choice   | int32  | which of them was taken, from 0                                                   |
| rank     | int8   | how the seat finished, 1 for first, equal ranks shared                            |
| score    | int32  | its final score                                                                   |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from google.protobuf.message import Message

from gamehost.api.transports.rest.json_write import write
from gamehost.codec.titles import TITLES
from gamehost.play.table.table import Table
from gamehost.rules.kit import Decision
from gamehost.simulate import Row, Simulated

COLUMNS = {
    "game": "int32",
    "seed": "string",
    "title": "string",
    "options": "string",
    "decision": "int32",
    "seat": "int8",
    "bot": "string",
    "kind": "string",
    "view": "string",
    "actions": "string",
    "choice": "int32",
    "rank": "int8",
    "score": "int32",
}
SUFFIX = ".parquet"
# Whatever comes first ends a row group: neither the file's footer nor our memory grows with every game.
ROWS = 50_000
LETTERS = 64_000_000  # in views and actions
LONG = {"options", "view", "actions"}  # columns whose least and greatest value say nothing


class NoPyarrow(Exception):
    """Parquet needs what is not installed; the message says how to get it."""


class ParquetRecorder:
    """Keeps some games, then writes them at once as a row group; the last ones when it is left."""

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as error:
            raise NoPyarrow(
                "--out needs pyarrow, which is not installed: python3 service/bootstrap.py --extra data"
            ) from error
        self._arrow, self.games = pyarrow, 0
        fields = [(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS.items()]
        self._writer = pyarrow.parquet.ParquetWriter(
            path,
            pyarrow.schema(fields),
            compression="zstd",
            write_statistics=[name for name in COLUMNS if name not in LONG],
        )
        self._rows: list[Row] = []
        self._letters = 0

    def __enter__(self) -> ParquetRecorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Whatever stopped the games, those before it are in the file."""
        try:
            self._write()
        finally:
            self._writer.close()

    def add(self, game: Simulated) -> None:
        if game.scores is None:
            return
        answered = list(rows(game))
        self._rows += answered
        self._letters += sum(len(row["view"]) + len(row["actions"]) for row in game.rows)
        self.games += 1
        if len(self._rows) >= ROWS or self._letters >= LETTERS:
            self._write()

    def _write(self) -> None:
        if not self._rows:
            return
        table = self._arrow.Table.from_pylist(self._rows, schema=self._writer.schema)
        self._rows, self._letters = [], 0
        self._writer.write_table(table)


def note(table: Table, decision: Decision, actions: Sequence[Any], choice: int) -> Row:
    """What is known of a decision when it is answered."""
    codec = TITLES[table.rules.title]
    legal = [printed(codec.action.encode(action)) for action in actions]
    return {
        "seat": decision.seat,
        "kind": decision.prompt.id,
        "view": printed(codec.view.encode(table.view(decision.seat))),
        "actions": f"[{','.join(legal)}]",
        "choice": choice,
    }


def rows(game: Simulated) -> Iterator[Row]:
    """The decisions of a game that came to its end, with what is known of the whole game."""
    fixture, scores = game.fixture, game.scores
    assert scores is not None
    common = {
        "game": fixture.number,
        "seed": fixture.secret.hex(),
        "title": fixture.title,
        "options": printed(TITLES[fixture.title].options.encode(fixture.options)),
    }
    for number, row in enumerate(game.rows):
        seat = row["seat"]
        own = {"bot": fixture.players[seat].name, "rank": game.ranks[seat], "score": scores[seat]}
        yield {**common, "decision": number, **row, **own}


def printed(message: Message) -> str:
    return write(message).decode()
