"""Turns rows of a dataset, as `shedu simulate --out` writes them, into arrays for imitation learning."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from google.protobuf import json_format

from gamehost.codec.titles import TITLES
from gamehost.rules.kit import Seat

from .encoding import Array, Mask
from .encodings import ENCODINGS


class Example(NamedTuple):
    """One decision: the observation and the mask as an environment returns them, and the action taken."""

    observation: Array
    action_mask: Mask
    action: int


def example(row: Mapping[str, Any]) -> Example:
    """Encode a row. It uses the columns `title`, `seat`, `view`, `actions` and `choice`."""
    codec, encoding = TITLES[row["title"]], ENCODINGS[row["title"]]
    view = codec.view.decode(json_format.Parse(row["view"], codec.wire.View()))
    actions = [
        codec.action.decode(json_format.ParseDict(listed, codec.wire.Action()))
        for listed in json.loads(row["actions"])
    ]
    observation = encoding.encode_view(view, Seat(row["seat"]))
    return Example(observation, encoding.mask(actions), encoding.index(actions[row["choice"]]))
