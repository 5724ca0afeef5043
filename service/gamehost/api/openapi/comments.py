"""The comments of the contract, from the descriptor set that ships with the generated messages.

Generated Python code has no comments, and descriptors at run time have no source info. The descriptor set has
both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from google.protobuf import descriptor_pb2

# A source path alternates field numbers and indexes. These are the repeated fields that contain named
# elements.
CHILDREN: dict[type[Any], dict[int, str]] = {
    descriptor_pb2.FileDescriptorProto: {4: "message_type", 5: "enum_type", 6: "service"},
    descriptor_pb2.DescriptorProto: {2: "field", 3: "nested_type", 4: "enum_type", 8: "oneof_decl"},
    descriptor_pb2.EnumDescriptorProto: {2: "value"},
    descriptor_pb2.ServiceDescriptorProto: {2: "method"},
}

FIELD = re.compile(r"(?<=`)[a-z0-9_]+(?=`)|(?<=[a-z]\.)[a-z0-9_]+\b")


@cache
def comments() -> dict[str, str]:
    """All comments by full name. Unlike in protobuf, the name of an enum value includes its enum."""
    data = (resources.files("shedu") / "descriptors.binpb").read_bytes()
    files = descriptor_pb2.FileDescriptorSet.FromString(data).file
    own = [file for file in files if not file.name.startswith("google/")]  # theirs have links elsewhere
    names = json_names(message for file in own for message in file.message_type)
    return {name: in_camel_case(text, names) for file in own for name, text in commented(file)}


def json_names(messages: Iterable[descriptor_pb2.DescriptorProto]) -> dict[str, str]:
    """How JSON spells the fields of the messages and of the messages in them."""
    found: dict[str, str] = {}
    for message in messages:
        found |= {field.name: field.json_name for field in message.field} | json_names(message.nested_type)
    return found


def in_camel_case(comment: str, names: Mapping[str, str]) -> str:
    """Spells fields as JSON does. The contract marks them: `page_size`, or Game.rules_version."""
    return FIELD.sub(lambda match: names.get(match[0], match[0]), comment)


def commented(file: descriptor_pb2.FileDescriptorProto) -> Iterator[tuple[str, str]]:
    """Yields the full name and the comment of every element of a file that has one."""
    for location in file.source_code_info.location:
        # A path of odd length is a field of an element, such as its options, and not an element.
        if location.leading_comments and len(location.path) % 2 == 0:
            name = full_name(file, location.path)
            if name:
                yield f"{file.package}.{name}", unwrapped(location.leading_comments)


def full_name(file: descriptor_pb2.FileDescriptorProto, path: Sequence[int]) -> str:
    """The name of the element at a source path, without the package; empty for elements without a name."""
    element: Any = file
    names = []
    for field_number, index in zip(path[::2], path[1::2], strict=True):
        child = CHILDREN.get(type(element), {}).get(field_number)
        if child is None:
            return ""
        element = getattr(element, child)[index]
        names.append(element.name)
    return ".".join(names)


def unwrapped(comment: str) -> str:
    """Joins the lines of each paragraph."""
    paragraphs = "\n".join(line.strip() for line in comment.strip().split("\n")).split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)
