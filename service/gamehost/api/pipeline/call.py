"""One call, whatever its transport."""

from __future__ import annotations

from dataclasses import dataclass, field

from gamehost.play.access import Principal


@dataclass(frozen=True)
class Call:
    """Who calls, and how; `note` keeps what belongs into the call's log line.

    The transport tells `peer`, the address and port of the other end, and the `traceparent` it sent. The door
    finds out `who` that is, and `payer`, whose limits count.
    """

    authorization: str | None = field(repr=False)
    transport: str
    peer: str = ""
    traceparent: str | None = None
    principal: Principal = None
    payer: str = ""
    notes: dict[str, object] = field(default_factory=dict)

    def note(self, *, game: str | None = None, seat: int | None = None, version: int | None = None) -> None:
        given = {"game": game, "seat": seat, "version": version}
        self.notes.update({key: value for key, value in given.items() if value is not None})
