"""Makes random requests from the descriptors of the contract, plausible except for some odd fields."""

from __future__ import annotations

import base64
import json
import re
from copy import deepcopy
from random import Random
from typing import Any, Protocol

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gamehost.rules.catalog import CATALOG

from . import values
from .pool import Pool

TIMES = {"google.protobuf.Timestamp": values.TIMES, "google.protobuf.Duration": values.DURATIONS}
KNOWN = {"game_id", "invite_code", "page_token", "cursor", "decision_id", "proposal_id"}
# Request ids are repeated sometimes, with the same request and with others.
REQUEST_IDS = ("once", "0123456789abcdef", "fedcba9876543210", "a-b_c" * 13, "x" * 64, "x" * 65)
TITLES = tuple(CATALOG)
DEEPEST = 5
LIKELY = dict.fromkeys(("game_id", "title", "decision_id", "action", "proposal_id"), 0.95) | {"seat": 0.1}
RAW = re.compile(r'"@raw:([0-9a-f]*)@"')


def raw(text: str) -> str:
    """Returns a marker that `written` replaces by this text, which need not be valid JSON."""
    return f"@raw:{text.encode().hex()}@"


def written(tree: object) -> bytes:
    """Encodes a tree as JSON and inserts the raw texts, such as escapes of lone surrogates."""
    return RAW.sub(lambda found: bytes.fromhex(found[1]).decode(), json.dumps(tree)).encode()


class FieldCase(Protocol):
    """Sets one field of a request to a given value."""

    def put(self, message: Message) -> None: ...

    def put_json(self, tree: dict[str, Any]) -> None: ...


class RequestMaker:
    """Makes a request. Each field is odd with the probability `oddity`; `field_case` sets one field."""

    def __init__(self, coin: Random, pool: Pool, oddity: float, field_case: FieldCase | None = None) -> None:
        self._coin, self._pool, self._oddity, self._field_case = coin, pool, oddity, field_case
        self._game, self.token = pool.one("sitting", coin) or ("", "")
        self._decision, self._action = pool.one("move", coin) or ("", None)

    def odd(self) -> bool:
        return self._coin.random() < self._oddity

    def message(self, kind: type[Message]) -> Message:
        """Returns a message for the binary transports."""
        message = kind()
        self._fill(message, 0)
        if self._field_case:
            self._field_case.put(message)
        return message

    def garbled(self, data: bytes) -> bytes:
        """Sometimes changes, removes or adds a few bytes."""
        if not self.odd() or not self.odd():
            return data
        at = self._coin.randrange(len(data) + 1)
        return (
            data[:at] + self._coin.randbytes(self._coin.randrange(4)) + data[at + self._coin.randrange(3) :]
        )

    def tree(self, descriptor: Descriptor) -> dict[str, Any]:
        """Returns a JSON tree, which can have values that a message cannot hold."""
        found = self._tree(descriptor, 0)
        if self._field_case:
            self._field_case.put_json(found)
        return found

    def _tree(self, descriptor: Descriptor, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for field in self._chosen(descriptor, depth):
            name = field.json_name if self._coin.random() < 0.9 else field.name
            found[name] = raw(self._coin.choice(values.RAW)) if self.odd() else self._json(field, depth)
        if self.odd() and self.odd():
            found[self._coin.choice(("unknown", "@type", "", "game_id", "gameId"))] = 1
        return found

    def _chosen(self, descriptor: Descriptor, depth: int) -> list[FieldDescriptor]:
        """Chooses the fields to set: mostly the required ones, some others, usually one case of a oneof."""
        fields = [field for field in descriptor.fields if self._wanted(field, depth)]
        for one_of in descriptor.oneofs:
            cases = [field for field in one_of.fields if self._seldom_deep(field, depth)]
            if len(one_of.fields) > 1 and cases:
                fields = [field for field in fields if field.containing_oneof is not one_of or self.odd()]
                fields.append(self._coin.choice(cases))
        return fields

    def _wanted(self, field: FieldDescriptor, depth: int) -> bool:
        likely = LIKELY.get(field.name, 0.35)
        return self._seldom_deep(field, depth) and self._coin.random() < likely

    def _seldom_deep(self, field: FieldDescriptor, depth: int) -> bool:
        return field.message_type is None or depth < DEEPEST

    def _fill(self, message: Message, depth: int) -> None:
        if message.DESCRIPTOR.full_name == "shedu.v1.Action" and self._play(message):
            return
        for field in self._chosen(message.DESCRIPTOR, depth):
            if field.message_type is None:
                self._set(message, field)
                continue
            target = getattr(message, field.name)
            parts = [target.add() for _ in range(self._count())] if field.is_repeated else [target]
            for part in parts:
                part.SetInParent()
                self._fill_part(part, field.message_type, depth)

    def _fill_part(self, part: Any, kind: Descriptor, depth: int) -> None:
        if kind.full_name in TIMES:
            part.seconds = self._coin.choice(values.SECONDS if self.odd() else values.SECONDS[:5])
            part.nanos = self._coin.choice(values.NANOS) if self.odd() else 0
        else:
            self._fill(part, depth + 1)

    def _play(self, action: Message) -> bool:
        """Copies an action that was legal before; returns whether it did."""
        if self._action is None or self.odd():
            return False
        json_format.ParseDict(self._action, action)
        return True

    def _set(self, message: Message, field: FieldDescriptor) -> None:
        if field.is_repeated:
            getattr(message, field.name).extend(self._value(field) for _ in range(self._count()))
        else:
            setattr(message, field.name, self._value(field))

    def _count(self) -> int:
        return self._coin.choice((0, 1, 2, 2, 3, 17))

    def _value(self, field: FieldDescriptor) -> Any:
        if field.name == "game_id" and self._game and self._coin.random() < 0.8:
            return self._game
        if field.name == "decision_id" and self._decision and self._coin.random() < 0.8:
            return self._decision
        if field.name in KNOWN and not self.odd():
            return self._pool.one(field.name, self._coin) or values.text(self._coin)
        if field.name == "request_id" and not self.odd():
            return self._coin.choice(REQUEST_IDS)
        if field.name == "title" and not self.odd():
            return self._coin.choice(TITLES)
        if field.name in ("seat_count", "seat", "as_seat", "bot_seat", "page_size") and not self.odd():
            return self._coin.choice((0, 1, 2, 3, 4))
        return values.scalar(field, self._coin)

    def _json(self, field: FieldDescriptor, depth: int) -> Any:
        if field.is_repeated:
            return [self._json_item(field, depth) for _ in range(self._count())]
        return self._json_item(field, depth)

    def _json_item(self, field: FieldDescriptor, depth: int) -> Any:
        kind = field.message_type
        if kind is not None and kind.full_name in TIMES:
            return self._coin.choice(TIMES[kind.full_name])
        if kind is not None:
            known = self._action if kind.full_name == "shedu.v1.Action" else None
            return deepcopy(known) if known and not self.odd() else self._tree(kind, depth + 1)
        value = self._value(field)
        if isinstance(value, bytes):
            return base64.b64encode(value).decode()
        if field.enum_type is not None and value in field.enum_type.values_by_number and not self.odd():
            return field.enum_type.values_by_number[value].name
        return str(value) if isinstance(value, int) and not isinstance(value, bool) and self.odd() else value
