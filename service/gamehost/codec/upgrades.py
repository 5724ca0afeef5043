"""Old events, lifted to what they would be today.

What stands in a log is never rewritten. When an event changes its shape, its old fields or its old case stay
in the proto, marked deprecated, and a lift says here what they mean today: it gets the event as it was
stored and gives the one that would be stored now. It does so wherever a log or an export is read, so that
nothing else ever meets an old event. Lifts are keyed by the case of `shedu.v1.Event`, or by `title.case`
for an event of a title, and one that finds nothing old gives back what it got. They are kept for ever.

A log never loses or gains a version: one event is lifted to one event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from shedu.v1 import game_pb2

Upgrade: TypeAlias = Callable[[game_pb2.Event], game_pb2.Event]
Upgrades: TypeAlias = Mapping[str, Upgrade]

UPGRADES: Upgrades = {}


def event_kind(event: game_pb2.Event) -> str:
    """The case that is set, with that inside for an event of a title; empty for one that is not known."""
    kind = str(event.WhichOneof("kind") or "")
    inside = getattr(event, kind) if kind else None
    if inside is None or "kind" not in inside.DESCRIPTOR.oneofs_by_name:
        return kind
    return f"{kind}.{inside.WhichOneof('kind') or ''}"


def upgraded(event: game_pb2.Event, lifts: Upgrades) -> game_pb2.Event:
    """Step by step: what a lift gives may be old in its turn."""
    while lift := lifts.get(event_kind(event)):
        newer = lift(event)
        if newer == event:
            break
        event = newer
    return event
