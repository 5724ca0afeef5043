"""Turns events into sentences, from the templates of the table and of each title."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from gamehost.codec.mirror import snake
from gamehost.message_text import SEAT_FIELDS, message_line, printable
from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_pb2

from .title import TERMINALS, Form, Terminal

TABLE: Mapping[str, str] = {
    "seat_taken": "{seat} took a seat.",
    "seat_left": "{seat} left the table.",
    "game_started": "The game began.",
    "seat_resigned": "{seat} resigned.",
    "seat_taken_over": "{seat} ran out of time; a bot plays on.",
    "seat_reclaimed": "{seat} took the seat back from the bot.",
    "proposal_made": "{proposal.seat} made a proposal.",
    "move_undone": "{seat} undid the last action.",
    "game_abandoned": "The game was ended without a winner.",
}

OF_TABLE = Terminal(sentences=TABLE)
BLANK = re.compile(r"\{([\w.]+)(?:([:!])(\w*))?\}")
# Templates say "the leader of {seat}". For the player this becomes "your leader".
OF_YOU = re.compile(r"\bthe ([\w ]+?) of you\b", re.IGNORECASE)


def event_sentence(event: game_pb2.Event, names: Sequence[str]) -> str | None:
    """Return the sentence for an event, or None if its kind has no template.

    The events of a title without templates are described by their fields.
    """
    title: str = event.WhichOneof("kind") or ""
    body: Any = getattr(event, title, event)
    if title not in CATALOG:
        return _sentence(OF_TABLE, title, body, names)
    kind: str = body.WhichOneof("kind") or ""
    fields = getattr(body, kind, body)
    if title not in TERMINALS or not TERMINALS[title].sentences:
        return f"{kind.replace('_', ' ').capitalize()}: {message_line(fields, names)}."
    return _sentence(TERMINALS[title], kind, fields, names)


def _sentence(terminal: Terminal, kind: str, body: Any, names: Sequence[str]) -> str | None:
    if kind not in terminal.sentences:
        return None
    said = BLANK.sub(lambda blank: _filled(terminal, blank, body, names), terminal.sentences[kind])
    said = OF_YOU.sub(r"your \1", said)
    return said[:1].upper() + said[1:]


def _filled(terminal: Terminal, blank: re.Match[str], body: Message, names: Sequence[str]) -> str:
    *parents, name = blank[1].split(".")
    for parent in parents:
        body = getattr(body, parent)
    descriptor: Any = body.DESCRIPTOR
    field: FieldDescriptor = descriptor.fields_by_name[name]
    value = getattr(body, name)
    if blank[2] == "!" and not value:
        return f"{getattr(body, f'hidden_{name}')} {name}"
    form = blank[3] or ""
    if form in terminal.words:
        return terminal.words[form][_word(terminal, field, value, names)]
    say = (
        VALUE_FORMS.get(form)
        or terminal.forms.get(form)
        or (lambda item: _word(terminal, field, item, names))
    )
    if form == "by_seat":
        return ", ".join(f"{who} {say(item)}" for who, item in zip(names, value, strict=False))
    return ", ".join(map(say, value)) if field.is_repeated else say(value)


def _word(terminal: Terminal, field: FieldDescriptor, value: Any, names: Sequence[str]) -> str:
    if field.name in SEAT_FIELDS and isinstance(value, int):
        return names[value]
    if field.enum_type is not None:
        return terminal.enums.get(field.enum_type.name, _enum_text(field.enum_type))(value)
    if isinstance(value, Message):
        return terminal.messages[type(value).__name__](value)
    return printable(str(value))


def _enum_text(kind: EnumDescriptor) -> Form:
    """Return the function that names a value of an enum in words, without the prefix of the enum."""
    prefix = f"{snake(kind.name).upper()}_"

    def word(number: int) -> str:
        value = kind.values_by_number.get(number)
        return str(number) if value is None else value.name.removeprefix(prefix).lower().replace("_", " ")

    return word


VALUE_FORMS: Mapping[str, Form] = {"next": lambda number: str(number + 1)}
