"""Responses that are put together from encoded parts instead of from messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson
from google.protobuf.message import Message

from . import json_write


@dataclass(frozen=True, slots=True)
class EncodedMessage:
    """A message that is written as bytes or as JSON, whichever the transport of the caller needs.

    Most of a response has been encoded before: an event for the log, a view for another call. Building a
    message of such parts copies all of them. Here they are joined (44 µs less for a move of Tides over gRPC,
    170 over REST). `kind` is the type of the message.
    """

    kind: type[Message]
    binary: Callable[[], bytes]
    json_value: Callable[[], Any]

    def SerializeToString(self) -> bytes:
        """The bytes of the message; named as the method of messages, so that servers can send either."""
        return self.binary()

    def message(self) -> Any:
        return self.kind.FromString(self.binary())


def encoded_message(message: Message) -> EncodedMessage:
    """An existing message, as part of a response that is put together from encoded parts."""
    return EncodedMessage(type(message), message.SerializeToString, lambda: json_write.value_of(message))


Answer = Message | EncodedMessage
"""The response of a handler."""


def serialize(answer: Answer) -> bytes:
    return answer.SerializeToString()


def write_json(answer: Answer) -> bytes:
    if isinstance(answer, EncodedMessage):
        return orjson.dumps(answer.json_value())
    return json_write.write_message(answer)


def as_message(answer: Answer) -> Any:
    return answer.message() if isinstance(answer, EncodedMessage) else answer
