"""What is sent to a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import NotReplicated

Part = bytes | str | int
Command = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    """How many replicas must have a write before it is answered."""

    replicas: int
    milliseconds: int

    @property
    def command(self) -> Command:
        return "WAIT", self.replicas, self.milliseconds

    def judged(self, *results: Any) -> Sequence[Any]:
        """The results before the last, which counts replicas; all are in doubt when there are too few."""
        *written, reached = results
        if isinstance(reached, int) and reached >= self.replicas:
            return written
        return [each if isinstance(each, Exception) else NotReplicated() for each in written]


def key_of(command: Command) -> Part:
    return command[3] if command[0] in ("EVAL", "EVALSHA") else command[1]
