"""Reads the messages and enums that a proto file has now, with their comments and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
)

from .declarations import Declaration, Enumeration, Field, Message, Reserved, Value

# Numbers of fields in descriptor.proto, which make up the paths of comments and positions.
PACKAGE, MESSAGES, ENUMS, FIELDS, VALUES, ONEOFS = 2, 4, 5, 2, 2, 8
SCALARS = {
    FieldDescriptorProto.TYPE_BOOL: "bool",
    FieldDescriptorProto.TYPE_BYTES: "bytes",
    FieldDescriptorProto.TYPE_INT32: "int32",
    FieldDescriptorProto.TYPE_INT64: "int64",
    FieldDescriptorProto.TYPE_STRING: "string",
    FieldDescriptorProto.TYPE_UINT32: "uint32",
    FieldDescriptorProto.TYPE_UINT64: "uint64",
}


class ProtoFile:
    """A proto file as it is: its descriptor, which has the comments, and its text, which has the options."""

    def __init__(self, descriptor: FileDescriptorProto, text: str) -> None:
        self.descriptor, self.lines = descriptor, text.splitlines()
        self._comments: dict[tuple[int, ...], str] = {}
        self._spans: dict[tuple[int, ...], Sequence[int]] = {}
        for location in descriptor.source_code_info.location:
            self._comments[tuple(location.path)] = _comment(location.leading_comments)
            self._spans[tuple(location.path)] = location.span

    @property
    def comment(self) -> str:
        return self._comments.get((PACKAGE,), "")

    def declarations(self) -> dict[str, Declaration]:
        """Every message and enum by name, in the order of the file."""
        found: list[tuple[Sequence[int], Declaration]] = []
        for number, message in enumerate(self.descriptor.message_type):
            found.append((self._spans[MESSAGES, number], self._message(message, (MESSAGES, number))))
        for number, enum in enumerate(self.descriptor.enum_type):
            found.append((self._spans[ENUMS, number], self._enum(enum, (ENUMS, number))))
        return {declared.name: declared for _, declared in sorted(found, key=lambda each: each[0][0])}

    def _message(self, message: DescriptorProto, path: tuple[int, ...]) -> Message:
        fields = tuple(
            self._field(each, (*path, FIELDS, number)) for number, each in enumerate(message.field)
        )
        oneofs = [each.name for each in message.oneof_decl if not each.name.startswith("_")]
        ranges = [number for each in message.reserved_range for number in range(each.start, each.end)]
        return Message(
            message.name,
            self._comments.get(path, ""),
            fields,
            oneofs[0] if oneofs else "",
            self._oneof_option((*path, ONEOFS, 0)) if oneofs else "",
            Reserved(tuple(ranges), tuple(message.reserved_name)),
        )

    def _field(self, each: FieldDescriptorProto, path: tuple[int, ...]) -> Field:
        optional, repeated = each.proto3_optional, each.label == FieldDescriptorProto.LABEL_REPEATED
        package = f".{self.descriptor.package}."
        return Field(
            each.name,
            SCALARS.get(each.type) or each.type_name.removeprefix(package).removeprefix("."),
            "optional" if optional else "repeated" if repeated else "",
            each.number,
            self._comments.get(path, ""),
            self._options(path),
        )

    def _options(self, path: tuple[int, ...]) -> str:
        text = self._text(path)
        return text[text.index("[") : text.rindex("]") + 1] if "[" in text else ""

    def _oneof_option(self, path: tuple[int, ...]) -> str:
        lines = [line.strip() for line in self._text(path).splitlines()]
        return " ".join(line for line in lines if line.startswith("option "))

    def span(self, path: tuple[int, ...]) -> tuple[int, int, int, int]:
        """The first line and column of something, and its last line and column, from 0."""
        found = self._spans[path]
        first, start, last, end = found if len(found) == 4 else (found[0], found[1], found[0], found[2])
        return first, start, last, end

    def _text(self, path: tuple[int, ...]) -> str:
        first, start, last, end = self.span(path)
        lines = self.lines[first : last + 1]
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][start:]
        return "\n".join(lines)

    def _enum(self, enum: EnumDescriptorProto, path: tuple[int, ...]) -> Enumeration:
        values = tuple(
            Value(each.name, each.number, self._comments.get((*path, VALUES, number), ""))
            for number, each in enumerate(enum.value)
        )
        ranges = [number for each in enum.reserved_range for number in range(each.start, each.end + 1)]
        reserved = Reserved(tuple(ranges), tuple(enum.reserved_name))
        return Enumeration(enum.name, self._comments.get(path, ""), values, reserved)


def _comment(text: str) -> str:
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def declared_in(files: Mapping[str, ProtoFile], *names: str) -> dict[str, Declaration]:
    """The messages and enums of some files, those of the first file first."""
    found: dict[str, Declaration] = {}
    for name in names:
        for declared in files[name].declarations().values() if name in files else ():
            found.setdefault(declared.name, declared)
    return found
