"""The history that clients record: every call with its begin and end, every event of a stream."""

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
    """Returns a digest of the serialized message, the same for the client and the service."""
    return int.from_bytes(
        hashlib.blake2b(message.SerializeToString(deterministic=True), digest_size=8).digest()
    )


class Ack(NamedTuple):
    """The acknowledgement of one attempt: the versions that the move wrote."""

    began: float
    ended: float
    first: int
    last: int
    view: int  # digest


class Look(NamedTuple):
    """A view that was read, of a seat or of a spectator (None)."""

    viewer: int | None
    began: float
    ended: float
    version: int
    view: int  # digest


class Sighting(NamedTuple):
    """An event as a viewer received it at the time `seen`."""

    viewer: int | None
    version: int
    event: int  # digest
    seen: float


@dataclass(slots=True)
class Move:
    """One move of a seat with one request id, however often it was sent."""

    seat: int
    request_id: str
    began: float
    acks: list[Ack] = field(default_factory=list)

    @property
    def done(self) -> Ack | None:
        return self.acks[0] if self.acks else None


@dataclass(slots=True)
class Trail:
    """The versions that one watcher received, over all its streams."""

    watcher: str
    viewer: int | None
    after: int = 0
    versions: list[int] = field(default_factory=list)
    resumed: int = 0
    trouble: str = ""  # why it stopped before it was allowed to
    caught_up: list[tuple[float, int]] = field(
        default_factory=list
    )  # when a stream began, and its version when it had caught up


@dataclass(slots=True)
class GameHistory:
    """The observations that clients made of one game."""

    game_id: str
    title: str
    moves: list[Move] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    trails: list[Trail] = field(default_factory=list)
    seen: int = 0  # the highest version that any client received
    over: bool = False
    opened: float = float("-inf")  # before it was created
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

    def record_stream_events(
        self, trail: Trail, events: Iterable[game_pb2.Event], view: game_pb2.View
    ) -> None:
        """Records a message of a stream. Its view may be old, so it is no read that began now."""
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
    """A call that got no answer, or was refused although it was allowed."""

    who: str
    call: str
    why: str
    at: float


@dataclass(slots=True)
class History:
    """The history of a whole run."""

    games: dict[str, GameHistory] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)  # answered calls, by kind of client
    retries: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    moves: int = 0  # acknowledged

    def game(self, game_id: str, title: str, opened: float, *, clocked: bool) -> GameHistory:
        return self.games.setdefault(game_id, GameHistory(game_id, title, opened=opened, clocked=clocked))

    def failed(self, who: str, call: str, why: object) -> None:
        self.failures.append(Failure(who, call, f"{type(why).__name__}: {why}"[:300], now()))
