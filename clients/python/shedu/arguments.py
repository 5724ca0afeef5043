"""Converts the short words that callers pass to the messages of the contract."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar

from google.protobuf.descriptor import Descriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from shedu.v1 import catalog_service_pb2, game_pb2
from shedu.v1 import game_service_pb2 as pb

from .title_types import Action, Options

Visibility = Literal["public", "unlisted", "private"]
Reveal = Literal["full", "participants", "never"]
Forks = Literal["any_time", "after_end"]
Watchers = Literal["public", "token", "none"]
OnTimeout = Literal["take_over", "forfeit"]
Status = Literal["gathering", "playing", "finished"]

Wrapped = TypeVar("Wrapped", game_pb2.Options, game_pb2.Action)


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal actions of a seat and its open decision; without a decision there are no actions."""

    decision: game_pb2.Decision | None
    actions: Sequence[pb.LegalAction]
    version: int


def new_request_id() -> str:
    """Returns an id that makes a call take effect once, even if it is sent twice."""
    return uuid.uuid4().hex


def visibility(word: Visibility) -> game_pb2.Visibility.ValueType:
    return game_pb2.Visibility.Value(_known("VISIBILITY", word, game_pb2.Visibility.keys()))


def reveal(word: Reveal) -> game_pb2.RevealPolicy.ValueType:
    return game_pb2.RevealPolicy.Value(_known("REVEAL_POLICY", word, game_pb2.RevealPolicy.keys()))


def forks(word: Forks) -> game_pb2.ForkPolicy.ValueType:
    return game_pb2.ForkPolicy.Value(_known("FORK_POLICY", word, game_pb2.ForkPolicy.keys()))


def status(word: Status | None) -> game_pb2.GameStatus.ValueType:
    if word is None:
        return game_pb2.GAME_STATUS_UNSPECIFIED
    return game_pb2.GameStatus.Value(_known("GAME_STATUS", word, game_pb2.GameStatus.keys()))


def moment(when: datetime | None) -> Timestamp | None:
    if when is None:
        return None
    made = Timestamp()
    made.FromDatetime(when)
    return made


def spectators(who: Watchers = "public", delay: int = 0) -> game_pb2.Spectators:
    """Returns the spectator settings: who may watch without a seat, and the delay in versions."""
    policy = _known("SPECTATOR_POLICY", who, game_pb2.SpectatorPolicy.keys())
    return game_pb2.Spectators(policy=game_pb2.SpectatorPolicy.Value(policy), delay=delay)


def _known(prefix: str, word: str, names: Sequence[str]) -> str:
    name = f"{prefix}_{word.upper()}"
    if name not in names:
        words = ", ".join(each.removeprefix(f"{prefix}_").lower() for each in names[1:])
        raise ValueError(f"{word!r} is none of: {words}")
    return name


def per_decision(seconds: float, on_timeout: OnTimeout = "take_over", bot: str = "") -> game_pb2.Clock:
    """Returns a clock with the same time for every decision."""
    return game_pb2.Clock(per_decision=_duration(seconds), on_timeout=_timeout(on_timeout), bot_level=bot)


def bank(
    seconds: float,
    increment: float = 0.0,
    cap: float = 0.0,
    on_timeout: OnTimeout = "take_over",
    bot: str = "",
) -> game_pb2.Clock:
    """Returns a clock with a time bank for each seat, and an increment after each answer."""
    store = game_pb2.TimeBank(initial=_duration(seconds), increment=_duration(increment), cap=_duration(cap))
    return game_pb2.Clock(bank=store, on_timeout=_timeout(on_timeout), bot_level=bot)


def days(count: int, on_timeout: OnTimeout = "take_over", bot: str = "") -> game_pb2.Clock:
    """Returns a clock with so many days for each decision."""
    return game_pb2.Clock(days=count, on_timeout=_timeout(on_timeout), bot_level=bot)


def _timeout(word: OnTimeout) -> game_pb2.TimeoutPolicy.ValueType:
    return game_pb2.TimeoutPolicy.Value(_known("TIMEOUT_POLICY", word, game_pb2.TimeoutPolicy.keys()))


def _duration(seconds: float) -> Duration:
    made = Duration()
    made.FromNanoseconds(round(seconds * 1e9))
    return made


def options_of(given: Options | None) -> game_pb2.Options | None:
    return None if given is None else _wrapped(game_pb2.Options, given)


def action_of(given: Action) -> game_pb2.Action:
    return given.action if isinstance(given, pb.LegalAction) else _wrapped(game_pb2.Action, given)


def _wrapped(kind: type[Wrapped], given: Message) -> Wrapped:
    """Wraps the message of a title in the message that covers all titles."""
    if isinstance(given, kind):
        return given
    descriptor: Descriptor = kind.DESCRIPTOR
    for field in descriptor.oneofs_by_name["title"].fields:
        if isinstance(given, Message) and field.message_type == given.DESCRIPTOR:
            title: dict[str, Any] = {field.name: given}
            return kind(**title)
    raise TypeError(f"{type(given).__name__} is no {kind.__name__} of any title")


def seat_count(title: catalog_service_pb2.Title, bots: int) -> int:
    """Returns the fewest seats that the title allows for these bots and one person."""
    return min(max(title.min_seats, bots + 1), title.max_seats)


def seat_plans(seats: int | Sequence[game_pb2.SeatPlan], bots: Sequence[str]) -> list[game_pb2.SeatPlan]:
    """Returns the planned or open seats, then the bots; an empty list if every seat is open."""
    hosted = [game_pb2.SeatPlan(bot_level=level) for level in bots]
    if not isinstance(seats, int):
        return [*seats, *hosted]
    return [game_pb2.SeatPlan() for _ in range(seats - len(bots))] + hosted if bots else []


def reserved(*callers: str) -> list[game_pb2.SeatPlan]:
    """Returns a reserved seat for each of these callers."""
    return [game_pb2.SeatPlan(reserved_for=caller) for caller in callers]
