"""The exceptions of failed calls.

SheduError
├── InvalidRequest       a field cannot be what it is; `violations` names each
├── NotFound             no such title, game or seat, or none that you may know of
├── Unauthenticated      the call needs a token, or has a bad one
├── Forbidden            a good token, but not for this
├── AlreadyJoined        you sit there
├── NotNow               the table is not in the state for it; `reason` says why
├── Refused              the rules say no; `reason` and `rule` say why
├── Stale                too late: `events` happened meanwhile, the game is at `version`
├── VersionInFuture      too early: the game has not got there
├── TooMuch              over a limit; try again after `retry_after` seconds
├── TooLarge             the request itself
├── Unavailable          nobody answers, or the store is away
├── TimedOut             no answer in time; whether the call took effect is not known
├── Unreadable           the log of this game cannot be read by this server
├── NotOffered           this server does not know the call
├── NotGrpc              what answers at this address does not speak gRPC, or not with TLS
└── Fault                a fault of the service
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from shedu.v1 import error_reason_pb2, game_pb2

STATUS_DETAILS = "grpc-status-details-bin"
# Parts of the messages with which gRPC reports that something else answers, which no further attempt changes.
NOT_GRPC = "this address does not speak gRPC; it may be the REST port. The gRPC port is 50051 by default"
WRONG_PORTS = {
    "http1.x server": NOT_GRPC,
    "Expected SETTINGS frame as the first frame": NOT_GRPC,  # any other server, such as one of HTTP/1.0
    "WRONG_VERSION_NUMBER": "the server does not use TLS: its address begins with grpc://",
}
# How it reports a server that closes a connection at once, as one with TLS does; it may also be starting.
CLOSED = "Socket closed"
PERHAPS_TLS = "; if the server uses TLS, its address begins with grpcs://"

M = TypeVar("M", bound=Message)


@dataclass(frozen=True, slots=True)
class Violation:
    field: str
    description: str


class SheduError(Exception):
    """`reason` is a stable UPPER_SNAKE code; the message is for people."""

    def __init__(
        self,
        message: str,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        details: Sequence[Any] = (),
    ) -> None:
        super().__init__(f"{message} ({reason})" if reason else message)
        self.message, self.reason = message, reason
        self.metadata, self.details = dict(metadata or {}), details

    def detail(self, kind: type[M]) -> M | None:
        """The detail of that kind, if the service sent one."""
        found = kind()
        return found if any(detail.Unpack(found) for detail in self.details) else None

    @property
    def retry_after(self) -> float | None:
        """Seconds after which the service wants to be asked again, if it said so."""
        info = self.detail(error_details_pb2.RetryInfo)
        return None if info is None else info.retry_delay.ToNanoseconds() / 1e9


class InvalidRequest(SheduError):
    @property
    def violations(self) -> list[Violation]:
        found = self.detail(error_details_pb2.BadRequest)
        return [Violation(each.field, each.description) for each in found.field_violations] if found else []


class NotFound(SheduError): ...


class Unauthenticated(SheduError): ...


class Forbidden(SheduError): ...


class AlreadyJoined(SheduError): ...


class NotNow(SheduError): ...


class Refused(SheduError):
    @property
    def rule(self) -> str:
        """The id of the rule, e.g. "TE-20"; the catalog has its text."""
        return self.metadata.get("rule", "")


class Stale(SheduError):
    @property
    def events(self) -> list[game_pb2.Event]:
        missed = self.detail(error_reason_pb2.MissedEvents)
        return list(missed.events) if missed else []

    @property
    def version(self) -> int:
        missed = self.detail(error_reason_pb2.MissedEvents)
        return missed.version if missed else int(self.metadata.get("version", 0))


class VersionInFuture(SheduError): ...


class TooMuch(SheduError): ...


class TooLarge(SheduError): ...


class Unavailable(SheduError): ...


class TimedOut(SheduError): ...


class Unreadable(SheduError): ...


class NotOffered(SheduError): ...


class NotGrpc(SheduError): ...


class Fault(SheduError): ...


Code = grpc.StatusCode
KINDS: dict[grpc.StatusCode, type[SheduError]] = {
    Code.INVALID_ARGUMENT: InvalidRequest,
    Code.NOT_FOUND: NotFound,
    Code.UNAUTHENTICATED: Unauthenticated,
    Code.PERMISSION_DENIED: Forbidden,
    Code.ALREADY_EXISTS: AlreadyJoined,
    Code.FAILED_PRECONDITION: NotNow,
    Code.ABORTED: Stale,
    Code.OUT_OF_RANGE: VersionInFuture,
    Code.RESOURCE_EXHAUSTED: TooMuch,
    Code.UNAVAILABLE: Unavailable,
    Code.DEADLINE_EXCEEDED: TimedOut,
    Code.DATA_LOSS: Unreadable,
    Code.UNIMPLEMENTED: NotOffered,
}
CODES: dict[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}
# Said by whatever stands between here and the service when a connection breaks under a call.
BROKEN = (Code.CANCELLED, Code.INTERNAL, Code.UNKNOWN)
TOO_LARGE = ("REQUEST_TOO_LARGE", "HEADERS_TOO_LARGE")


def error_of(failure: grpc.RpcError) -> SheduError:
    """Returns the exception for a failed call."""
    told: Any = failure
    message = told.details() or told.code().name
    if told.code() is Code.UNAVAILABLE:
        for sign, advice in WRONG_PORTS.items():
            if sign in message:
                return NotGrpc(advice)
        if message.endswith(CLOSED):
            message += PERHAPS_TLS
    status = _status(told.trailing_metadata())
    info = _info(status)
    kind = _kind(told.code(), info)
    return kind(message, info.reason, dict(info.metadata), list(status.details))


def error_of_status(status: status_pb2.Status) -> SheduError:
    """Returns the exception for the error of one item of a stream."""
    info = _info(status)
    kind = _kind(CODES.get(status.code, Code.UNKNOWN), info)
    return kind(status.message, info.reason, dict(info.metadata), list(status.details))


def _status(trailers: Sequence[tuple[str, Any]] | None) -> status_pb2.Status:
    found = next((value for key, value in trailers or () if key == STATUS_DETAILS), b"")
    return status_pb2.Status.FromString(found)


def _info(status: status_pb2.Status) -> error_details_pb2.ErrorInfo:
    found = error_details_pb2.ErrorInfo()
    any(detail.Unpack(found) for detail in status.details)
    return found


def _kind(code: grpc.StatusCode, info: error_details_pb2.ErrorInfo) -> type[SheduError]:
    if code in BROKEN:
        return Fault if info.reason else Unavailable
    if info.reason in TOO_LARGE:
        return TooLarge
    if "rule" in info.metadata:
        return Refused
    return KINDS.get(code, Fault)
