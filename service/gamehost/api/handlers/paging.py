"""Page sizes and page tokens."""

from __future__ import annotations

import base64
import binascii
import hashlib

from google.protobuf.message import Message

from gamehost.play.errors import InvalidRequest

MOST_NUMBER = 2**53  # what every store can count to


def page_size(asked: int, default: int, most: int) -> int:
    return min(asked or default, most)


def page_token(request: Message, *place: str | int) -> str:
    """Where the next page begins, bound to what was asked for."""
    words = "|".join([_question(request), *map(str, place)])
    return base64.urlsafe_b64encode(words.encode()).decode().rstrip("=")


def page_place(request: Message, token: str, length: int) -> list[str] | None:
    """The place that `page_token` wrote down; None for the first page."""
    if not token:
        return None
    try:
        padded = token + "=" * (-len(token) % 4)
        question, *place = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii").split("|")
    except (binascii.Error, ValueError):
        raise _invalid() from None
    if question != _question(request) or len(place) != length:
        raise _invalid()
    return place


def parsed_number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 17 and int(word) <= MOST_NUMBER):
        raise _invalid()
    return int(word)


def _question(request: Message) -> str:
    """What makes two requests pages of one list: all but size and token."""
    same = type(request)()
    same.CopyFrom(request)
    same.ClearField("page_size")
    same.ClearField("page_token")
    return hashlib.sha256(same.SerializeToString(deterministic=True)).hexdigest()[:12]


def _invalid() -> InvalidRequest:
    return InvalidRequest("page_token", "is not one that this list gave out")
