"""How much memory a message holds that is remembered, roughly."""

from __future__ import annotations

from google.protobuf.message import Message

TREE_FACTOR = 16  # times the bytes on the wire: 8 to 16 for the views of the titles
ENTRY_SIZE = 400  # what remembers bytes, beside those bytes


def message_size(message: Message) -> int:
    return TREE_FACTOR * message.ByteSize()
