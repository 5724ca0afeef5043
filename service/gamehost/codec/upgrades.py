"""Upgrades of events that older releases have stored.

Stored events are never rewritten. When an event changes its shape, its old fields or its old case stay in the
proto, marked as `[deprecated = true]`, and an upgrade is added here. Mark them before you run
`python3 proto --title`, which keeps what is deprecated, and refuses to remove anything else of an event or of
the state.

An upgrade gets the event as it was stored and returns the event that would be stored today. Upgrades are
applied wherever a log or an export is read, so that no other code sees old events. They are keyed by the case
of `shedu.v1.Event`, or by `title.case` for an event of a title. An upgrade that has nothing to change returns
its argument. Upgrades are never removed.

One event is upgraded to exactly one event, so that the versions of a log do not change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from shedu.v1 import game_pb2

Upgrade: TypeAlias = Callable[[game_pb2.Event], game_pb2.Event]
Upgrades: TypeAlias = Mapping[str, Upgrade]

UPGRADES: Upgrades = {}


def event_kind(event: game_pb2.Event) -> str:
    """The case that is set, with the inner case for an event of a title; empty for an unknown event."""
    kind = str(event.WhichOneof("kind") or "")
    inner = getattr(event, kind) if kind else None
    if inner is None or "kind" not in inner.DESCRIPTOR.oneofs_by_name:
        return kind
    return f"{kind}.{inner.WhichOneof('kind') or ''}"


def upgraded(event: game_pb2.Event, upgrades: Upgrades) -> game_pb2.Event:
    """Applies upgrades until none changes the event: the result of one may itself be old."""
    while upgrade := upgrades.get(event_kind(event)):
        newer = upgrade(event)
        # Compared by value, since an upgrade may return a copy. Without this check the loop might never end.
        if newer == event:
            break
        event = newer
    return event
