"""A remark of a seat, and its encoding in the store."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from gamehost.play.ports.talk_log import StoredRemark


@dataclass(frozen=True, slots=True)
class Remark:
    """A phrase or a text of a seat, said at `at` (microseconds since 1970) and at a version of the game.

    `text` of a phrase is its English text. `display_name` is the name of the owner at that time: before the
    start the seat may get another one.
    """

    seat: int
    display_name: str
    at: int
    version: int
    phrase_id: str = ""
    text: str = ""

    def encoded(self) -> bytes:
        return json.dumps(asdict(self), separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class NumberedRemark:
    """A remark and its number in the talk of its game, which is the cursor behind it."""

    number: int
    remark: Remark


def decoded_remark(stored: StoredRemark) -> NumberedRemark:
    return NumberedRemark(stored.number, Remark(**json.loads(stored.payload)))
