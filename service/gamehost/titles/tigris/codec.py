"""The codec of Tigris & Euphrates. Bit masks of the rules are sent as lists of spaces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gamehost.codec.mirror import Pair, Specials
from shedu.storage.tigris.v1 import state_pb2
from shedu.tigris.v1 import tigris_pb2

from .rules.spaces import Mask, Space, mask_of, spaces_in


def encode_space(space: Space) -> tigris_pb2.Space:
    return tigris_pb2.Space(row=space.row, column=space.column)


def decode_space(space: tigris_pb2.Space) -> Space:
    return Space(space.row, space.column)


def encode_spaces(mask: Mask) -> list[tigris_pb2.Space]:
    return [encode_space(space) for space in spaces_in(mask)]


def decode_spaces(spaces: Iterable[Any]) -> Mask:
    return mask_of(map(decode_space, spaces))


def encode_rows(masks: tuple[Mask, ...]) -> list[state_pb2.Spaces]:
    return [state_pb2.Spaces(spaces=encode_spaces(mask)) for mask in masks]


def decode_rows(rows: Iterable[Any]) -> tuple[Mask, ...]:
    return tuple(decode_spaces(row.spaces) for row in rows)


def encode_leaders(seats: tuple[tuple[Mask, ...], ...]) -> list[state_pb2.LeaderSpaces]:
    return [state_pb2.LeaderSpaces(leaders=encode_rows(masks)) for masks in seats]


def decode_leaders(seats: Iterable[Any]) -> tuple[tuple[Mask, ...], ...]:
    return tuple(decode_rows(seat.leaders) for seat in seats)


SPECIALS: Specials = {
    # The mirror would do the same for a Space, but slower, and a view has hundreds of them.
    Space: Pair(encode_space, decode_space),
    Mask: Pair(encode_spaces, decode_spaces),
    tuple[Mask, ...]: Pair(encode_rows, decode_rows),
    tuple[tuple[Mask, ...], ...]: Pair(encode_leaders, decode_leaders),
}
