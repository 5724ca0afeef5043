"""Holds requests against the rules that the contract states with buf.validate."""

from __future__ import annotations

import protovalidate
from google.protobuf.message import Message

from gamehost.play.errors import InvalidRequest

_validator = protovalidate.Validator()


def validate(request: Message) -> None:
    """Raises InvalidRequest with every violation."""
    violations = [named(violation) for violation in _validator.collect_violations(request)]
    if violations:
        error = InvalidRequest(*violations[0])
        error.violations = violations
        raise error


def named(violation: protovalidate.Violation) -> tuple[str, str]:
    path = violation.proto.field
    return ".".join(map(element_name, path.elements if path else ())), violation.proto.message


def element_name(element: protovalidate.FieldPathElementPb) -> str:
    subscript = element.subscript
    return element.field_name if subscript is None else f"{element.field_name}[{subscript.value}]"
