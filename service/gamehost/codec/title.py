"""The five top messages of a title, paired with its dataclasses."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from gamehost.rules.kit import AnyRules, Decision
from shedu.storage.v1 import snapshot_pb2

from .mirror import Pair, Specials, mirror, snake


@dataclass(frozen=True, slots=True)
class TitleCodec:
    """How one title's options, actions, events, states and views travel."""

    rules: AnyRules
    wire: ModuleType
    options: Pair
    action: Pair
    event: Pair
    state: Pair
    view: Pair
    shape: bytes  # changes when the State message, the rules or the message around the state do

    def kinds(self, decision: Decision) -> list[str]:
        """The cases of the title's Action that may answer."""
        return [snake(kind.__name__) for kind in decision.kinds]


def title_codec(
    rules: AnyRules,
    wire: ModuleType,
    *,
    action: Any,
    event: Any,
    view: Any,
    specials: Specials | None = None,
    lasting: Collection[type] = (),
) -> TitleCodec:
    """Pair a title with its generated module; `action` and `event` are unions of dataclasses."""
    proto: bytes = wire.DESCRIPTOR.serialized_pb + snapshot_pb2.DESCRIPTOR.serialized_pb
    kept = {rules.options, *lasting}
    return TitleCodec(
        rules,
        wire,
        options=mirror(rules.options, wire.Options, specials, kept),
        action=mirror(action, wire.Action, specials),
        event=mirror(event, wire.Event, specials),
        state=mirror(type(rules.blank), wire.State, specials),
        view=mirror(view, wire.View, specials, kept),
        shape=hashlib.sha256(proto + b"%d" % rules.version).digest()[:8],
    )
