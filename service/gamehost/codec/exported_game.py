"""Reads finished games from the JSON lines that `shedu.exporting` writes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from gamehost.play.table.events import GameCreated
from gamehost.play.table.table import EventRecord
from gamehost.rules.kit import AnyRules, Outcome
from shedu import exporting
from shedu.exporting import FORMAT, FORMAT_VERSION
from shedu.v1 import game_pb2

from .messages import OUTCOME
from .store_codec import StoreCodec

# Fields of the header that the first event has as well. They must agree.
REPEATED_FIELDS = ("title", "rules_version", "commitment", "options", "reveal", "fork_of")

M = TypeVar("M", bound=Message)


class InvalidExport(ValueError):
    """The file is not an exported game, or this release cannot read it; the message says why."""


@dataclass(frozen=True, slots=True)
class ExportedGame:
    """An exported game as messages."""

    game: game_pb2.Game
    events: Sequence[game_pb2.Event]

    @property
    def seed(self) -> bytes | None:
        """The seed; None if the game does not reveal it."""
        seeds = (event.seed_revealed.seed for event in self.events if event.HasField("seed_revealed"))
        return next(seeds, None) or None

    @property
    def outcome(self) -> Outcome:
        outcome: Outcome = OUTCOME.decode(self.game.outcome)
        return outcome


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """An exported game as dataclasses of `play`."""

    game_id: str
    rules: AnyRules
    records: Sequence[EventRecord]
    seed: bytes | None
    outcome: Outcome

    @property
    def created(self) -> GameCreated:
        created: GameCreated = self.records[0].event
        return created

    @property
    def same_rules(self) -> bool:
        """Whether the game was played by the rules of this release."""
        return self.created.rules_version == self.rules.version


def export_lines(exported: ExportedGame) -> Iterator[str]:
    return exporting.lines(exported.game, exported.events)


def parse_export(text: Iterable[str]) -> ExportedGame:
    """Parses the lines of an exported game: header, events, outcome. Raises InvalidExport."""
    rows = [_row(number, line) for number, line in enumerate(text, 1) if line.strip()]
    if not rows or rows[0].pop("format", None) != FORMAT:
        raise InvalidExport("this is not an exported game")
    version = rows[0].pop("formatVersion", None)
    if version != FORMAT_VERSION:
        raise InvalidExport(f"this release reads format {FORMAT_VERSION} of exported games, not {version}")
    if set(rows[-1]) != {"outcome"}:
        raise InvalidExport("the outcome, which is the last line, is missing")
    game = _message(1, rows[0] | rows[-1], game_pb2.Game())
    events = [_message(number, row, game_pb2.Event()) for number, row in enumerate(rows[1:-1], 2)]
    return ExportedGame(game, events)


def recorded_game(codec: StoreCodec, exported: ExportedGame) -> RecordedGame:
    """Decodes an exported game. Raises InvalidExport."""
    title = codec.titles.get(exported.game.title)
    if title is None:
        raise InvalidExport(f"this release does not know the title {exported.game.title!r}")
    if not exported.events or not exported.events[0].HasField("game_created"):
        raise InvalidExport("the first event does not create the game")
    created = exported.events[0].game_created
    differing = [name for name in REPEATED_FIELDS if getattr(created, name) != getattr(exported.game, name)]
    if differing:
        raise InvalidExport(f"the header and the first event disagree on {', '.join(differing)}")
    # A file may come from anybody: with a wrong number of seats the rules would fail in unforeseen ways.
    if created.seat_count not in title.rules.seats:
        raise InvalidExport(f"{title.rules.name} has no {created.seat_count} seats")
    try:
        records = [codec.record(event) for event in exported.events]
    except ValueError as error:
        raise InvalidExport(str(error)) from error
    game_id = exported.game.game_id
    return RecordedGame(game_id, title.rules, records, exported.seed, exported.outcome)


def _row(number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise InvalidExport(f"line {number} is not a JSON object")
    return row


def _message(number: int, row: dict[str, Any], into: M) -> M:
    try:
        return json_format.ParseDict(row, into)
    except json_format.ParseError as error:
        raise InvalidExport(f"line {number} is not a {into.DESCRIPTOR.full_name}: {error}") from error
