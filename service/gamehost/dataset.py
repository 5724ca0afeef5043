"""Simulated games as a Parquet file: one row for each decision, in the order of play.

| column   | type   | what it holds                                                                     |
|----------|--------|-----------------------------------------------------------------------------------|
| game     | int32  | number of the game in this file, from 0                                           |
| seed     | string | what the game was played from; the same seed plays the same game                  |
| title    | string | the title, e.g. `tides`                                                           |
| options  | string | the title's options, JSON                                                         |
| decision | int32  | number of the decision in its game, from 0                                        |
| seat     | int8   | who was asked                                                                     |
| kind     | string | what was asked: the id of the prompt, e.g. `tides.prompt.choose_card`             |
| view     | string | what the seat knew: the title's View, JSON as the API prints it                   |
| actions  | string | the legal actions: a JSON list of the title's Action, in the API's order          |
| choice   | int32  | which of them was taken, from 0                                                   |
| rank     | int8   | how the seat finished, 1 for first, equal ranks shared                            |
| score    | int32  | its final score                                                                   |
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from google.protobuf.message import Message

from gamehost.api.json_print import write
from gamehost.codec.titles import TITLES
from gamehost.rules.kit import AnyRules, Outcome
from gamehost.simulate import Answered

COLUMNS = {
    "game": "int32",
    "seed": "string",
    "title": "string",
    "options": "string",
    "decision": "int32",
    "seat": "int8",
    "kind": "string",
    "view": "string",
    "actions": "string",
    "choice": "int32",
    "rank": "int8",
    "score": "int32",
}


class NoPyarrow(Exception):
    """Parquet needs what is not installed; the message says how to get it."""


class ParquetRecorder:
    """Writes each game when it is over, so that a million games need no memory."""

    def __init__(self, rules: AnyRules, path: Path) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as error:
            raise NoPyarrow(
                "--out needs pyarrow, which is not installed: pip install 'shedu-gamehost[data]'"
            ) from error
        self._arrow, self._rules, self._codec = pyarrow, rules, TITLES[rules.title]
        self._options = printed(self._codec.options.encode(rules.options()))
        fields = [(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS.items()]
        self._writer = pyarrow.parquet.ParquetWriter(path, pyarrow.schema(fields), compression="zstd")
        self._answers: list[dict[str, Any]] = []

    def __enter__(self) -> ParquetRecorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    def note(self, answered: Answered) -> None:
        view = self._rules.view(answered.state, answered.decision.seat)
        actions = [printed(self._codec.action.encode(action)) for action in answered.actions]
        self._answers.append(
            {
                "decision": len(self._answers),
                "seat": answered.decision.seat,
                "kind": answered.decision.prompt.id,
                "view": printed(self._codec.view.encode(view)),
                "actions": f"[{','.join(actions)}]",
                "choice": answered.choice,
            }
        )

    def finish(self, number: int, seed: str, outcome: Outcome) -> None:
        game = {"game": number, "seed": seed, "title": self._rules.title, "options": self._options}
        rows = [
            {**game, **answer, "rank": outcome.ranks[answer["seat"]], "score": outcome.scores[answer["seat"]]}
            for answer in self._answers
        ]
        self._writer.write_table(self._arrow.Table.from_pylist(rows, schema=self._writer.schema))
        self._answers.clear()


def printed(message: Message) -> str:
    return write(message).decode()
