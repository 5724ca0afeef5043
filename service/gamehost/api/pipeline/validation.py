"""Holds requests against the rules that the contract states with buf.validate."""

from __future__ import annotations

import protovalidate
from google.protobuf.message import Message

from gamehost.play.errors import InvalidRequest

from . import field_checks

_validator = protovalidate.Validator()


def validate(request: Message) -> None:
    """Raises InvalidRequest with every violation."""
    # The rules of the contract cannot be evaluated on a moment that is none.
    violations = list(field_checks.violations(request)) or [
        named(violation) for violation in _validator.collect_violations(request)
    ]
    if violations:
        error = InvalidRequest(*violations[0])
        error.violations = violations
        raise error


MISSING = "must be given"
# How protovalidate words what is simply not there.
NOT_THERE = {"string.min_len", "enum.not_in", "required"}


def named(violation: protovalidate.Violation) -> tuple[str, str]:
    found = violation.proto
    path = list(map(element_name, found.field.elements if found.field else ()))
    if found.rule_id == "string.pattern" and violation.field_value == "":
        return ".".join(path), MISSING
    if found.message.endswith("oneof"):  # whose name stands in no request
        path.pop()
    return ".".join(path), MISSING if found.rule_id in NOT_THERE else found.message


def element_name(element: protovalidate.FieldPathElementPb) -> str:
    subscript = element.subscript
    return element.field_name if subscript is None else f"{element.field_name}[{subscript.value}]"
