"""Recorded games: one line for the game, then one for each move and each of its events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from gamehost.codec.title import union_of
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import AnyRules, Outcome, Seat, replay

from .plain import from_plain, to_plain

TITLES = Path(__file__).parent.parent / "titles"


def golden_paths(title: str = "*") -> list[Path]:
    """Returns the recorded games of one or all titles: `tests/titles/<title>/golden/<name>.jsonl`."""
    return sorted(TITLES.glob(f"{title}/golden/*.jsonl"))


def golden_path(title: str, name: str) -> Path:
    return TITLES / title / "golden" / f"{name}.jsonl"


def golden_name(path: Path) -> str:
    """Returns title and file name, such as `tides/shared_win.jsonl`."""
    return f"{path.parent.parent.name}/{path.name}"


@dataclass(frozen=True)
class Move:
    """An action of a seat and its events; the setup has no seat and no action."""

    seat: Seat | None
    action: Any
    events: tuple[Any, ...]


@dataclass(frozen=True)
class Golden:
    title: str
    shows: str
    rules_version: int
    options: Any
    seats: int
    seed: bytes
    outcome: Outcome
    moves: tuple[Move, ...]

    @property
    def rules(self) -> AnyRules:
        return CATALOG[self.title]

    @property
    def events(self) -> list[Any]:
        return [event for move in self.moves for event in move.events]

    def decided_again(self) -> Golden:
        """Decides the same actions with today's rules and the same luck."""
        return decided(self, [(move.seat, move.action) for move in self.moves[1:]])


def decided(golden: Golden, answers: list[tuple[Seat, Any]]) -> Golden:
    rules, told = golden.rules, 0
    moves = [Move(None, None, tuple(rules.setup(golden.options, golden.seats, SeededChance(golden.seed, 0))))]
    state = replay(rules, moves[0].events)
    for seat, action in answers:
        told += len(moves[-1].events)
        events = tuple(rules.decide(state, seat, action, SeededChance(golden.seed, told)))
        moves.append(Move(seat, action, events))
        state = replay(rules, events, state)
    return replace(golden, moves=tuple(moves), outcome=rules.outcome(state))


def write(golden: Golden, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(golden)))


def lines(golden: Golden) -> Iterator[dict[str, Any]]:
    header = {name: getattr(golden, name) for name in ("title", "shows", "rules_version", "seats")}
    plain = {name: to_plain(getattr(golden, name)) for name in ("options", "outcome")}
    yield header | plain | {"seed": golden.seed.hex()}
    for move in golden.moves:
        if move.seat is not None:
            yield {"seat": move.seat, "action": to_plain(move.action)}
        yield from ({"event": to_plain(event)} for event in move.events)


def read(path: Path) -> Golden:
    header, *rest = map(json.loads, path.read_text().splitlines())
    rules = CATALOG[header["title"]]
    return Golden(
        **{name: header[name] for name in ("title", "shows", "rules_version", "seats")},
        options=from_plain(rules.options, header["options"]),
        outcome=from_plain(Outcome, header["outcome"]),
        seed=bytes.fromhex(header["seed"]),
        moves=tuple(read_moves(rules, rest)),
    )


@cache
def known(path: Path) -> Golden:
    """Returns a recorded game, read once in a process because it never changes."""
    return read(path)


def read_moves(rules: AnyRules, rows: list[dict[str, Any]]) -> Iterator[Move]:
    action_kind, event_kind = union_of(rules.actions), union_of(rules.events)
    move = Move(None, None, ())
    for row in rows:
        if "event" in row:
            move = replace(move, events=(*move.events, from_plain(event_kind, row["event"])))
        else:
            yield move
            move = Move(Seat(row["seat"]), from_plain(action_kind, row["action"]), ())
    yield move
