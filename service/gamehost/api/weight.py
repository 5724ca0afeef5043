"""How much memory a message holds that is remembered, roughly."""

from __future__ import annotations

from google.protobuf.message import Message

TREE = 16  # times the bytes on the wire: 8 to 16 for the views of the titles
ENTRY = 400  # what remembers bytes, beside those bytes


def weigh(message: Message) -> int:
    return TREE * message.ByteSize()
