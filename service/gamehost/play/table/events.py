"""What happens at a table, whatever the title, and the choices made when it was opened."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NewType

from gamehost.rules.kit import Outcome, Seat

Instant = NewType("Instant", int)
"""Microseconds since 1970."""
Span = NewType("Span", int)
"""Microseconds."""


class Visibility(Enum):
    PUBLIC = "public"
    UNLISTED = "unlisted"
    PRIVATE = "private"


class Reveal(Enum):
    """Who may know everything once a game is over."""

    FULL = "full"
    PARTICIPANTS = "participants"
    NEVER = "never"


class SpectatorPolicy(Enum):
    """Who may watch without a seat."""

    PUBLIC = "public"
    TOKEN = "token"
    NONE = "none"


class TimeoutPolicy(Enum):
    """What happens to a seat whose time is up."""

    TAKE_OVER = "take over"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Spectators:
    """`delay` is how many versions they are behind until the game is over."""

    policy: SpectatorPolicy = SpectatorPolicy.PUBLIC
    delay: int = 0


@dataclass(frozen=True, slots=True)
class TimeBank:
    initial: Span
    increment: Span
    cap: Span


@dataclass(frozen=True, slots=True)
class Clock:
    """Exactly one of the first three is set."""

    per_decision: Span | None = None
    bank: TimeBank | None = None
    days: int | None = None
    on_timeout: TimeoutPolicy = TimeoutPolicy.TAKE_OVER
    bot_level: str = ""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """`remaining` at the moment of the newest event; it runs while there is a deadline.

    Written with every event, so that a later release may count differently and old logs stay as they are.
    """

    seat: Seat
    remaining: Span
    deadline: Instant | None = None
    owed: int = 0  # how many answers to come earn no time: as many were taken back past the moves of bots
    reclaims: int = 0  # how often it was taken back from a bot; without a bank, since its last answer


@dataclass(frozen=True, slots=True)
class ForkOrigin:
    """The position a sandbox began with, imagined unless its game was over."""

    game_id: str
    version: int
    imagined: bool


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who is to sit on a chair; anyone, if it says nothing."""

    reserved_for: str = ""  # a caller; nobody is shown it
    bot_level: str = ""


@dataclass(frozen=True, slots=True)
class GameCreated:
    title: str
    rules_version: int
    seat_count: int
    options: Any
    visibility: Visibility
    manual_start: bool
    commitment: bytes
    reveal: Reveal = Reveal.FULL
    spectators: Spectators = Spectators()
    clock: Clock | None = None
    fork_of: ForkOrigin | None = None
    rematch_of: str = ""
    seats: tuple[SeatPlan, ...] = ()
    expire_time: Instant | None = None


@dataclass(frozen=True, slots=True)
class SeatTaken:
    seat: Seat
    display_name: str
    client_seed: bytes = b""
    caller_id: str = ""  # whose it is; nobody is shown it
    bot_level: str = ""


@dataclass(frozen=True, slots=True)
class SeatLeft:
    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatTokensRevoked:
    seat: Seat


@dataclass(frozen=True, slots=True)
class GameStarted:
    pass


@dataclass(frozen=True, slots=True)
class PositionPlaced:
    """A sandbox begins in the middle. `state` is the title's own, None to those who may not know it."""

    title: str
    state: Any
    position: int


@dataclass(frozen=True, slots=True)
class SeatResigned:
    seat: Seat
    bot_level: str = ""  # who plays on, if the game does
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    seat: Seat
    bot_level: str


@dataclass(frozen=True, slots=True)
class SeatReclaimed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Proposal:
    """What every person at the table must agree to: to go back, or to end the game."""

    proposal_id: str
    seat: Seat
    undo_to_version: int | None = None
    abandon: bool | None = None
    waiting_for: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalMade:
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class ProposalAnswered:
    proposal_id: str
    seat: Seat
    accepted: bool


@dataclass(frozen=True, slots=True)
class MoveUndone:
    seat: Seat
    to_version: int


@dataclass(frozen=True, slots=True)
class GameFinished:
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    reason: str


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    seed: bytes


TableEvent = (
    GameCreated
    | SeatTaken
    | SeatLeft
    | SeatTokensRevoked
    | GameStarted
    | PositionPlaced
    | SeatResigned
    | SeatTakenOver
    | SeatReclaimed
    | ProposalMade
    | ProposalAnswered
    | MoveUndone
    | GameFinished
    | GameAbandoned
    | SeedRevealed
)
TABLE_EVENTS: tuple[type[Any], ...] = TableEvent.__args__
