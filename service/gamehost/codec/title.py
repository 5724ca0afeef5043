"""The codec of one title: its five top messages, paired with its dataclasses."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from types import ModuleType
from typing import Any

from gamehost.rules.kit import AnyRules, Decision
from shedu.storage.v1 import snapshot_pb2

from .json_mirror import ToJson, json_mirror
from .mirror import Pair, Specials, mirror, snake
from .wire_mirror import ToBytes, wire_mirror


@dataclass(frozen=True, slots=True)
class TitleCodec:
    """Translates the options, actions, events, states and views of one title."""

    rules: AnyRules
    wire: ModuleType  # the messages that callers send and get
    stored: ModuleType  # the message State, which only the store reads
    options: Pair
    action: Pair
    event: Pair
    state: Pair
    view: Pair
    view_bytes: ToBytes
    event_bytes: ToBytes
    event_json: ToJson
    view_json: ToJson
    action_json: ToJson
    shape: bytes  # identifies the format of stored states, see `title_codec`

    def decode_state(self, payload: bytes) -> Any:
        """Decodes a stored state. Raises DecodeError or Undecodable."""
        return self.state.decode(self.stored.State.FromString(payload))

    def kinds(self, decision: Decision) -> list[str]:
        """The cases of the Action message that may answer a decision."""
        return [snake(kind.__name__) for kind in decision.kinds]


def title_codec(
    rules: AnyRules,
    wire: ModuleType,
    stored: ModuleType,
    *,
    specials: Specials | None = None,
    memoized: Collection[type] = (),
) -> TitleCodec:
    """Builds the codec of a title from its generated modules.

    Raises TypeError if a message and its dataclass differ. See `mirror` for `specials` and `memoized`.
    """
    # Stored states are a cache. One whose shape differs is discarded and computed again from the log, so the
    # shape has to change with everything that a state depends on: the messages and the version of the rules.
    files = (wire.DESCRIPTOR, stored.DESCRIPTOR, snapshot_pb2.DESCRIPTOR)
    proto: bytes = b"".join(file.serialized_pb for file in files)
    memoized_types = {rules.options, *memoized}
    view = mirror(rules.views, wire.View, specials, memoized_types)
    return TitleCodec(
        rules,
        wire,
        stored,
        options=mirror(rules.options, wire.Options, specials, memoized_types),
        action=mirror(tuple(rules.actions), wire.Action, specials),
        event=mirror(tuple(rules.events), wire.Event, specials),
        state=mirror(type(rules.blank), stored.State, specials),
        view=view,
        view_bytes=wire_mirror(rules.views, wire.View, specials, memoized_types),
        event_bytes=wire_mirror(tuple(rules.events), wire.Event, specials, memoized_types),
        event_json=json_mirror(tuple(rules.events), wire.Event, specials),
        view_json=json_mirror(rules.views, wire.View, specials, memoized_types),
        action_json=json_mirror(tuple(rules.actions), wire.Action, specials),
        shape=hashlib.sha256(proto + b"%d" % rules.version).digest()[:8],
    )


def union_of(kinds: Sequence[type]) -> Any:
    """Returns the union type of some dataclasses; of one, the class itself."""
    return reduce(or_, kinds)
