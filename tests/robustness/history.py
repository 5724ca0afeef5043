"""What the traffic saw: every call with the times of its beginning and its end, every event of a stream."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from google.protobuf.message import Message

from shedu.v1 import game_pb2

now = time.monotonic


def digest(message: Message) -> int:
    """Of the words of a message, the same on both sides of a wire."""
    return int.from_bytes(
        hashlib.blake2b(message.SerializeToString(deterministic=True), digest_size=8).digest()
    )


class Ack(NamedTuple):
    """That a move stands at these versions, as one attempt was told."""

    began: float
    ended: float
    first: int
    last: int
    view: int  # digest


class Look(NamedTuple):
    """A view of somebody: of a seat, or of a spectator, who is None."""

    viewer: int | None
    began: float
    ended: float
    version: int
    view: int  # digest


class Sighting(NamedTuple):
    """An event as it was told to somebody, in an answer that came at `seen`."""

    viewer: int | None
    version: int
    event: int  # digest
    seen: float


@dataclass(slots=True)
class Move:
    """What a seat wanted once, by one request id, however often it was sent."""

    seat: int
    request_id: str
    began: float
    acks: list[Ack] = field(default_factory=list)

    @property
    def done(self) -> Ack | None:
        return self.acks[0] if self.acks else None


@dataclass(slots=True)
class Trail:
    """The versions that one watcher was told of, over as many streams as it took."""

    watcher: str
    viewer: int | None
    after: int = 0
    versions: list[int] = field(default_factory=list)
    resumed: int = 0
    trouble: str = ""  # why it stopped before it was allowed to
    caught_up: list[tuple[float, int]] = field(
        default_factory=list
    )  # when a stream began, what it told till then


@dataclass(slots=True)
class GameHistory:
    """All that anybody saw of one game."""

    game_id: str
    title: str
    moves: list[Move] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    trails: list[Trail] = field(default_factory=list)
    seen: int = 0  # the highest version that anybody was told of
    over: bool = False
    opened: float = float("-inf")  # it is not older than this
    clocked: bool = False

    def ask(self, seat: int, request_id: str) -> Move:
        move = Move(seat, request_id, now())
        self.moves.append(move)
        return move

    def acknowledged(self, move: Move, began: float, answer: Any) -> None:
        """`answer` is a PlayActionResponse."""
        ended, view = now(), answer.view
        versions = [event.version for event in answer.events]
        move.acks.append(Ack(began, ended, versions[0], versions[-1], digest(view)))
        self.saw_events(move.seat, answer.events, ended)
        self._reached(view)

    def looked(self, viewer: int | None, began: float, view: game_pb2.View) -> None:
        self.looks.append(Look(viewer, began, now(), view.version, digest(view)))
        self._reached(view)

    def told(self, trail: Trail, events: Iterable[game_pb2.Event], view: game_pb2.View) -> None:
        """A moment of a stream; what it shows may be old by now, so it is no look of that time."""
        events, seen = list(events), now()
        trail.versions += [event.version for event in events]
        self.saw_events(trail.viewer, events, seen)
        self.looks.append(Look(trail.viewer, float("-inf"), seen, view.version, digest(view)))
        self._reached(view)

    def saw_events(self, viewer: int | None, events: Iterable[game_pb2.Event], seen: float) -> None:
        self.sightings += [Sighting(viewer, event.version, digest(event), seen) for event in events]

    def _reached(self, view: game_pb2.View) -> None:
        self.seen = max(self.seen, view.version)
        self.over = self.over or view.game.HasField("outcome")


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that was given up, or was refused what it had a right to."""

    who: str
    call: str
    why: str
    at: float


@dataclass(slots=True)
class History:
    """A whole run."""

    games: dict[str, GameHistory] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)  # that were answered, by who made them
    retries: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    moves: int = 0  # acknowledged

    def game(self, game_id: str, title: str, opened: float, *, clocked: bool) -> GameHistory:
        return self.games.setdefault(game_id, GameHistory(game_id, title, opened=opened, clocked=clocked))

    def failed(self, who: str, call: str, why: object) -> None:
        self.failures.append(Failure(who, call, f"{type(why).__name__}: {why}"[:300], now()))
