"""Writes simulated games as a Parquet file: one row for each decision, in the order of play.

| column   | type   | content                                                                           |
|----------|--------|-----------------------------------------------------------------------------------|
| game     | int32  | number of the game, from 0; forfeited games are left out                          |
| seed     | string | the seed of the game's random numbers, in hex, as `SeededChance` takes it         |
| title    | string | the title, e.g. `tides`                                                           |
| options  | string | the title's options, JSON                                                         |
| decision | int32  | number of the decision in its game, from 0                                        |
| seat     | int8   | the seat that decides                                                             |
| bot      | string | the bot on the seat: a level or a file of `--bots`, e.g. `search:200`             |
| kind     | string | the id of the prompt, e.g. `tides.prompt.choose_card`                             |
| view     | string | the title's View of the seat, as JSON in the form of the API                      |
| actions  | string | the legal actions: a JSON list of the title's Action, in the API's order          |
| choice   | int32  | index of the chosen action, from 0                                                |
| rank     | int8   | final rank of the seat, 1 for first, equal ranks shared                           |
| score    | int32  | final score of the seat                                                           |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from google.protobuf.message import Message

from gamehost.codec.json_write import write_message
from gamehost.codec.titles import TITLES
from gamehost.extras import install_command
from gamehost.play.table.table import Table
from gamehost.rules.kit import Decision
from gamehost.simulate import Row, SimulatedGame

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
# Either limit ends a row group. Small groups would make the file's footer grow with every game; without a
# limit all rows would stay in memory until the end.
MAX_ROWS = 50_000
MAX_CHARACTERS = 64_000_000  # in views and actions
WITHOUT_STATISTICS = {"options", "view", "actions"}  # min and max of long JSON texts are useless and large


class NoPyarrow(Exception):
    """pyarrow is not installed; the message says how to install it."""


class ParquetRecorder:
    """A context manager that buffers games and writes them as row groups, the last one on exit."""

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as error:
            raise NoPyarrow(
                f"--out needs pyarrow, which is not installed: {install_command('data')}"
            ) from error
        self._arrow, self.games = pyarrow, 0
        fields = [(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS.items()]
        self._writer = pyarrow.parquet.ParquetWriter(
            path,
            pyarrow.schema(fields),
            compression="zstd",
            write_statistics=[name for name in COLUMNS if name not in WITHOUT_STATISTICS],
        )
        self._rows: list[Row] = []
        self._characters = 0

    def __enter__(self) -> ParquetRecorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the buffered games, also after an exception or Ctrl-C."""
        try:
            self._write()
        finally:
            self._writer.close()

    def add(self, game: SimulatedGame) -> None:
        if game.scores is None:
            return
        complete = list(rows(game))  # before the buffer changes: Ctrl-C must not leave half a game in it
        self._rows += complete
        self._characters += sum(len(row["view"]) + len(row["actions"]) for row in game.rows)
        self.games += 1
        if len(self._rows) >= MAX_ROWS or self._characters >= MAX_CHARACTERS:
            self._write()

    def _write(self) -> None:
        if not self._rows:
            return
        table = self._arrow.Table.from_pylist(self._rows, schema=self._writer.schema)
        self._rows, self._characters = [], 0
        self._writer.write_table(table)


def decision_row(table: Table, decision: Decision, actions: Sequence[Any], choice: int) -> Row:
    """Return the columns that are known when the decision is made."""
    codec = TITLES[table.rules.title]
    legal = [to_json(codec.action.encode(action)) for action in actions]
    return {
        "seat": decision.seat,
        "kind": decision.prompt.id,
        "view": to_json(codec.view.encode(table.view(decision.seat))),
        "actions": f"[{','.join(legal)}]",
        "choice": choice,
    }


def rows(game: SimulatedGame) -> Iterator[Row]:
    """Yield the complete rows of a finished game."""
    fixture, scores = game.fixture, game.scores
    assert scores is not None
    common = {
        "game": fixture.number,
        "seed": fixture.secret.hex(),
        "title": fixture.title,
        "options": to_json(TITLES[fixture.title].options.encode(fixture.options)),
    }
    for number, row in enumerate(game.rows):
        seat = row["seat"]
        own = {"bot": fixture.players[seat].name, "rank": game.ranks[seat], "score": scores[seat]}
        yield {**common, "decision": number, **row, **own}


def to_json(message: Message) -> str:
    return write_message(message).decode()
