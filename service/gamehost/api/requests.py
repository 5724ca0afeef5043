"""Request ids: what makes a repeated call be answered the same, and whose they are."""

from __future__ import annotations

import hashlib
from typing import Any

from google.protobuf.message import Message

from gamehost.play.access import Caller, SeatKey
from gamehost.play.ports.event_store import RequestKey

from .call import Call


def whose(call: Call) -> str:
    """Request ids are the own of a seat of a game: nobody is answered what another seat asked."""
    if isinstance(call.who, SeatKey):
        return f"{call.who.game_id}.{call.who.seat}.{call.who.generation}"
    return own("caller", call) if call.who else "nobody"


def own(scope: str, call: Call) -> str:
    """Identities do not share request ids; where there are none, an id is as good as a secret."""
    return f"{scope}:{call.who.id}" if isinstance(call.who, Caller) else scope


def once(scope: str, request: Any) -> RequestKey | None:
    if not request.request_id:
        return None
    return RequestKey(f"{scope}:{request.request_id}", fingerprint(request))


def fingerprint(request: Message) -> bytes:
    """Of its kind, too: the bytes of two calls are often the same."""
    kind = request.DESCRIPTOR.full_name.encode()
    return hashlib.sha256(kind + b"\0" + request.SerializeToString(deterministic=True)).digest()[:16]
