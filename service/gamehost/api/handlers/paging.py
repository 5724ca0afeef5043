"""Page sizes and page tokens.

A page token contains the position of the next page and a digest of the request without its page fields. It is
not signed: what a caller could forge is a position, which is checked like any other input.
"""

from __future__ import annotations

import base64
import binascii
import hashlib

from google.protobuf.message import Message

from gamehost.play.errors import InvalidRequest

LARGEST_NUMBER = 2**53  # Lua and JSON count in doubles, which are exact up to here


def page_size(requested: int, default: int, most: int) -> int:
    """The size to use; 0 requests the default, and larger sizes than `most` are lowered to it."""
    return min(requested or default, most)


def page_token(request: Message, *position: str | int) -> str:
    """The token of the page that begins at `position`, valid for this request only."""
    text = "|".join([_request_digest(request), *map(str, position)])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def page_position(request: Message, token: str, length: int) -> list[str] | None:
    """The position in a token, in `length` parts; None for the first page.

    Raises InvalidRequest if the token is malformed or belongs to another request.
    """
    if not token:
        return None
    try:
        padded = token + "=" * (-len(token) % 4)
        text = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        raise _invalid() from None
    digest, *position = text.split("|")
    if digest != _request_digest(request) or len(position) != length:
        raise _invalid()
    return position


def parsed_number(word: str) -> int:
    """A number of a position. Raises InvalidRequest."""
    # The length is checked first: `int` takes quadratic time for long texts.
    if not (word.isascii() and word.isdigit() and len(word) < 17 and int(word) <= LARGEST_NUMBER):
        raise _invalid()
    return int(word)


def _request_digest(request: Message) -> str:
    """A digest of the fields that all pages of one list have in common: all but size and token."""
    common = type(request)()
    common.CopyFrom(request)
    common.ClearField("page_size")
    common.ClearField("page_token")
    return hashlib.sha256(common.SerializeToString(deterministic=True)).hexdigest()[:12]


def _invalid() -> InvalidRequest:
    return InvalidRequest("page_token", "is not a page token of this list")
