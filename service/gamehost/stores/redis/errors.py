"""Translates errors of the Redis client into those of the port."""

from __future__ import annotations

from redis import exceptions as wrong

from gamehost.play.ports.event_log import StoreUnavailable


class NotReplicated(wrong.ConnectionError):
    """A write reached fewer replicas than required, so a failover may lose it."""


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
REFUSAL_ADVICE = {
    "LOADING": "Wait until it has loaded its data.",
    "MISCONF": "It cannot write to its disk: check its log, free disk space or replace the disk.",
    "NOREPLICAS": "Restart its replicas, or lower its min-replicas-to-write.",
    "OOM": "Raise its maxmemory, or configure an archive for finished games.",
    "READONLY": "Use the URL of its primary, or wait until the failover is over.",
}
"""Codes of errors with which a running server refuses writes, and what an operator can do about each."""
# uvloop raises a RuntimeError with these words, where asyncio drops what is written to a closed connection.
CLOSED_CONNECTION = "the handler is closed"
NO_DATABASE = "DB index is out of range"
UNAVAILABLE_CODES = (*REFUSAL_ADVICE, "MASTERDOWN", "BUSY", "NOAUTH", "UNBLOCKED", NO_DATABASE)
NO_ANSWER = "the event store does not answer"
NOT_RETRYABLE = (wrong.AuthenticationError, wrong.AuthorizationError, wrong.NoPermissionError)


def means_unavailable(error: BaseException) -> bool:
    text = str(error)
    if isinstance(error, RuntimeError) and CLOSED_CONNECTION in text:
        return True
    return isinstance(error, UNAVAILABLE_ERRORS) or text.startswith(UNAVAILABLE_CODES)


def may_retry(error: BaseException) -> bool:
    """Whether sending the same command again may help."""
    return means_unavailable(error) and not isinstance(error, NOT_RETRYABLE)


def public_message(error: BaseException) -> str:
    """A message for callers, without details of the server."""
    if isinstance(error, NotReplicated):
        return "the outcome is unknown (NotReplicated), retry with the same request_id"
    code = refusal_code(error)
    return f"the event store refuses writes ({code})" if code else f"{NO_ANSWER} ({type(error).__name__})"


def refusal_code(error: BaseException) -> str:
    """The code of REFUSALS that the server sent; empty for any other error."""
    code = getattr(error, "status_code", None) or str(error).partition(" ")[0]
    return code if code in REFUSAL_ADVICE else ""


def as_store_error(error: BaseException) -> BaseException:
    """Returns the error as the port defines it; its message contains no address, command or password."""
    if not means_unavailable(error):
        return error
    unavailable = StoreUnavailable(public_message(error))
    unavailable.__cause__ = error
    return unavailable


def as_read_error(error: StoreUnavailable) -> StoreUnavailable:
    """The same error for a read, which has no unknown outcome: the caller may simply try again."""
    if not isinstance(error.__cause__, NotReplicated):
        return error
    return StoreUnavailable("the newest event is not on every replica yet, try again")
