"""The codec of Tigris & Euphrates. Bit masks of the rules are sent as lists of spaces."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import orjson

from gamehost.codec import json_write
from gamehost.codec.mirror import Pair, Specials
from shedu.storage.tigris.v1 import state_pb2
from shedu.tigris.v1 import tigris_pb2

from .rules.spaces import Mask, Space, mask_of, spaces_in

MOST_SPACES = 256  # the board has 176
MOST_MASKS = 4096


@lru_cache(MOST_SPACES)
def encode_space(space: Space) -> tigris_pb2.Space:
    """The message of a space; it is shared and must not be changed."""
    return tigris_pb2.Space(row=space.row, column=space.column)


@lru_cache(MOST_SPACES)
def space_json(space: Space) -> orjson.Fragment:
    return orjson.Fragment(json_write.write_message(encode_space(space)))


def decode_space(space: tigris_pb2.Space) -> Space:
    return Space(space.row, space.column)


@lru_cache(MOST_MASKS)
def encode_spaces(mask: Mask) -> list[tigris_pb2.Space]:
    """The messages of the spaces of a mask; the list is shared and must not be changed.

    A view has about 650 spaces in 20 masks, and most masks are the same as before the last move.
    """
    return [encode_space(space) for space in spaces_in(mask)]


@lru_cache(MOST_MASKS)
def spaces_json(mask: Mask) -> orjson.Fragment:
    return orjson.Fragment(orjson.dumps([space_json(space) for space in spaces_in(mask)]))


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
    Space: Pair(encode_space, decode_space, space_json),
    Mask: Pair(encode_spaces, decode_spaces, spaces_json),
    tuple[Mask, ...]: Pair(encode_rows, decode_rows),
    tuple[tuple[Mask, ...], ...]: Pair(encode_leaders, decode_leaders),
}
