"""The codec of Tigris & Euphrates. Bit masks of the rules are sent as lists of spaces."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import orjson

from gamehost.codec import json_write, wire
from gamehost.codec.mirror import Pair, Specials
from shedu.storage.tigris.v1 import state_pb2
from shedu.tigris.v1 import tigris_pb2

from .rules.material import Colour
from .rules.model import LeaderTargets, TileTargets
from .rules.spaces import BY_BIT, Mask, Space, mask_of, spaces_in

MOST_MASKS = 4096

# By identity: the rules use one object for each space, and hashing it takes longer than all the rest.
MESSAGES = {id(space): tigris_pb2.Space(row=space.row, column=space.column) for space in BY_BIT}
JSON = {key: orjson.Fragment(json_write.write_message(message)) for key, message in MESSAGES.items()}


def encode_space(space: Space) -> tigris_pb2.Space:
    """The message of a space; it is shared and must not be changed."""
    return MESSAGES.get(id(space)) or tigris_pb2.Space(row=space.row, column=space.column)


def space_json(space: Space) -> orjson.Fragment:
    return JSON.get(id(space)) or orjson.Fragment(json_write.write_message(encode_space(space)))


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

_LEADER_TARGETS, _TILE_TARGETS, _CATASTROPHE_TARGETS = (
    wire.part(tigris_pb2.View, f"{name}_targets") for name in ("leader", "tile", "catastrophe")
)
_LEADER_SPACE = wire.part(tigris_pb2.LeaderTargets, "spaces")
_TILE_SPACE = wire.part(tigris_pb2.TileTargets, "spaces")
# By identity of the space, as above: the field of each message in which a space is.
LEADER_SPACES, TILE_SPACES, CATASTROPHE_SPACES = (
    {key: part(message.SerializeToString()) for key, message in MESSAGES.items()}
    for part in (_LEADER_SPACE, _TILE_SPACE, _CATASTROPHE_TARGETS)
)


def number_of(colour: Colour) -> tigris_pb2.Colour.ValueType:
    return tigris_pb2.Colour.Value(f"COLOUR_{colour.name}")


LEADERS = {
    colour: tigris_pb2.LeaderTargets(leader=number_of(colour)).SerializeToString() for colour in Colour
}
TILES = {colour: tigris_pb2.TileTargets(colour=number_of(colour)).SerializeToString() for colour in Colour}


def leader_targets(targets: tuple[LeaderTargets, ...]) -> bytes:
    return b"".join(
        _LEADER_TARGETS(LEADERS[each.leader] + b"".join([LEADER_SPACES[id(space)] for space in each.spaces]))
        for each in targets
    )


def tile_targets(targets: tuple[TileTargets, ...]) -> bytes:
    return b"".join(
        _TILE_TARGETS(TILES[each.colour] + b"".join([TILE_SPACES[id(space)] for space in each.spaces]))
        for each in targets
    )


def catastrophe_targets(spaces: tuple[Space, ...]) -> bytes:
    return b"".join([CATASTROPHE_SPACES[id(space)] for space in spaces])


# Nine of ten messages in a view are spaces on which something could be placed.
VIEW_PARTS = {
    "leader_targets": leader_targets,
    "tile_targets": tile_targets,
    "catastrophe_targets": catastrophe_targets,
}
