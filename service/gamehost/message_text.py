"""Formats any protobuf message for people: as a tree with tables, or as one line of text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from .codec.mirror import snake

NO_VALUE = "–"
NUMBERS = (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_UINT32)
POSITION = ("row", "column")
SAME_IN_EVERY_VIEW = ("seat", "options")  # fields of a view that do not change during a game
NO_NAMES: Sequence[str] = ()
SEAT_FIELDS = ("seat", "attacker", "defender", "winner", "loser", "first", "start_player")


def printable(text: str) -> str:
    """Replaces control characters: text of other players could contain escape sequences for the terminal."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in text)


def message_tree(
    message: Message, label: str, names: Sequence[str] = NO_NAMES, without: Collection[str] = ()
) -> Tree:
    """Returns the message as a tree. `names` replace seat numbers; the fields in `without` are left out."""
    tree = Tree(Text(label, "bold"), guide_style="dim")
    for field in _fields(message):
        value = _value(message, field)
        if value is not None and field.name not in without:
            tree.add(_branch(field, value, names))
    return tree


def message_line(message: Message, names: Sequence[str] = NO_NAMES) -> str:
    """Returns the set fields of a message in one line."""
    fields = _fields(message)
    if _is_position(message.DESCRIPTOR):
        return "/".join(str(getattr(message, name)) for name in POSITION)
    if _is_count(message):
        counted = [(field, value) for field in fields[1:] if (value := getattr(message, field.name))]
        head = _field_text(fields[0], getattr(message, fields[0].name), names)
        if len(fields) == 2:
            return " ".join([head, *(str(value) for _, value in counted)])
        return (
            f"{head} ({', '.join(f'{_name(field)} {value}' for field, value in counted)})"
            if counted
            else head
        )
    given = [(field, value) for field in fields if (value := _value(message, field)) is not None]
    if len(fields) == 1 and given:
        return _field_text(*given[0], names)
    return ", ".join(_labelled(field, value, names) for field, value in given) or NO_VALUE


def _is_position(kind: Any) -> bool:
    """Whether the message is a row and a column, which are written as one word."""
    return sorted(field.name for field in kind.fields) == sorted(POSITION)


def _is_count(message: Message) -> bool:
    """Whether the message is an enum value with numbers, such as a suit and how many cards it has."""
    fields = _fields(message)
    if len(fields) < 2 or fields[0].enum_type is None or fields[0].is_repeated:
        return False
    return all(map(_is_number, fields[1:]))


def _is_number(field: FieldDescriptor) -> bool:
    return field.cpp_type in NUMBERS and not field.is_repeated and not field.has_presence


def _labelled(field: FieldDescriptor, value: Any, names: Sequence[str]) -> str:
    text = _field_text(field, value, names)
    return text if field.name == "seat" and names else f"{_name(field)} {text}"


def _branch(field: FieldDescriptor, value: Any, names: Sequence[str]) -> RenderableType:
    kind = field.message_type
    if kind is None or _is_position(kind) or (field.is_repeated and len(kind.fields) == 1):
        return Text.assemble((f"{_name(field)}  ", "dim"), _field_text(field, value, names))
    if not field.is_repeated:
        return message_tree(value, _name(field), names)
    rows = Tree(Text(_name(field), "dim"), guide_style="dim")
    rows.add(
        _by_seat(field, value, names) if _are_seats(field, value, names) else _table(field, value, names)
    )
    return rows


def _are_seats(field: FieldDescriptor, rows: Sequence[Message], names: Sequence[str]) -> bool:
    return field.name in ("seats", "players") and len(rows) == len(names)


def _by_seat(field: FieldDescriptor, seats: Sequence[Message], names: Sequence[str]) -> Table:
    """Returns a table with a column for each seat, because the values can be long."""
    table = Table("", *names, header_style="dim", border_style="dim", box=box.SIMPLE_HEAD)
    for part in _columns(field, seats):
        table.add_row(Text(_name(part), "dim"), *(Text(_cell(seat, part, names)) for seat in seats))
    return table


def _table(field: FieldDescriptor, rows: Sequence[Message], names: Sequence[str]) -> Table:
    columns = _columns(field, rows)
    table = Table(*map(_name, columns), header_style="dim", border_style="dim", box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*(Text(_cell(row, part, names)) for part in columns))
    return table


def _columns(field: FieldDescriptor, rows: Sequence[Message]) -> list[FieldDescriptor]:
    """Returns the fields that are set in any of the rows."""
    return [part for part in _fields(rows[0]) if any(_value(row, part) is not None for row in rows)]


def _cell(row: Message, field: FieldDescriptor, names: Sequence[str]) -> str:
    value = _value(row, field)
    if value is None:
        return (
            NO_VALUE
            if field.has_presence or field.is_repeated
            else _value_text(field, getattr(row, field.name), names)
        )
    if field.message_type is None:
        return _field_text(field, value, names)
    if field.is_repeated:
        return "\n".join(message_line(item, names) for item in value)
    if _is_position(field.message_type):
        return message_line(value, names)
    parts = [(part, inner) for part in _fields(value) if (inner := _value(value, part)) is not None]
    return "\n".join(_labelled(part, inner, names) for part, inner in parts)


def _fields(message: Message) -> list[FieldDescriptor]:
    descriptor: Any = message.DESCRIPTOR
    return list(descriptor.fields)


def _value(message: Message, field: FieldDescriptor) -> Any:
    """Returns the value of a field, or None if it is not set. A number that is zero counts as set."""
    value = getattr(message, field.name)
    if field.is_repeated:
        return value if len(value) else None
    if field.has_presence:
        return value if message.HasField(field.name) else None
    return value if value or _is_number(field) else None


def _field_text(field: FieldDescriptor, value: Any, names: Sequence[str]) -> str:
    if field.is_repeated:
        separator = "; " if field.message_type is not None else ", "
        return separator.join(_value_text(field, item, names) for item in value)
    return _value_text(field, value, names)


def _value_text(field: FieldDescriptor, value: Any, names: Sequence[str]) -> str:
    if field.enum_type is not None:
        return _enum_text(field.enum_type, value)
    if isinstance(value, Message):
        return message_line(value, names)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if field.name in SEAT_FIELDS and isinstance(value, int) and value < len(names):
        return names[value]
    return value.hex() if isinstance(value, bytes) else printable(str(value))


def _enum_text(kind: EnumDescriptor, number: int) -> str:
    value = kind.values_by_number.get(number)
    if value is None:
        return str(number)
    return value.name.removeprefix(snake(kind.name).upper() + "_").replace("_", " ").capitalize()


def _name(field: FieldDescriptor) -> str:
    return field.name.replace("_", " ")
