"""Idempotency keys: a repeated request with the same request id gets the same answer.

The store keeps the key of each write in its game. This module decides who shares ids: each scope has ids
of its own, so that no caller can get the answer to the request of another one, which may contain a seat
token.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gamehost.api.pipeline.call import Call
from gamehost.play.access import Caller, SeatKey
from gamehost.play.ports.event_log import RequestKey

from .reading import SELECTION


def seat_scope(call: Call) -> str:
    """The scope of a call for a seat: the seat token, or the identity of the caller.

    The generation is part of it, because a seat can change hands: the next owner has ids of its own.
    """
    if isinstance(call.principal, SeatKey):
        return f"{call.principal.game_id}.{call.principal.seat}.{call.principal.generation}"
    return caller_scope("caller", call) if call.principal else "nobody"


def caller_scope(scope: str, call: Call) -> str:
    """The scope of a call without a seat, such as CreateGame and JoinGame: the identity of the caller.

    Without identities all callers share one scope. A request id is then a secret: it alone proves that a
    repeated JoinGame comes from the same caller, who gets the same seat token. The contract demands at least
    16 characters of those ids so that they cannot be guessed.
    """
    return f"{scope}:{call.principal.id}" if isinstance(call.principal, Caller) else scope


def idempotency_key(scope: str, request: Any) -> RequestKey | None:
    """The key of a request; None if it has no request id and so may be carried out twice."""
    if not request.request_id:
        return None
    return RequestKey(f"{scope}:{request.request_id}", fingerprint(request))


def fingerprint(request: Message) -> bytes:
    """A digest by which the store distinguishes a repeated request from another one with the same id.

    Fields that only select parts of the response are left out: a repetition may select other parts.
    """
    if selects(request):
        without = type(request)()
        without.CopyFrom(request)
        for name in SELECTION:
            without.ClearField(name)
        request = without
    # The type is part of it: the bytes of a Resign and of a ReclaimSeat for the same game are the same.
    message_type = request.DESCRIPTOR.full_name.encode()
    content = request.SerializeToString(deterministic=True)
    return hashlib.sha256(message_type + b"\0" + content).digest()[:16]


def selects(request: Any) -> bool:
    """Whether a request has a field that selects parts of the response."""
    return any(
        request.HasField(name) if has_presence else bool(getattr(request, name))
        for name, has_presence in selection_fields(request.DESCRIPTOR)
    )


@cache
def selection_fields(descriptor: Descriptor) -> tuple[tuple[str, bool], ...]:
    """The names of these fields, and whether a field of that kind knows that it is set."""
    fields: Iterable[FieldDescriptor] = descriptor.fields
    return tuple((field.name, bool(field.has_presence)) for field in fields if field.name in SELECTION)
