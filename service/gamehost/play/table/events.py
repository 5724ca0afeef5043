"""The events that every title shares, and the settings that a game is created with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NewType

from gamehost.rules.kit import Outcome, Seat

Instant = NewType("Instant", int)
"""Microseconds since 1970."""
Microseconds = NewType("Microseconds", int)
"""A duration in microseconds."""


class Visibility(Enum):
    """The callers who can find a game: everyone (in the lobby), those with its id, or its participants."""

    PUBLIC = "public"
    UNLISTED = "unlisted"
    PRIVATE = "private"


class Reveal(Enum):
    """The callers who may see all hidden information once a game is over."""

    FULL = "full"
    PARTICIPANTS = "participants"
    NEVER = "never"


class ForkPolicy(Enum):
    """When a game may be forked."""

    ANY_TIME = "any time"
    AFTER_END = "after the end"


class TalkPolicy(Enum):
    """What the seats may say to each other."""

    NONE = "none"
    PHRASES = "phrases"
    FREE_TEXT = "free text"


@dataclass(frozen=True, slots=True)
class Talk:
    """What may be said in a game, and whether spectators read it."""

    policy: TalkPolicy = TalkPolicy.PHRASES
    spectators: bool = False


class SpectatorPolicy(Enum):
    """The callers who may watch without a seat."""

    PUBLIC = "public"
    TOKEN = "token"
    NONE = "none"


class TimeoutPolicy(Enum):
    """The consequence for a seat that runs out of time."""

    TAKE_OVER = "take over"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Spectators:
    """The policy for spectators. Until the game is over, they are `delay` versions behind."""

    policy: SpectatorPolicy = SpectatorPolicy.PUBLIC
    delay: int = 0


@dataclass(frozen=True, slots=True)
class TimeBank:
    """Time for a whole game: `initial`, plus `increment` per answer, but never more than `cap`."""

    initial: Microseconds
    increment: Microseconds
    cap: Microseconds


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a game. Exactly one of `per_decision`, `bank` and `days` (per decision) is set."""

    per_decision: Microseconds | None = None
    bank: TimeBank | None = None
    days: int | None = None
    on_timeout: TimeoutPolicy = TimeoutPolicy.TAKE_OVER
    bot_level: str = ""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The time that a seat has left at the time of the newest event; it runs while there is a `deadline`.

    Clocks are stored with every event instead of computed from the log, so that a later release may count
    differently without changing games that have been played.
    """

    seat: Seat
    remaining: Microseconds
    deadline: Instant | None = None
    owed: int = 0  # number of coming answers that earn no time, since as many were undone past moves of bots
    reclaims: int = 0  # how often it was reclaimed from a bot; without a bank, since its last answer


@dataclass(frozen=True, slots=True)
class ForkOrigin:
    """The origin of a fork. `imagined` if hidden information was filled in, as in a game that is not over."""

    game_id: str
    version: int
    imagined: bool


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """The caller or the bot that a seat is reserved for; anyone may take it if both fields are empty."""

    reserved_for: str = ""  # a caller id; never shown
    bot_level: str = ""


@dataclass(frozen=True, slots=True)
class GameCreated:
    """The first event of every log."""

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
    forks: ForkPolicy = ForkPolicy.ANY_TIME
    rated: bool = False
    matched: bool = False
    talk: Talk = Talk()


@dataclass(frozen=True, slots=True)
class SeatTaken:
    seat: Seat
    display_name: str
    client_seed: bytes = b""
    caller_id: str = ""  # the owner of the seat; never shown
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
    """The state that a fork begins with; None where it is shown to callers."""

    title: str
    state: Any
    position: int


@dataclass(frozen=True, slots=True)
class SeatResigned:
    seat: Seat
    bot_level: str = ""  # the bot that plays on, if the game goes on
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
    """An undo, or the end of the game, that every person at the table must agree to."""

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
