"""Read masks: the fields of a response that its caller selects (AIP-157)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

WILDCARD = "*"


class UnknownPath(ValueError):
    """A path that leads to no field; `path` is the one that was sent."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class ReadMask:
    """The wanted fields of one message type. `fields` is None if all are wanted, else the masks by field.

    `key` distinguishes masks in caches: masks with the same key select the same fields.
    """

    __slots__ = ("fields", "key")

    def __init__(self, fields: Mapping[str, ReadMask] | None = None) -> None:
        self.fields = fields
        self.key: Any = (
            None if fields is None else tuple(sorted((name, part.key) for name, part in fields.items()))
        )

    @property
    def everything(self) -> bool:
        return self.fields is None

    def wants(self, name: str) -> bool:
        return self.fields is None or name in self.fields

    def part(self, name: str) -> ReadMask:
        """The mask of a message field; of a field that is not wanted, it selects nothing."""
        return EVERYTHING if self.fields is None else self.fields.get(name, NOTHING)

    def trim(self, message: Message) -> None:
        """Clears the fields of `message` that are not wanted."""
        if self.fields is None:
            return
        for field, value in message.ListFields():
            if field.name not in self.fields:
                message.ClearField(field.name)
            elif field.message_type is not None and not field.is_repeated:
                self.fields[field.name].trim(value)


EVERYTHING, NOTHING = ReadMask(), ReadMask({})


def mask_of_paths(message: type[Message], paths: Iterable[str], always: Iterable[str] = ()) -> ReadMask:
    """The mask with these paths and those in `always`; no paths, or `*` among them, select everything.

    Raises UnknownPath for a path that is no field of the message, or that goes through a list.
    """
    sent, descriptor = list(paths), cast(Descriptor, message.DESCRIPTOR)
    for path in sent:
        if path != WILDCARD:
            _check(descriptor, path)
    return EVERYTHING if not sent or WILDCARD in sent else _mask(_tree((*sent, *always)))


def _check(descriptor: Descriptor, path: str) -> None:
    inside: Descriptor | None = descriptor
    for name in path.split("."):
        field = inside.fields_by_name.get(name) if inside is not None else None
        if field is None:
            raise UnknownPath(path)
        inside = None if field.is_repeated else field.message_type


def _tree(paths: Iterable[str]) -> dict[str, Any]:
    """The paths as nested dictionaries, in which None stands for a whole field."""
    tree: dict[str, Any] = {}
    for path in sorted(paths, key=lambda each: each.count(".")):  # a short path covers longer ones
        *parents, last = path.split(".")
        node: dict[str, Any] | None = tree
        for name in parents:
            node = None if node is None else node.setdefault(name, {})
        if node is not None:
            node[last] = None
    return tree


def _mask(tree: Mapping[str, Any]) -> ReadMask:
    return ReadMask({name: EVERYTHING if part is None else _mask(part) for name, part in tree.items()})
