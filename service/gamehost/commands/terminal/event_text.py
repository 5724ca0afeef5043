"""Turns events into sentences, from the templates in `sentences`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from gamehost.codec.mirror import snake
from gamehost.message_text import printable
from gamehost.rules.tides.material import PRINTS, Card
from gamehost.rules.tigris.material import BUILDING_NAMES, TILE_NAMES
from shedu.v1 import game_pb2

from . import stone_age, tigris
from .parts import LEADERS
from .sentences import SENTENCES, TABLE

BLANK = re.compile(r"\{([\w.]+)(?:([:!])(\w*))?\}")
SEATS = ("seat", "attacker", "defender", "winner", "loser", "first", "start_player")
OF_YOU = re.compile(r"\bthe ([\w ]+?) of you\b", re.IGNORECASE)

Form = Callable[[Any], str]


def event_sentence(event: game_pb2.Event, names: Sequence[str]) -> str | None:
    """Return the sentence for an event, or None if its kind has no template."""
    kind: str = event.WhichOneof("kind") or ""
    body: Any = getattr(event, kind, event)
    sentences = SENTENCES.get(kind, TABLE)
    if kind in SENTENCES:
        kind = body.WhichOneof("kind") or ""
        body = getattr(body, kind, body)
    if kind not in sentences:
        return None
    said = BLANK.sub(lambda blank: _filled(blank, body, names), sentences[kind])
    said = OF_YOU.sub(r"your \1", said)
    return said[:1].upper() + said[1:]


def _filled(blank: re.Match[str], body: Message, names: Sequence[str]) -> str:
    *parents, name = blank[1].split(".")
    for parent in parents:
        body = getattr(body, parent)
    descriptor: Any = body.DESCRIPTOR
    field: FieldDescriptor = descriptor.fields_by_name[name]
    value = getattr(body, name)
    if blank[2] == "!" and not value:
        return f"{getattr(body, f'hidden_{name}')} {name}"
    form = FORMS.get(blank[3] or "") or (lambda item: _word(field, item, names))
    if blank[3] == "leader":
        return LEADERS[_word(field, value, names)]
    if blank[3] == "by_seat":
        return ", ".join(f"{who} {form(item)}" for who, item in zip(names, value, strict=False))
    return ", ".join(map(form, value)) if field.is_repeated else form(value)


def _word(field: FieldDescriptor, value: Any, names: Sequence[str]) -> str:
    if field.name in SEATS and isinstance(value, int):
        return names[value]
    if field.enum_type is not None:
        return _enum(field.enum_type, value)
    if isinstance(value, Message):
        return MESSAGES[type(value).__name__](value)
    return printable(str(value))


def _enum(kind: EnumDescriptor, number: int) -> str:
    if kind.full_name == "shedu.tides.v1.Card":
        return PRINTS[Card(number)].name
    value = kind.values_by_number.get(number)
    if value is None:
        return str(number)
    return value.name.removeprefix(f"{snake(kind.name).upper()}_").lower().replace("_", " ")


def _place(place: Any) -> str:
    """Name a place of the card game in the words of its actions."""
    column = place.column + 1
    if not place.HasField("row"):
        return f"the link right of column {column}"
    return f"card {place.row} of column {column}" if place.row else f"the head of column {column}"


MESSAGES: dict[str, Form] = {
    "Space": tigris.name_of,
    "Place": _place,
    "Resources": stone_age.resources,
    "Score": lambda score: str(score.points),
}
FORMS: dict[str, Form] = {
    "tile": lambda colour: TILE_NAMES[colour - 1],
    "building": lambda colour: BUILDING_NAMES[colour - 1],
    "next": lambda number: str(number + 1),
    "stone_age_card": stone_age.card_text,
}
