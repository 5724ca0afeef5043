"""The result of a check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Grade(StrEnum):
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Finding:
    """One result. `action` says what to do, and is empty if nothing needs to be done."""

    check: str
    grade: Grade
    detail: str
    action: str = ""


def good(check: str, detail: str) -> Finding:
    return Finding(check, Grade.OK, detail)


def warning(check: str, detail: str, action: str) -> Finding:
    return Finding(check, Grade.WARNING, detail, action)


def problem(check: str, detail: str, action: str) -> Finding:
    return Finding(check, Grade.PROBLEM, detail, action)
