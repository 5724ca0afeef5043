"""Everything a caller can do wrong, and what can go wrong for it.

PlayError
├── InvalidRequest       a field cannot be what it is
│   ├── WrongTitle       an action or options of another title
│   └── ReusedRequestId  one request id, two requests
├── NotFound             no such title, game or seat, or none that the caller may know of
├── Unauthenticated      the call needs a seat token or an identity, or has a bad one
├── NotYourSeat          a good token, but not for this
├── NotRevealed          the game's reveal policy keeps it from the caller
├── NoSpectators         who has no seat may not watch this game, or not without its token
├── AlreadyJoined        the caller sits here
├── NotNow               the table is not in the state for it
├── Refused              the rules say no
├── Stale                too late: the version or the decision has passed
├── VersionInFuture      too early
├── TooMuch              over a limit
├── Unavailable          the store is away, or this process is draining
└── Unreadable           this game's log cannot be read
"""

from __future__ import annotations

from collections.abc import Sequence


class PlayError(Exception):
    """`reason` is a stable UPPER_SNAKE code; the message and metadata are for the caller to read."""

    reason = "INTERNAL"

    def __init__(self, message: str, *, reason: str | None = None, **metadata: str) -> None:
        super().__init__(message)
        self.reason = reason or self.reason
        self.message, self.metadata = message, metadata


class InvalidRequest(PlayError):
    reason = "INVALID_REQUEST"

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}")
        self.violations = [(field, why)]


class WrongTitle(InvalidRequest):
    reason = "WRONG_TITLE"


class ReusedRequestId(InvalidRequest):
    reason = "REQUEST_ID_REUSED"


class NotFound(PlayError):
    reason = "GAME_NOT_FOUND"


class Unauthenticated(PlayError):
    reason = "TOKEN_MISSING"


class NotYourSeat(PlayError):
    reason = "NOT_YOUR_SEAT"


class NotRevealed(PlayError):
    reason = "NOT_REVEALED"


class NoSpectators(PlayError):
    reason = "NO_SPECTATORS"


class AlreadyJoined(PlayError):
    reason = "ALREADY_JOINED"


class NotNow(PlayError):
    """`reason` says which: SEAT_TAKEN, GAME_FULL, GAME_NOT_FULL, GAME_NOT_STARTED, GAME_STARTED, ..."""


class Refused(PlayError):
    """`reason` is the title's own; metadata carries `rule` and `title`."""


class Stale(PlayError):
    """`seen` is the version from which on the caller has missed events, `actual` the newest."""

    details: Sequence[object] = ()

    def __init__(self, message: str, *, reason: str, seen: int, actual: int) -> None:
        super().__init__(message, reason=reason, version=str(actual))
        self.seen, self.actual = seen, actual


class VersionInFuture(PlayError):
    reason = "VERSION_IN_FUTURE"


class TooMuch(PlayError):
    """`subject` says whose limit it is: the caller's, the connection's or the process's."""

    reason = "TOO_MUCH"

    def __init__(self, message: str, retry_after: float, subject: str = "caller") -> None:
        super().__init__(message)
        self.retry_after, self.subject = retry_after, subject


class Unavailable(PlayError):
    reason = "STORE_UNAVAILABLE"

    def __init__(self, message: str, *, reason: str | None = None, retry_after: float = 1.0) -> None:
        super().__init__(message, reason=reason)
        self.retry_after = retry_after


class Unreadable(PlayError):
    reason = "GAME_UNREADABLE"
