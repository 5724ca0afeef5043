"""Gives the fields of a title's messages their numbers: those that the proto has, and new ones after them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .declarations import Declaration, Enumeration, Field, Message, TitleProblem, Value, reached

INTEGERS = ("uint32", "int32", "uint64", "int64")
STORED = ("Event", "State")
"""What a log has: the events of its game, and the state with which a fork begins."""


def numbered(
    title: str, declared: Mapping[str, Declaration], existing: Mapping[str, Declaration]
) -> dict[str, Declaration]:
    """The messages and enums with their numbers, in the order in which the proto has them.

    Fields that are gone become reserved. Deprecated ones stay, with the messages that they are made of.
    Raises TitleProblem for a field whose type changed.
    """
    made: dict[str, Declaration] = {}
    for name, declaration in declared.items():
        old = existing.get(name)
        if old is not None and (
            type(old) is not type(declaration) or _is_oneof(old) != _is_oneof(declaration)
        ):
            fix = "the contract keeps what it has; give the new type another name"
            raise TitleProblem(f"title {title}, {name} was another kind of type before: {fix}.")
        if isinstance(declaration, Message):
            made[name] = _message(title, declaration, old if isinstance(old, Message) else None)
        else:
            made[name] = _enum(title, declaration, old if isinstance(old, Enumeration) else None)
    _keep_deprecated(made, existing)
    return _ordered(made, existing)


def removed_names(made: Mapping[str, Declaration], existing: Mapping[str, Declaration]) -> list[str]:
    """The fields and values that the proto has and the new messages have not, such as `Dealt.seat`.

    A message that is gone is not listed: the field that had its type is.
    """
    return [
        f"{name}.{part.name}"
        for name, old in existing.items()
        if name in made
        for part in _parts(old)
        if part.name not in {kept.name for kept in _parts(made[name])}
    ]


def check_stored(title: str, made: Mapping[str, Declaration], existing: Mapping[str, Declaration]) -> None:
    """Raises TitleProblem if something is gone that logs have: old games could not be read any more."""
    stored = reached(STORED, existing)
    lost = [name for name in removed_names(made, existing) if name.partition(".")[0] in stored]
    if lost:
        raise TitleProblem(
            f"title {title}, {', '.join(lost)}: stored games have this, and without it they cannot be read: "
            "keep it in the dataclass, or mark it `[deprecated = true]` in the proto and add an upgrade "
            "(service/gamehost/codec/upgrades.py). If no game of the title is stored anywhere, number its "
            f"messages anew: `python3 proto --title {title} --new`."
        )


def _parts(declaration: Declaration) -> Sequence[Field | Value]:
    return declaration.fields if isinstance(declaration, Message) else declaration.values


def _message(title: str, new: Message, old: Message | None) -> Message:
    if old is None:
        fields = [replace(field, number=number) for number, field in enumerate(new.fields, 1)]
        return replace(new, fields=tuple(fields))
    wanted, had = {field.name: field for field in new.fields}, {field.name: field for field in old.fields}
    kept = [
        _same(title, new.name, field, wanted[field.name]) if field.name in wanted else field
        for field in old.fields
        if field.name in wanted or field.is_deprecated
    ]
    gone = [field for field in old.fields if field not in kept and field.name not in wanted]
    reserved = old.reserved.and_also(gone)
    added = [field for field in new.fields if field.name not in had]
    _check_names(title, new.name, added, reserved.names)
    first = 1 + max([0, *reserved.numbers, *(field.number for field in old.fields)])
    numbers = enumerate(added, first)
    return replace(
        new,
        fields=(*kept, *(replace(field, number=number) for number, field in numbers)),
        oneof=old.oneof,
        oneof_option=old.oneof_option,
        reserved=reserved,
    )


def _same(title: str, message: str, old: Field, new: Field) -> Field:
    """The field as it is, with its new comment. Raises TitleProblem if its type changed."""
    old_type, new_type = old.type.rpartition(".")[2], new.type.rpartition(".")[2]
    both_numbers = old_type in INTEGERS and new_type in INTEGERS
    both_lists = (old.label == "repeated") == (new.label == "repeated")
    if not both_lists or not (old_type == new_type or both_numbers):
        was, now = f"{old.label} {old_type}".strip(), f"{new.label} {new_type}".strip()
        fix = "give the field another name; the old one stays reserved"
        raise TitleProblem(
            f"title {title}, {message}.{old.name} was `{was}` and would become `{now}`: {fix}."
        )
    type_ = "int32" if (old_type, new_type) == ("uint32", "int32") else old_type if both_numbers else new.type
    return replace(new, type=type_, number=old.number, options=old.options)


def _enum(title: str, new: Enumeration, old: Enumeration | None) -> Enumeration:
    had = {value.name: value for value in old.values} if old else {}
    wanted = {value.name: value for value in new.values}
    kept = [replace(wanted[name], number=value.number) for name, value in had.items() if name in wanted]
    gone = [value for name, value in had.items() if name not in wanted]
    reserved = (old.reserved if old else new.reserved).and_also(gone)
    added = [value for name, value in wanted.items() if name not in had]
    _check_names(title, new.name, added, reserved.names)
    first = 1 + max([-1, *reserved.numbers, *(value.number for value in had.values())])
    numbers = enumerate(added, first)
    return replace(
        new, values=(*kept, *(replace(value, number=number) for number, value in numbers)), reserved=reserved
    )


def _check_names(title: str, owner: str, added: Sequence[Field | Value], reserved: Sequence[str]) -> None:
    for part in added:
        if part.name in reserved:
            fix = "choose another name, since old clients know this one with another meaning"
            raise TitleProblem(f"title {title}, {owner}.{part.name} was removed in the past: {fix}.")


def _is_oneof(declaration: Declaration) -> bool:
    return isinstance(declaration, Message) and bool(declaration.oneof)


def _keep_deprecated(made: dict[str, Declaration], existing: Mapping[str, Declaration]) -> None:
    """Adds the messages that only deprecated fields are made of, as they are."""
    waiting = list(made.values())
    for declaration in waiting:
        for field in declaration.fields if isinstance(declaration, Message) else ():
            name = field.type.rpartition(".")[2]
            if name in existing and name not in made:
                made[name] = existing[name]
                waiting.append(existing[name])


def _ordered(made: Mapping[str, Declaration], existing: Mapping[str, Declaration]) -> dict[str, Declaration]:
    """In the order of the proto; a new one comes after the one before which it was declared."""
    order = [name for name in existing if name in made]
    before = ""
    for name in made:
        if name not in existing:
            order.insert(order.index(before) + 1 if before else 0, name)
        before = name
    return {name: made[name] for name in order}
