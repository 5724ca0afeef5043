"""A call as the pipeline and the handlers see it. It is the same for all transports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from google.protobuf.message import Message

from gamehost.play.access import Principal

Read = Callable[[], Message]
"""Decodes the request, which the transport has received but not parsed."""


@dataclass(frozen=True, slots=True)
class Call:
    """The caller of an rpc, and the fields that its log line will have.

    The transport sets `authorization`, `peer` (address and port of the other end) and `traceparent`.
    Admission adds `principal`, the identity or key of the caller, and `payer`, the name that its quotas are
    counted under.
    """

    authorization: str | None = field(repr=False)  # a credential, which must not reach logs or tracebacks
    transport: str
    peer: str = ""
    traceparent: str | None = None
    principal: Principal = None
    payer: str = ""
    # Shared by all copies that `replace` makes: the recorder, which has the first one, reads here
    # what handlers note on the last.
    notes: dict[str, object] = field(default_factory=dict)

    def note(self, *, game: str | None = None, seat: int | None = None, version: int | None = None) -> None:
        """Adds fields to the call's log line; None leaves a field as it is."""
        if game is not None:
            self.notes["game"] = game
        if seat is not None:
            self.notes["seat"] = seat
        if version is not None:
            self.notes["version"] = version
