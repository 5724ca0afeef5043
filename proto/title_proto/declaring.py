"""Makes the messages and enums of a title from its dataclasses, without numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from dataclasses import Field as DataclassField
from enum import Enum
from typing import Any

from gamehost.codec.mirror import snake

from .declarations import Declaration, Enumeration, Field, Message, TitleProblem, Value
from .shapes import Choice, Many, Maybe, Scalar, Secret, Shape, ShapeReader, Single, WireTypes
from .sources import source

ENUM_RULE = "enum = {defined_only: true, not_in: [0]}"
ONEOF_RULE = "option (buf.validate.oneof).required = true;"


class Declarer:
    """Declares what some types reach, each message and enum once, in the order in which they are reached.

    `existing` has the messages of the proto as it is: names that no type has, such as that of the message for
    an inner tuple, are taken from there, and so are comments where the source has none.
    """

    def __init__(self, title: str, existing: Mapping[str, Declaration], wire_types: WireTypes) -> None:
        self._title, self._existing = title, existing
        self._shapes = ShapeReader(title, wire_types)
        self._origins: dict[str, Any] = {}
        self.declared: dict[str, Declaration] = {}
        self._asked = False  # True while messages are declared that callers send

    def options(self, kind: type) -> None:
        self._asked = True
        self._record(kind, name="Options", optional=True)

    def actions(self, kinds: Iterable[type]) -> None:
        self._asked = True
        self._top_choice("Action", tuple(kinds), "An action of a seat.")

    def events(self, kinds: Iterable[type]) -> None:
        self._asked = False
        self._top_choice("Event", tuple(kinds), "An event of the game.")

    def view(self, kind: type) -> None:
        self._asked = False
        self._record(kind, name="View")

    def state(self, kind: type) -> None:
        self._asked = False
        self._record(kind, name="State")

    def _top_choice(self, name: str, kinds: tuple[type, ...], usual: str) -> None:
        """Declares the union of all actions or events, whose type may be named like the message."""
        alias = source(kinds[0].__module__).alias(name)
        old = self._existing.get(name)
        doc = alias.doc if alias else ""
        self._choice(Choice(kinds, name, doc or (old.comment if old else "") or usual))

    def _record(self, kind: type, name: str = "", optional: bool = False) -> str:
        name = name or kind.__name__
        if not self._is_new(name, kind):
            return name
        comment = self._comment(name, source(kind.__module__).class_doc(kind.__name__), kind.__name__)
        self.declared[name] = Message(name, comment)  # holds the place while the fields are declared
        made: list[Field] = []
        for field in fields(kind):
            docs = source(_owner(kind, field.name)).member_docs(_owner_name(kind, field.name))
            shape = self._shapes.field(kind, field.name)
            doc = docs.get(field.name, "") or self._old_comment(name, field.name) or _meaning(field)
            made += self._field(name, field.name, shape, doc, optional=optional)
        self._check_distinct(name, [field.name for field in made])
        self.declared[name] = Message(name, comment, tuple(made))
        return name

    def _check_distinct(self, owner: str, names: Sequence[str]) -> None:
        for name in names:
            if names.count(name) > 1:
                fix = "it is the length of a hidden list; rename the field of the dataclass"
                raise TitleProblem(f"title {self._title}, {owner}.{name}: the name is taken: {fix}.")

    def _field(self, owner: str, name: str, shape: Shape, doc: str, optional: bool = False) -> list[Field]:
        label = "optional" if optional else ""
        match shape:
            case Secret(Many() as many):
                return [*self._field(owner, name, many, doc), self._companion(owner, name)]
            case Secret(inner) | Maybe(inner):
                required, label = False, "optional"
            case Many(item):
                if optional:
                    fix = "a list that is left out is empty, so it has no default; use several options"
                    raise TitleProblem(
                        f"title {self._title}, {owner}.{name}: an option cannot be a list: {fix}."
                    )
                kind = self._element(owner, name, item)
                rule = f"repeated.items.{ENUM_RULE}" if self._is_enum(kind) else ""
                return [Field(name, kind, "repeated", comment=doc, options=self._rule(rule))]
            case _:
                required, inner = not optional, shape
        kind = self._element(owner, name, inner)
        is_message = isinstance(self.declared.get(kind), Message)
        rule = ENUM_RULE if self._is_enum(kind) else "required = true" if is_message and required else ""
        return [Field(name, kind, "" if is_message else label, comment=doc, options=self._rule(rule))]

    def _companion(self, owner: str, name: str) -> Field:
        """The field with the length of a list that is hidden."""
        counted = f"The number of {name.replace('_', ' ')}, if they are hidden from the receiver. "
        comment = self._old_comment(owner, f"hidden_{name}") or f"{counted}Otherwise absent."
        return Field(f"hidden_{name}", "uint32", "optional", comment=comment)

    def _element(self, owner: str, name: str, shape: Shape) -> str:
        """The type of one value, which is declared unless it is."""
        match shape:
            case Scalar(kind):
                return kind
            case Single(kind):
                return self._enum(kind) if issubclass(kind, Enum) else self._record(kind)
            case Choice():
                return self._choice(shape, owner, name)
            case Many(_, alias, doc):
                return self._wrapper(owner, name, shape, alias, doc, "items")
            case Maybe(inner):
                inner_name = snake(inner.kind.__name__) if isinstance(inner, Single) else "value"
                return self._wrapper(owner, name, shape, "", "", inner_name)
        fix = "a whole field is hidden, or nothing of it; put `| Hidden` after the type of the field"
        raise TitleProblem(f"title {self._title}, {owner}.{name}: an item of a list cannot be hidden: {fix}.")

    def _wrapper(self, owner: str, name: str, shape: Shape, alias: str, doc: str, inner: str) -> str:
        """A message with a single field, for a list in a list and for an item that may be absent."""
        old = self._old_field(owner, name)
        known = self._existing.get(old.type.rpartition(".")[2]) if old else None
        wrapper = known.name if known else alias or f"{_camel(name)}Item"
        if isinstance(known, Message) and len(known.fields) == 1:
            inner = known.fields[0].name
        if self._is_new(wrapper, shape):
            comment = doc or (known.comment if known else "") or f"An item of `{name}`."
            self.declared[wrapper] = Message(wrapper, comment)
            made = self._field(wrapper, inner, shape, self._old_comment(wrapper, inner))
            self.declared[wrapper] = Message(wrapper, comment, tuple(made))
        return wrapper

    def _choice(self, shape: Choice, owner: str = "", field: str = "") -> str:
        name = shape.name
        if not name:
            fix = "give it a name, as in `Phase = Acting | Swapping`, and use that"
            raise TitleProblem(f"title {self._title}, {owner}.{field}: the union has no name: {fix}.")
        if not self._is_new(name, shape.members):
            return name
        cases = [snake(member.__name__) for member in shape.members]
        for case in cases:
            if cases.count(case) > 1:
                fix = "rename one of them"
                raise TitleProblem(
                    f"title {self._title}, {name} has two members that are called {case}: {fix}."
                )
        comment = self._comment(name, shape.doc, name)
        rule = ONEOF_RULE if self._asked else ""
        self.declared[name] = Message(name, comment, (), "kind", rule)
        made = [Field(case, self._record(member)) for case, member in zip(cases, shape.members, strict=True)]
        self.declared[name] = Message(name, comment, tuple(made), "kind", rule)
        return name

    def _enum(self, kind: Any) -> str:
        name: str = kind.__name__
        if self._is_new(name, kind):
            prefix, docs = snake(name).upper(), source(kind.__module__).member_docs(name)
            values = [Value(f"{prefix}_UNSPECIFIED", 0)]
            for member in kind:
                made = f"{prefix}_{member.name}"
                values.append(Value(made, -1, docs.get(member.name, "") or self._old_comment(name, made)))
            comment = self._comment(name, source(kind.__module__).class_doc(name), name)
            self.declared[name] = Enumeration(name, comment, tuple(values))
        return name

    def _is_new(self, name: str, origin: Any) -> bool:
        """False if this type is declared already. Raises TitleProblem if another one has its name."""
        if name not in self._origins:
            self._origins[name] = origin
            return True
        if self._origins[name] != origin:
            raise TitleProblem(
                f"title {self._title}, two types would be the message {name}: rename one of them."
            )
        return False

    def _comment(self, name: str, doc: str, kind: str) -> str:
        old = self._existing.get(name)
        found = doc or (old.comment if old else "")
        if not found:
            fix = "write a docstring, or a string below a named union: it becomes the comment of the message"
            raise TitleProblem(f"title {self._title}, {kind} is not documented: {fix}.")
        return found

    def _old_field(self, owner: str, name: str) -> Field | None:
        message = self._existing.get(owner)
        found = message.fields if isinstance(message, Message) else ()
        return next((field for field in found if field.name == name), None)

    def _old_comment(self, owner: str, name: str) -> str:
        declared = self._existing.get(owner)
        parts = declared.values if isinstance(declared, Enumeration) else declared.fields if declared else ()
        return next((part.comment for part in parts if part.name == name), "")

    def _is_enum(self, kind: str) -> bool:
        return isinstance(self.declared.get(kind), Enumeration)

    def _rule(self, rule: str) -> str:
        return f"[(buf.validate.field).{rule}]" if rule and self._asked else ""


def _meaning(field: DataclassField[Any]) -> str:
    """The sentence of an option, with its default."""
    meaning = str(field.metadata.get("meaning", ""))
    if not meaning or field.default is MISSING:
        return meaning
    default = field.default
    shown = (
        f"{snake(type(default).__name__).upper()}_{default.name}" if isinstance(default, Enum) else default
    )
    return f"{meaning} {shown} if left out."


def _owner(kind: type, name: str) -> str:
    return _base(kind, name).__module__


def _owner_name(kind: type, name: str) -> str:
    return _base(kind, name).__name__


def _base(kind: type, name: str) -> type:
    """The class that declares a field, which may be a base class."""
    return next(
        base for base in kind.__mro__ if is_dataclass(base) and name in vars(base).get("__annotations__", {})
    )


def _camel(name: str) -> str:
    return re.sub(r"(?:^|_)([a-z0-9])", lambda found: found[1].upper(), name)
