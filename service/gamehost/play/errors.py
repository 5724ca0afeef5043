"""The errors that callers get.

PlayError
├── InvalidRequest       a field has a value that is not allowed
│   ├── WrongTitle       an action or options of another title
│   └── ReusedRequestId  a request id that was used for a different request
├── NotFound             no such title, game or seat, or none that the caller may know of
├── Unauthenticated      the call needs a seat token or an identity, or has an invalid one
├── NotYourSeat          a valid token, but not for this seat or game
├── NotRevealed          the game's reveal policy hides it from the caller
├── NoSpectators         the game has no spectators, or only those with its spectator token
├── AlreadyJoined        the caller already has a seat at the table
├── AlreadyTaken         another player has the handle, or the caller already waits in the pool
├── HistoryHidden        the player hides the history from others
├── FeatureOff           the operator has turned this part of the service off
├── NotNow               the table is not in the right status
├── Refused              the rules do not allow the action
├── Stale                too late: the version or the decision has passed
├── VersionInFuture      too early: the version does not exist yet
├── TooMuch              a limit is exceeded
├── Unavailable          the store is unavailable, or this process is draining
└── Unreadable           the log of this game cannot be read
"""

from __future__ import annotations

from collections.abc import Sequence


class PlayError(Exception):
    """Base of all errors. `reason` is a stable UPPER_SNAKE code; `message` and `metadata` are for people."""

    reason = "INTERNAL"

    def __init__(self, message: str, *, reason: str | None = None, **metadata: str) -> None:
        super().__init__(message)
        self.reason = reason or self.reason
        self.message, self.metadata = message, metadata


class InvalidRequest(PlayError):
    """`violations` lists the fields and what is wrong with each."""

    reason = "INVALID_REQUEST"

    def __init__(self, field: str, why: str, *, reason: str | None = None) -> None:
        super().__init__(f"{field}: {why}", reason=reason)
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


class AlreadyTaken(PlayError):
    reason = "HANDLE_TAKEN"


class HistoryHidden(PlayError):
    reason = "HISTORY_HIDDEN"


class FeatureOff(PlayError):
    reason = "FEATURE_OFF"


class NotNow(PlayError):
    """`reason` says why: SEAT_TAKEN, GAME_FULL, GAME_NOT_FULL, GAME_NOT_STARTED, GAME_STARTED, ..."""


class Refused(PlayError):
    """`reason` is defined by the title; the metadata has `rule` and `title`."""


class Stale(PlayError):
    """The caller has missed the events after version `seen`; `actual` is the newest version."""

    details: Sequence[object] = ()

    def __init__(self, message: str, *, reason: str, seen: int, actual: int) -> None:
        super().__init__(message, reason=reason, version=str(actual))
        self.seen, self.actual = seen, actual


class VersionInFuture(PlayError):
    reason = "VERSION_IN_FUTURE"


class TooMuch(PlayError):
    """`subject` is what the limit applies to: the caller, the connection or the process."""

    reason = "TOO_MUCH"

    def __init__(self, message: str, retry_after: float, subject: str = "caller") -> None:
        super().__init__(message)
        self.retry_after, self.subject = retry_after, subject


class Unavailable(PlayError):
    """The caller may try again after `retry_after` seconds."""

    reason = "STORE_UNAVAILABLE"

    def __init__(self, message: str, *, reason: str | None = None, retry_after: float = 1.0) -> None:
        super().__init__(message, reason=reason)
        self.retry_after = retry_after


class Unreadable(PlayError):
    reason = "GAME_UNREADABLE"
