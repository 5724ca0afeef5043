"""A finished game as histories, statistics and ratings need it, and whether it counts for ratings."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gamehost.play.table.events import MoveUndone, Visibility
from gamehost.play.table.table import Chair, EventRecord, Table, grouped_by_cause

BOT_PLAYER = "bot:"
"""Prefix of the player key of a hosted bot; its level follows."""


@dataclass(frozen=True, slots=True)
class FinishedSeat:
    """A seat of a finished game. `player` is "" for a bot or a person without an identity."""

    player: str
    bot_level: str
    rank: int
    score: int | None

    @property
    def rating_key(self) -> str:
        """The name under which the seat is rated; "" if it cannot be."""
        return f"{BOT_PLAYER}{self.bot_level}" if self.bot_level else self.player


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that has ended. `end` is in microseconds since 1970, `length` counts the title's events."""

    game_id: str
    title: str
    end: int
    seats: tuple[FinishedSeat, ...]
    reason: str
    length: int
    rated: bool
    public: bool

    @property
    def order(self) -> tuple[int, str]:
        """The sort key of the order in which games change ratings."""
        return self.end, self.game_id

    @property
    def ranks(self) -> list[tuple[str, int]]:
        """The rated players and their ranks, by seat."""
        return [(seat.rating_key, seat.rank) for seat in self.seats]

    def seats_of(self, player: str) -> list[int]:
        """Return the seats of a player."""
        return [number for number, seat in enumerate(self.seats) if seat.player == player]


def encode_game(game: FinishedGame) -> bytes:
    """Return a finished game as JSON."""
    return json.dumps(asdict(game)).encode()


def decode_game(value: bytes) -> FinishedGame:
    """Return the game that `encode_game` was given."""
    fields: dict[str, Any] = json.loads(value)
    seats = tuple(FinishedSeat(**seat) for seat in fields.pop("seats"))
    return FinishedGame(seats=seats, **fields)


def finished_game(table: Table, end: int, players: Sequence[str], *, rated: bool) -> FinishedGame:
    """Return the record of a game; `players` has the player key of each seat, "" for those without one."""
    outcome = table.outcome
    if outcome is None or not outcome.ranks:
        raise ValueError(f"{table.game_id} has no ranking")
    scores: Sequence[int | None] = outcome.scores or (None,) * len(table.chairs)
    seats = tuple(
        FinishedSeat("" if is_bot(chair) else player, chair.bot_level if is_bot(chair) else "", rank, score)
        for chair, player, rank, score in zip(table.chairs, players, outcome.ranks, scores, strict=True)
    )
    public = table.created.visibility is Visibility.PUBLIC
    return FinishedGame(
        table.game_id, table.rules.title, end, seats, outcome.reason, table.position, rated, public
    )


def is_bot(chair: Chair) -> bool:
    """Whether a hosted bot has had the seat from the start; a bot that plays for a person does not count."""
    return bool(chair.bot_level) and not chair.taken_over and not chair.resigned


def can_be_rated(table: Table) -> bool:
    """Whether a finished game counts for ratings, apart from undos.

    It must have been created as rated, have ended with a ranking, and have different players on its seats.
    """
    players = [
        f"{BOT_PLAYER}{seat}" if is_bot(chair) else chair.caller_id for seat, chair in enumerate(table.chairs)
    ]
    return (
        table.created.rated
        and table.created.fork_of is None
        and table.outcome is not None
        and len(table.outcome.ranks) == len(table.chairs) > 1
        and all(players)
        and len(set(players)) == len(players)
        and not all(is_bot(chair) for chair in table.chairs)
        and distinct_levels(table.chairs)
    )


def distinct_levels(chairs: Sequence[Chair]) -> bool:
    """Whether no two bots have the same level: they are one player, which cannot play against itself."""
    levels = [chair.bot_level for chair in chairs if is_bot(chair)]
    return len(set(levels)) == len(levels)


def undid_revealed(records: Iterable[EventRecord], final: Collection[type[Any]]) -> bool:
    """Whether an undo in this log took back an event that had revealed something."""
    batches: list[list[EventRecord]] = []
    for batch in grouped_by_cause(records):
        for undone in (record.event for record in batch if isinstance(record.event, MoveUndone)):
            while batches and batches[-1][-1].version > undone.to_version:
                if any(type(record.event) in final for record in batches.pop()):
                    return True
        batches.append(batch)
    return False
