"""The messages and enums of a proto file, and their text."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

VALIDATE = "buf/validate/validate.proto"
WIDTH = 118
"""The most characters of a line of comment."""


class TitleProblem(Exception):
    """The proto of a title cannot be written. The message names the title, the field and what to do."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field or a case of a oneof. `options` is the text between the number and the semicolon."""

    name: str
    type: str
    label: str = ""
    number: int = 0
    comment: str = ""
    options: str = ""

    @property
    def is_deprecated(self) -> bool:
        return "deprecated = true" in self.options


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an enum."""

    name: str
    number: int
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Reserved:
    """Numbers and names that were used once and may not be used again."""

    numbers: tuple[int, ...] = ()
    names: tuple[str, ...] = ()

    def and_also(self, removed: Iterable[Field | Value]) -> Reserved:
        listed = list(removed)
        numbers = {*self.numbers, *(each.number for each in listed)}
        names = dict.fromkeys([*self.names, *(each.name for each in listed)])
        return Reserved(tuple(sorted(numbers)), tuple(names))


@dataclass(frozen=True, slots=True)
class Message:
    """A message. If it has a oneof, all its fields are cases of it."""

    name: str
    comment: str
    fields: tuple[Field, ...] = ()
    oneof: str = ""
    oneof_option: str = ""
    reserved: Reserved = field(default_factory=Reserved)


@dataclass(frozen=True, slots=True)
class Enumeration:
    """An enum."""

    name: str
    comment: str
    values: tuple[Value, ...] = ()
    reserved: Reserved = field(default_factory=Reserved)


Declaration = Message | Enumeration


def reached(names: Iterable[str], declared: Mapping[str, Declaration]) -> set[str]:
    """These messages and all that they are made of."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        declaration = declared.get(waiting.pop().rpartition(".")[2])
        if declaration is not None and declaration.name not in found:
            found.add(declaration.name)
            waiting += (
                [field.type for field in declaration.fields] if isinstance(declaration, Message) else []
            )
    return found


def qualified(declaration: Declaration, foreign: Collection[str], package: str) -> Declaration:
    """The declaration with the full names of the types that are in another package."""
    if isinstance(declaration, Enumeration):
        return declaration
    fields = [
        replace(field, type=f"{package}.{field.type}") if field.type in foreign else field
        for field in declaration.fields
    ]
    return replace(declaration, fields=tuple(fields))


def file_text(package: str, comment: str, declared: Sequence[Declaration], imports: Sequence[str]) -> str:
    """The text of a file. `buf format` gives it its final layout."""
    body = [line for declaration in declared for line in ("", *_declaration(declaration))]
    if any("buf.validate" in line for line in body):
        imports = [VALIDATE, *imports]
    lines = ['syntax = "proto3";', "", *_comment(comment, ""), f"package {package};", ""]
    lines += [f'import "{path}";' for path in sorted(imports)]
    return "\n".join([*lines, "", "option java_multiple_files = true;", *body]) + "\n"


def _declaration(declaration: Declaration) -> Iterator[str]:
    yield from _comment(declaration.comment, "")
    if isinstance(declaration, Enumeration):
        yield f"enum {declaration.name} {{"
        yield from _reserved(declaration.reserved)
        for value in declaration.values:
            yield from _comment(value.comment, "  ")
            yield f"  {value.name} = {value.number};"
    else:
        yield f"message {declaration.name} {{"
        yield from _reserved(declaration.reserved)
        yield from _fields(declaration)
    yield "}"


def _fields(message: Message) -> Iterator[str]:
    indent = "    " if message.oneof else "  "
    if message.oneof:
        yield f"  oneof {message.oneof} {{"
        yield from [f"    {message.oneof_option}"] if message.oneof_option else []
    for each in message.fields:
        yield from _comment(each.comment, indent)
        words = [each.label, each.type, each.name, "=", str(each.number), each.options]
        yield indent + " ".join(word for word in words if word) + ";"
    if message.oneof:
        yield "  }"


def _reserved(reserved: Reserved) -> Iterator[str]:
    if reserved.numbers:
        yield f"  reserved {', '.join(map(str, reserved.numbers))};"
    if reserved.names:
        names = ", ".join(f'"{name}"' for name in reserved.names)
        yield f"  reserved {names};"


def _comment(text: str, indent: str) -> Iterator[str]:
    """The lines of a comment; paragraphs are separated by empty ones."""
    if not text:
        return
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield f"{indent}//"
        yield from textwrap.wrap(
            " ".join(paragraph.split()),
            WIDTH,
            initial_indent=f"{indent}// ",
            subsequent_indent=f"{indent}// ",
            break_long_words=False,
            break_on_hyphens=False,
        )
