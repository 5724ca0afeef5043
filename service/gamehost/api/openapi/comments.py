"""The contract's comments, from the descriptor set that ships with the generated messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any

from google.protobuf import descriptor_pb2

# Which repeated fields of a descriptor hold named things, by the numbers that source paths are made of.
CHILDREN: dict[type[Any], dict[int, str]] = {
    descriptor_pb2.FileDescriptorProto: {4: "message_type", 5: "enum_type", 6: "service"},
    descriptor_pb2.DescriptorProto: {2: "field", 3: "nested_type", 4: "enum_type", 8: "oneof_decl"},
    descriptor_pb2.EnumDescriptorProto: {2: "value"},
    descriptor_pb2.ServiceDescriptorProto: {2: "method"},
}


@cache
def comments() -> dict[str, str]:
    """By full name; an enum's values are named below the enum."""
    data = (resources.files("shedu") / "descriptors.binpb").read_bytes()
    files = descriptor_pb2.FileDescriptorSet.FromString(data).file
    return {name: text for file in files for name, text in commented(file)}


def commented(file: descriptor_pb2.FileDescriptorProto) -> Iterator[tuple[str, str]]:
    for location in file.source_code_info.location:
        if location.leading_comments and len(location.path) % 2 == 0:
            name = full_name(file, location.path)
            if name:
                yield f"{file.package}.{name}", unwrapped(location.leading_comments)


def full_name(file: descriptor_pb2.FileDescriptorProto, path: Sequence[int]) -> str:
    here: Any = file
    names = []
    for kind, index in zip(path[::2], path[1::2], strict=True):
        child = CHILDREN.get(type(here), {}).get(kind)
        if child is None:
            return ""
        here = getattr(here, child)[index]
        names.append(here.name)
    return ".".join(names)


def unwrapped(comment: str) -> str:
    """Lines joined, paragraphs kept."""
    paragraphs = "\n".join(line.strip() for line in comment.strip().split("\n")).split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)
