"""Removes from the records of a game what a seat or a spectator may not know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gamehost.rules.copying import replace
from gamehost.rules.kit import AnyRules, Seat

from .events import TABLE_EVENTS, GameCreated, PositionPlaced, SeatTaken, SeedRevealed
from .table import EventRecord, Table, without_undone


def without_identities(record: EventRecord) -> EventRecord:
    """Return the record without the ids of callers, which no one is ever shown."""
    event = record.event
    if isinstance(event, SeatTaken) and event.caller_id:
        return replace(record, event=replace(event, caller_id=""))
    if isinstance(event, GameCreated) and any(plan.reserved_for for plan in event.seats):
        seats = tuple(replace(plan, reserved_for="") for plan in event.seats)
        return replace(record, event=replace(event, seats=seats))
    return record


def redacted(rules: AnyRules, record: EventRecord, seat: Seat | None) -> EventRecord:
    """Return the record as that seat, or a spectator, may see it: without seed, state and identities."""
    if isinstance(record.event, SeedRevealed):
        return replace(record, event=SeedRevealed(b""))
    if isinstance(record.event, PositionPlaced):
        return replace(record, event=replace(record.event, state=None))
    if isinstance(record.event, TABLE_EVENTS):
        return without_identities(record)
    shown = rules.witness(record.event, seat)
    # Rules return the same object for a public event, which is the usual case and needs no copy.
    return record if shown is record.event else replace(record, event=shown)


def witnessed_events(table: Table, records: Iterable[EventRecord], seat: Seat | None) -> Sequence[Any]:
    """Return the title's events as the seat saw them, without those that were undone.

    Empty for a fork: its log begins in the middle, so its events would not be the whole history.
    """
    if table.created.fork_of is not None:
        return ()
    remaining = [
        record for batch in without_undone(records) for record in batch if record.version <= table.version
    ]
    return [table.rules.witness(r.event, seat) for r in remaining if not isinstance(r.event, TABLE_EVENTS)]
