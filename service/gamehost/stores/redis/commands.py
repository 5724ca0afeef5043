"""Commands as they are sent to a server, and the WAIT for its replicas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import NotReplicated

Part = bytes | str | int
Command = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    """The number of replicas that must have a write before its caller is answered, and the time to wait."""

    replicas: int
    milliseconds: int

    @property
    def command(self) -> Command:
        return "WAIT", self.replicas, self.milliseconds

    def checked(self, *results: Any) -> Sequence[Any]:
        """Returns the results of a pipeline without the last one, which is that of WAIT.

        If too few replicas were reached, every result that is not an error becomes NotReplicated: WAIT does
        not tell which of the writes are missing there.
        """
        *written, reached = results
        if isinstance(reached, int) and reached >= self.replicas:
            return written
        return [each if isinstance(each, Exception) else NotReplicated() for each in written]


def key_of(command: Command) -> Part:
    """The first key of a command; it decides the node of a cluster."""
    return command[3] if command[0] in ("EVAL", "EVALSHA") else command[1]
