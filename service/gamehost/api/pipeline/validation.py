"""Checks requests against the rules that the contract states with buf.validate."""

from __future__ import annotations

import protovalidate
from google.protobuf.message import Message

from gamehost.play.errors import InvalidRequest

from . import field_checks

MISSING = "must be given"
# Rules that are broken by leaving a field out. protovalidate's own message would name a length or a number.
RULES_OF_MISSING_FIELDS = {"string.min_len", "enum.not_in", "required"}

_validator = protovalidate.Validator()


def validate(request: Message) -> None:
    """Raises InvalidRequest with every violation."""
    # The field checks come first and alone: protovalidate raises, instead of reporting a violation, when it
    # evaluates a rule on a timestamp outside of what the wire format defines.
    violations = list(field_checks.violations(request)) or [
        path_and_message(violation) for violation in _validator.collect_violations(request)
    ]
    if violations:
        error = InvalidRequest(*violations[0])
        error.violations = violations
        raise error


def path_and_message(violation: protovalidate.Violation) -> field_checks.Violation:
    """The path of the field, as a caller writes it, and what is wrong with it."""
    found = violation.proto
    path = list(map(element_name, found.field.elements if found.field else ()))
    if found.rule_id == "string.pattern" and violation.field_value == "":
        return ".".join(path), MISSING
    if found.message.endswith("oneof"):  # the name of a oneof never appears in a request
        path.pop()
    return ".".join(path), MISSING if found.rule_id in RULES_OF_MISSING_FIELDS else found.message


def element_name(element: protovalidate.FieldPathElementPb) -> str:
    subscript = element.subscript
    return element.field_name if subscript is None else f"{element.field_name}[{subscript.value}]"
