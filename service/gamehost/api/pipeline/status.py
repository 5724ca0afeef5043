"""Maps errors to google.rpc.Status and to Google's JSON error body."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.protobuf import duration_pb2, json_format
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from gamehost.play import errors

DOMAIN = "shedu"

STATUS_CODES: dict[type[errors.PlayError], code_pb2.Code.ValueType] = {
    errors.InvalidRequest: code_pb2.INVALID_ARGUMENT,
    errors.NotFound: code_pb2.NOT_FOUND,
    errors.Unauthenticated: code_pb2.UNAUTHENTICATED,
    errors.NotYourSeat: code_pb2.PERMISSION_DENIED,
    errors.NotRevealed: code_pb2.PERMISSION_DENIED,
    errors.NoSpectators: code_pb2.PERMISSION_DENIED,
    errors.AlreadyJoined: code_pb2.ALREADY_EXISTS,
    errors.AlreadyTaken: code_pb2.ALREADY_EXISTS,
    errors.HistoryHidden: code_pb2.PERMISSION_DENIED,
    errors.FeatureOff: code_pb2.UNIMPLEMENTED,
    errors.NotNow: code_pb2.FAILED_PRECONDITION,
    errors.Refused: code_pb2.FAILED_PRECONDITION,
    errors.Stale: code_pb2.ABORTED,
    errors.VersionInFuture: code_pb2.OUT_OF_RANGE,
    errors.TooMuch: code_pb2.RESOURCE_EXHAUSTED,
    errors.Unavailable: code_pb2.UNAVAILABLE,
    errors.Unreadable: code_pb2.DATA_LOSS,
}

HTTP_CODES: dict[int, int] = {
    code_pb2.OK: 200,
    code_pb2.CANCELLED: 499,
    code_pb2.UNKNOWN: 500,
    code_pb2.INVALID_ARGUMENT: 400,
    code_pb2.DEADLINE_EXCEEDED: 504,
    code_pb2.NOT_FOUND: 404,
    code_pb2.ALREADY_EXISTS: 409,
    code_pb2.PERMISSION_DENIED: 403,
    code_pb2.RESOURCE_EXHAUSTED: 429,
    code_pb2.FAILED_PRECONDITION: 400,
    code_pb2.ABORTED: 409,
    code_pb2.OUT_OF_RANGE: 400,
    code_pb2.UNIMPLEMENTED: 501,
    code_pb2.INTERNAL: 500,
    code_pb2.UNAVAILABLE: 503,
    code_pb2.DATA_LOSS: 500,
    code_pb2.UNAUTHENTICATED: 401,
}


class RpcError(Exception):
    """The only exception that leaves the dispatch. `http` overrides the HTTP status that the code maps to."""

    def __init__(self, status: status_pb2.Status, http: int | None = None, **headers: str) -> None:
        super().__init__(f"{code_name(status)}: {status.message}")
        self.status = status
        self.http = http or HTTP_CODES[status.code]
        self.headers = headers

    @property
    def reason(self) -> str:
        return reason_of(self.status)


def status(
    code: code_pb2.Code.ValueType, reason: str, message: str, metadata: dict[str, str] | None = None
) -> status_pb2.Status:
    """Builds a status whose first detail is an ErrorInfo."""
    answer = status_pb2.Status(code=code, message=message)
    answer.details.add().Pack(
        error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata or {})
    )
    return answer


def status_of(error: errors.PlayError) -> status_pb2.Status:
    """The status of an error; a handler may add messages of its own as `error.details`."""
    answer = status(code_of(error), error.reason, error.message, error.metadata)
    for detail in details_of(error):
        answer.details.add().Pack(detail)
    return answer


def code_of(error: errors.PlayError) -> code_pb2.Code.ValueType:
    """The code of the nearest class of the error that has one."""
    return next(
        (STATUS_CODES[kind] for kind in type(error).__mro__ if kind in STATUS_CODES), code_pb2.INTERNAL
    )


def details_of(error: errors.PlayError) -> Iterable[Message]:
    """The details after the ErrorInfo: violations, retry delay, exceeded quota, and those of the handler."""
    if isinstance(error, errors.InvalidRequest):
        yield bad_request(error.violations)
    if isinstance(error, errors.TooMuch | errors.Unavailable):
        yield retry_info(error.retry_after)
    if isinstance(error, errors.TooMuch):
        yield quota_failure(error)
    yield from getattr(error, "details", ())


def bad_request(violations: Iterable[tuple[str, str]]) -> error_details_pb2.BadRequest:
    violation = error_details_pb2.BadRequest.FieldViolation
    return error_details_pb2.BadRequest(
        field_violations=[violation(field=field, description=why) for field, why in violations]
    )


def retry_info(seconds: float) -> error_details_pb2.RetryInfo:
    delay = duration_pb2.Duration()
    delay.FromNanoseconds(int(seconds * 1e9))
    return error_details_pb2.RetryInfo(retry_delay=delay)


def quota_failure(error: errors.TooMuch) -> error_details_pb2.QuotaFailure:
    violation = error_details_pb2.QuotaFailure.Violation(subject=error.subject, description=error.message)
    return error_details_pb2.QuotaFailure(violations=[violation])


def internal() -> status_pb2.Status:
    """The status of an unexpected exception. It has no detail, which might be a secret: see the log."""
    return status(code_pb2.INTERNAL, "INTERNAL", "internal error")


def method_not_found(method: str) -> status_pb2.Status:
    return status(code_pb2.UNIMPLEMENTED, "METHOD_NOT_FOUND", f"no such method: {method[:200]}")


def too_large_status(limit: int) -> status_pb2.Status:
    return status(code_pb2.RESOURCE_EXHAUSTED, "REQUEST_TOO_LARGE", f"requests must not exceed {limit} bytes")


def headers_too_large(limit: int) -> status_pb2.Status:
    return status(code_pb2.RESOURCE_EXHAUSTED, "HEADERS_TOO_LARGE", f"headers must not exceed {limit} bytes")


def code_name(answer: status_pb2.Status) -> str:
    name: str = code_pb2.Code.Name(answer.code)
    return name


def reason_of(answer: status_pb2.Status) -> str:
    """The reason in the ErrorInfo; empty without one."""
    info = error_details_pb2.ErrorInfo()
    for detail in answer.details:
        if detail.Unpack(info):
            return str(info.reason)
    return ""


def retry_after_of(answer: status_pb2.Status) -> float | None:
    """The seconds in the RetryInfo; None without one."""
    info = error_details_pb2.RetryInfo()
    for detail in answer.details:
        if detail.Unpack(info):
            return float(info.retry_delay.ToNanoseconds()) / 1e9
    return None


def error_body(error: RpcError) -> dict[str, Any]:
    """The error in Google's JSON shape for REST."""
    details = [
        json_format.MessageToDict(detail, always_print_fields_with_no_presence=True)
        for detail in error.status.details
    ]
    inner = {
        "code": error.http,
        "message": error.status.message,
        "status": code_name(error.status),
        "details": details,
    }
    return {"error": inner}
