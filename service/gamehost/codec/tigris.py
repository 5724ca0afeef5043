"""Tigris & Euphrates on the wire, where a bit mask travels as a list of spaces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gamehost.rules.tigris import TIGRIS
from gamehost.rules.tigris.actions import Action
from gamehost.rules.tigris.events import Event
from gamehost.rules.tigris.knowledge import View
from gamehost.rules.tigris.spaces import Mask, Space, mask_of, spaces_in
from shedu.tigris.v1 import tigris_pb2

from .mirror import Pair, Specials
from .title import title_codec


def space_out(space: Space) -> tigris_pb2.Space:
    return tigris_pb2.Space(row=space.row, column=space.column)


def space_back(space: tigris_pb2.Space) -> Space:
    return Space(space.row, space.column)


def spaces_out(mask: Mask) -> list[tigris_pb2.Space]:
    return [space_out(space) for space in spaces_in(mask)]


def spaces_back(spaces: Iterable[Any]) -> Mask:
    return mask_of(map(space_back, spaces))


def rows_out(masks: tuple[Mask, ...]) -> list[tigris_pb2.Spaces]:
    return [tigris_pb2.Spaces(spaces=spaces_out(mask)) for mask in masks]


def rows_back(rows: Iterable[Any]) -> tuple[Mask, ...]:
    return tuple(spaces_back(row.spaces) for row in rows)


def leaders_out(seats: tuple[tuple[Mask, ...], ...]) -> list[tigris_pb2.LeaderSpaces]:
    return [tigris_pb2.LeaderSpaces(leaders=rows_out(masks)) for masks in seats]


def leaders_back(seats: Iterable[Any]) -> tuple[tuple[Mask, ...], ...]:
    return tuple(rows_back(seat.leaders) for seat in seats)


SPACES: Specials = {
    Space: Pair(space_out, space_back),  # what the mirror would do, but a view has hundreds
    Mask: Pair(spaces_out, spaces_back),
    tuple[Mask, ...]: Pair(rows_out, rows_back),
    tuple[tuple[Mask, ...], ...]: Pair(leaders_out, leaders_back),
}

TIGRIS_CODEC = title_codec(TIGRIS, tigris_pb2, action=Action, event=Event, view=View, specials=SPACES)
