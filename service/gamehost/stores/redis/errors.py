"""Which errors of the Redis client mean that the store does not answer."""

from __future__ import annotations

from redis import exceptions as wrong

from gamehost.play.ports.event_log import StoreUnavailable


class NotReplicated(wrong.ConnectionError):
    """Written, but not on as many replicas as asked for: it may be lost in a failover."""


UNAVAILABLE_ERRORS = (
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
REFUSALS = {
    "LOADING": "Wait until it has read its log.",
    "MISCONF": "Its disk refuses what it writes: look at its log, make room, or give it a disk that works.",
    "NOREPLICAS": "Bring its replicas back, or lower its min-replicas-to-write.",
    "OOM": "Raise its maxmemory, or put games away with an archive.",
    "READONLY": "Give the URL of its primary, or wait until the failover is over.",
}
"""What a server says that answers and yet takes no move, and what to do about it."""
NO_DATABASE = "DB index is out of range"
UNAVAILABLE_CODES = (*REFUSALS, "MASTERDOWN", "BUSY", "NOAUTH", "UNBLOCKED", NO_DATABASE)
SILENT = "the event store does not answer"
FINAL = (wrong.AuthenticationError, wrong.AuthorizationError, wrong.NoPermissionError)


def means_unavailable(error: BaseException) -> bool:
    return isinstance(error, UNAVAILABLE_ERRORS) or str(error).startswith(UNAVAILABLE_CODES)


def may_retry(error: BaseException) -> bool:
    """Whether sending the same command again may help."""
    return means_unavailable(error) and not isinstance(error, FINAL)


def public_message(error: BaseException) -> str:
    if isinstance(error, NotReplicated):
        return "the outcome is unknown (NotReplicated), retry with the same request_id"
    code = refusal_code(error)
    return f"the event store takes no moves ({code})" if code else f"{SILENT} ({type(error).__name__})"


def refusal_code(error: BaseException) -> str:
    """The code word of REFUSALS that the server sent, if it was one."""
    told = getattr(error, "status_code", None) or str(error).partition(" ")[0]
    return told if told in REFUSALS else ""


def as_store_error(error: BaseException) -> BaseException:
    """The error as the port knows it; its message holds no address, command or password."""
    if not means_unavailable(error):
        return error
    unavailable = StoreUnavailable(public_message(error))
    unavailable.__cause__ = error
    return unavailable


def as_read_error(error: StoreUnavailable) -> StoreUnavailable:
    """The same for whoever only reads: nothing of theirs is in doubt."""
    if not isinstance(error.__cause__, NotReplicated):
        return error
    return StoreUnavailable("the newest event is not on every replica yet, try again")
