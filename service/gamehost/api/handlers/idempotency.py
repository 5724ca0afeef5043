"""Request ids: what makes a repeated call be answered the same, and whose they are."""

from __future__ import annotations

import hashlib
from typing import Any

from google.protobuf.message import Message

from gamehost.api.pipeline.call import Call
from gamehost.play.access import Caller, SeatKey
from gamehost.play.ports.event_log import RequestKey


def seat_scope(call: Call) -> str:
    """Request ids are the own of a seat of a game: nobody is answered what another seat asked."""
    if isinstance(call.principal, SeatKey):
        return f"{call.principal.game_id}.{call.principal.seat}.{call.principal.generation}"
    return caller_scope("caller", call) if call.principal else "nobody"


def caller_scope(scope: str, call: Call) -> str:
    """Identities do not share request ids; where there are none, an id is as good as a secret."""
    return f"{scope}:{call.principal.id}" if isinstance(call.principal, Caller) else scope


def idempotency_key(scope: str, request: Any) -> RequestKey | None:
    if not request.request_id:
        return None
    return RequestKey(f"{scope}:{request.request_id}", fingerprint(request))


def fingerprint(request: Message) -> bytes:
    """Of its kind, too: the bytes of two calls are often the same."""
    kind = request.DESCRIPTOR.full_name.encode()
    return hashlib.sha256(kind + b"\0" + request.SerializeToString(deterministic=True)).digest()[:16]
