"""The client of Shedu: board games as a service.

`shedu.connect` returns a blocking client, `shedu.aio.connect` one for asyncio. The messages of the contract
are in `shedu.v1` and `shedu.<title>.v1`.
"""

from . import aio
from .arguments import Legal, bank, days, per_decision, reserved, spectators
from .blocking import Game, Player, Server, Turn, connect
from .errors import (
    AlreadyJoined,
    Fault,
    Forbidden,
    InvalidRequest,
    NotFound,
    NotGrpc,
    NotNow,
    NotOffered,
    Refused,
    SheduError,
    Stale,
    TimedOut,
    TooLarge,
    TooMuch,
    Unauthenticated,
    Unavailable,
    Unreadable,
    VersionInFuture,
    Violation,
)
from .resuming import Moment

__all__ = [
    "AlreadyJoined",
    "Fault",
    "Forbidden",
    "Game",
    "InvalidRequest",
    "Legal",
    "Moment",
    "NotFound",
    "NotGrpc",
    "NotNow",
    "NotOffered",
    "Player",
    "Refused",
    "Server",
    "SheduError",
    "Stale",
    "TimedOut",
    "TooLarge",
    "TooMuch",
    "Turn",
    "Unauthenticated",
    "Unavailable",
    "Unreadable",
    "VersionInFuture",
    "Violation",
    "aio",
    "bank",
    "connect",
    "days",
    "per_decision",
    "reserved",
    "spectators",
]
