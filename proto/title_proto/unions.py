"""Adds a title to the messages that list all titles: Options, Action, Event and View of `shedu.v1`."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.descriptor_pb2 import DescriptorProto

from .reading import MESSAGES, ONEOFS, ProtoFile

UNIONS = ("Options", "Action", "Event", "View")


def with_title(game: ProtoFile, title: str, path: str) -> str:
    """The text of `game.proto` with an import and a case for the title in each union that has none yet."""
    lines = list(game.lines)
    # From the last line to the first, so that the positions of the remaining ones stay right.
    for line, text in sorted(_insertions(game, title, path), reverse=True):
        lines.insert(line, text)
    return "\n".join(lines) + "\n"


def _insertions(game: ProtoFile, title: str, path: str) -> Iterator[tuple[int, str]]:
    if path not in game.descriptor.dependency:
        last = max(number for number, line in enumerate(game.lines) if line.startswith("import "))
        yield last + 1, f'import "{path}";'
    for index, message in enumerate(game.descriptor.message_type):
        if message.name in UNIONS and title not in {field.name for field in message.field}:
            oneof, number = _next_case(message)
            end = game.span((MESSAGES, index, ONEOFS, oneof))[2]
            yield end, f"    shedu.{title}.v1.{message.name} {title} = {number};"


def _next_case(message: DescriptorProto) -> tuple[int, int]:
    """The oneof of the titles, and the first number after theirs that was never used."""
    titles = [field for field in message.field if field.type_name.endswith(f".v1.{message.name}")]
    used = {field.number for field in message.field}
    for reserved in message.reserved_range:
        used |= set(range(reserved.start, reserved.end))
    number = max(field.number for field in titles) + 1
    while number in used:
        number += 1
    return titles[0].oneof_index, number
