"""Which errors of the Redis client mean that the store does not answer."""

from __future__ import annotations

from redis import exceptions as wrong

from gamehost.play.ports import StoreUnavailable


class NotReplicated(wrong.ConnectionError):
    """Written, but not on as many replicas as asked for: it may be lost in a failover."""


AWAY = (
    wrong.ConnectionError,
    wrong.TimeoutError,
    wrong.ReadOnlyError,
    wrong.ClusterError,
    wrong.RedisClusterException,
    wrong.TryAgainError,
    wrong.AskError,
    wrong.OutOfMemoryError,
    wrong.NoPermissionError,
    OSError,
)
AWAY_CODES = ("MISCONF", "NOREPLICAS", "MASTERDOWN", "LOADING", "BUSY", "OOM", "NOAUTH", "UNBLOCKED")
FINAL = (wrong.AuthenticationError, wrong.AuthorizationError, wrong.NoPermissionError)


def is_away(error: BaseException) -> bool:
    return isinstance(error, AWAY) or str(error).startswith(AWAY_CODES)


def may_pass(error: BaseException) -> bool:
    """Whether sending the same command again may help."""
    return is_away(error) and not isinstance(error, FINAL)


def said(error: BaseException) -> str:
    if isinstance(error, NotReplicated):
        return "the outcome is unknown (NotReplicated), retry with the same request_id"
    return f"the event store does not answer ({type(error).__name__})"


def translated(error: BaseException) -> BaseException:
    """The error as the port knows it; its message holds no address, command or password."""
    if not is_away(error):
        return error
    unavailable = StoreUnavailable(said(error))
    unavailable.__cause__ = error
    return unavailable
