"""Estimates of the memory that cached messages take."""

from __future__ import annotations

from google.protobuf.message import Message

# Measured on views of the titles: a parsed message takes 8 to 16 times its bytes on the wire.
PARSED_FACTOR = 16
ENTRY_SIZE = 400  # bytes that a cache entry takes beside the serialized message


def message_size(message: Message) -> int:
    """The estimated bytes in memory of a parsed message."""
    return PARSED_FACTOR * message.ByteSize()
