"""The codec of Tigris & Euphrates. Bit masks of the rules are sent as lists of spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import orjson

from gamehost.codec import json_write, wire
from gamehost.codec.mirror import Pair, Specials, memoized_by_identity
from shedu.storage.tigris.v1 import state_pb2
from shedu.tigris.v1 import tigris_pb2

from .rules.spaces import BY_BIT, Mask, Space, mask_of, spaces_in

MOST_MASKS = 4096

# By identity: the rules use one object for each space, and hashing it takes longer than all the rest.
MESSAGES = {id(space): tigris_pb2.Space(row=space.row, column=space.column) for space in BY_BIT}
JSON = {key: orjson.Fragment(json_write.write_message(message)) for key, message in MESSAGES.items()}

# The content of each message, with its length.
CONTENTS = {key: wire.with_length(message.SerializeToString()) for key, message in MESSAGES.items()}


def encode_space(space: Space) -> tigris_pb2.Space:
    """The message of a space; it is shared and must not be changed."""
    return MESSAGES.get(id(space)) or tigris_pb2.Space(row=space.row, column=space.column)


def space_json(space: Space) -> orjson.Fragment:
    return JSON.get(id(space)) or orjson.Fragment(json_write.write_message(encode_space(space)))


def space_bytes(space: Space, tag: bytes) -> bytes:
    known = CONTENTS.get(id(space))
    return tag + (wire.with_length(encode_space(space).SerializeToString()) if known is None else known)


def encode_row(spaces: Iterable[Space]) -> list[tigris_pb2.Space]:
    return [encode_space(space) for space in spaces]


def decode_row(spaces: Iterable[Any]) -> tuple[Space, ...]:
    return tuple(map(decode_space, spaces))


@memoized_by_identity
def row_json(spaces: tuple[Space, ...]) -> orjson.Fragment:
    return orjson.Fragment(orjson.dumps(list(map(space_json, spaces))))


def row_bytes(spaces: tuple[Space, ...], tag: bytes) -> bytes:
    return ROWS_BYTES[tag](spaces)


class RowsBytes(dict[bytes, Callable[[Any], bytes]]):
    """The functions that write a row of spaces, by the tag of the field; made when they are needed."""

    def __missing__(self, tag: bytes) -> Callable[[Any], bytes]:
        def write(spaces: tuple[Space, ...]) -> bytes:
            return b"".join([space_bytes(space, tag) for space in spaces])

        self[tag] = memoized_by_identity(write)
        return self[tag]


# The rules make one tuple for each set of spaces, see `spaces_in`, so most are found: a view has about 550
# spaces, which take 100 µs to write one by one, and 10 this way.
ROWS_BYTES = RowsBytes()


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


@lru_cache(MOST_MASKS)
def spaces_bytes(mask: Mask, tag: bytes) -> bytes:
    return b"".join([tag + CONTENTS[id(space)] for space in spaces_in(mask)])


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
    Space: Pair(encode_space, decode_space, space_json, space_bytes),
    tuple[Space, ...]: Pair(encode_row, decode_row, row_json, row_bytes),
    Mask: Pair(encode_spaces, decode_spaces, spaces_json, spaces_bytes),
    tuple[Mask, ...]: Pair(encode_rows, decode_rows),
    tuple[tuple[Mask, ...], ...]: Pair(encode_leaders, decode_leaders),
}
