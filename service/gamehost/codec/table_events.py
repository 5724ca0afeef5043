"""Pairs for the table events of all titles, and for the settings of a new game, as messages of `shedu.v1`."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from gamehost.play.table.events import (
    TABLE_EVENTS,
    Clock,
    ForkOrigin,
    ForkPolicy,
    GameCreated,
    Instant,
    Microseconds,
    PositionPlaced,
    Proposal,
    Reveal,
    SeatClock,
    SeatPlan,
    SpectatorPolicy,
    Spectators,
    Talk,
    TalkPolicy,
    TimeBank,
    TimeoutPolicy,
    Visibility,
)
from shedu.v1 import game_pb2

from .mirror import Pair, mirror, snake

EPOCH = datetime(1970, 1, 1)


def timestamp(at: int) -> Timestamp:
    return Timestamp(seconds=at // 1_000_000, nanos=at % 1_000_000 * 1000)


def timestamp_text(at: int) -> str:
    """The JSON form of a timestamp: none, three or six digits after the point, as many as are needed."""
    seconds, micros = divmod(at, 1_000_000)
    if not micros:
        return f"{_second_text(seconds)}Z"
    if micros % 1000:
        return f"{_second_text(seconds)}.{micros:06d}Z"
    return f"{_second_text(seconds)}.{micros // 1000:03d}Z"


@lru_cache(64)
def _second_text(seconds: int) -> str:
    # `Timestamp.ToJsonString` takes 3 µs; successive events share their second.
    return (EPOCH + timedelta(seconds=seconds)).isoformat()


def duration(span: int) -> Duration:
    return Duration(seconds=span // 1_000_000, nanos=span % 1_000_000 * 1000)


TIME_PAIRS = {
    Instant: Pair(timestamp, lambda message: Instant(message.ToMicroseconds())),
    Microseconds: Pair(duration, lambda message: Microseconds(message.ToMicroseconds())),
}

VISIBILITY = {kind: game_pb2.Visibility.Value(f"VISIBILITY_{kind.name}") for kind in Visibility}
VISIBILITY_OF = {number: kind for kind, number in VISIBILITY.items()}
REVEAL = {kind: game_pb2.RevealPolicy.Value(f"REVEAL_POLICY_{kind.name}") for kind in Reveal}
REVEAL_OF = {number: kind for kind, number in REVEAL.items()} | {
    game_pb2.REVEAL_POLICY_UNSPECIFIED: Reveal.FULL
}
FORKS = {kind: game_pb2.ForkPolicy.Value(f"FORK_POLICY_{kind.name}") for kind in ForkPolicy}
FORKS_OF = {number: kind for kind, number in FORKS.items()} | {
    game_pb2.FORK_POLICY_UNSPECIFIED: ForkPolicy.ANY_TIME
}
TALK_OF = {game_pb2.TalkPolicy.Value(f"TALK_POLICY_{kind.name}"): kind for kind in TalkPolicy} | {
    game_pb2.TALK_POLICY_UNSPECIFIED: TalkPolicy.PHRASES
}
SPECTATORS_OF = {
    game_pb2.SpectatorPolicy.Value(f"SPECTATOR_POLICY_{kind.name}"): kind for kind in SpectatorPolicy
} | {game_pb2.SPECTATOR_POLICY_UNSPECIFIED: SpectatorPolicy.PUBLIC}
TIMEOUT_OF = {game_pb2.TimeoutPolicy.Value(f"TIMEOUT_POLICY_{kind.name}"): kind for kind in TimeoutPolicy} | {
    game_pb2.TIMEOUT_POLICY_UNSPECIFIED: TimeoutPolicy.TAKE_OVER
}

MIRRORED_EVENTS = {
    snake(kind.__name__): mirror(kind, getattr(game_pb2, kind.__name__), TIME_PAIRS)
    for kind in TABLE_EVENTS
    if kind not in (GameCreated, PositionPlaced)
}
SPECTATORS = mirror(Spectators, game_pb2.Spectators)
TALK = mirror(Talk, game_pb2.Talk)
CLOCK = mirror(Clock, game_pb2.Clock, TIME_PAIRS)
SEAT_CLOCK = mirror(SeatClock, game_pb2.SeatClock, TIME_PAIRS)
FORK_ORIGIN = mirror(ForkOrigin, game_pb2.ForkOrigin)
SEAT_PLAN = mirror(SeatPlan, game_pb2.SeatPlan)
PROPOSAL = mirror(Proposal, game_pb2.Proposal)


def clock_of(message: game_pb2.Clock) -> Clock:
    """Decodes the clock of a request, with defaults for the fields that the caller left out."""
    kind, bank = message.WhichOneof("kind"), message.bank
    initial = bank.initial.ToMicroseconds()
    # A cap below the initial time would take time away at the first answer.
    cap = max(initial, bank.cap.ToMicroseconds())
    return Clock(
        Microseconds(message.per_decision.ToMicroseconds()) if kind == "per_decision" else None,
        TimeBank(Microseconds(initial), Microseconds(bank.increment.ToMicroseconds()), Microseconds(cap))
        if kind == "bank"
        else None,
        message.days if kind == "days" else None,
        TIMEOUT_OF[message.on_timeout],
        message.bot_level,
    )
