"""The encoding of a title that has none of its own: it follows the types of the view and of the actions.

Every value gets a fixed number of places, so a list of values without a bound keeps its first `ROWS` only.
Lists and sets of enums are kept as counts, without their order. Texts are left out. A title whose models
should learn well writes a module `encoding`; this one lets environments, datasets and training run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from itertools import product
from types import NoneType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from gamehost.codec.mirror import union_members
from gamehost.rules.contract import BrokenTitle
from gamehost.rules.kit import AnyRules, Hidden, Seat

from .encoding import SEATS, Array, Block, Encoding, Slice, Viewer, squashed

ENCODING_VERSION: Final = 1
ROWS: Final = 8  # items of a list that is not a list of enums
HALF: Final = 5  # a number of this size becomes 0.5
MOST_ACTIONS: Final = 10_000  # of one kind
Write = Callable[[Array, Any], None]


@dataclass(frozen=True, slots=True)
class ValueEncoding:
    """The number of array elements for a type of value, and the function that fills them."""

    size: int
    write: Write


def generic_encoding(rules: AnyRules) -> Encoding:
    """Return an encoding of the title. Raises BrokenTitle for actions that cannot be numbered."""
    hints = get_type_hints(rules.views)
    parts = [_slice(field.name, value_encoding(hints[field.name])) for field in fields(rules.views)]
    viewer = Slice("viewer", (SEATS,), "one-hot: the seat of the viewer", _fill_viewer)
    blocks = [Block(kind.__name__, "fields in order", tuple(_actions(rules, kind))) for kind in rules.actions]
    sized = [part for part in parts if part.size]
    return Encoding(rules.title, ENCODING_VERSION, lambda view: max(rules.seats), [viewer, *sized], blocks)


def _fill_viewer(part: Array, viewer: Viewer) -> None:
    part[viewer.seat] = 1


def _slice(name: str, found: ValueEncoding) -> Slice:
    def fill(part: Array, viewer: Viewer) -> None:
        found.write(part, getattr(viewer.view, name))

    return Slice(name, (found.size,), f"the field `{name}` of the view", fill)


def value_encoding(kind: Any, within: tuple[Any, ...] = ()) -> ValueEncoding:
    """Return the places of a type of value. `within` are the dataclasses that contain it."""
    kind = getattr(kind, "__supertype__", kind)
    members = [member for member in union_members(kind) if member not in (NoneType, Hidden)]
    if kind is Hidden or len(members) != len(union_members(kind)):
        return _maybe_absent(members, within)
    if len(members) > 1:
        return _any_of(members, within)
    if get_origin(kind) in (tuple, frozenset):
        return _collection(get_args(kind)[0], within)
    if kind in (bool, int, float):
        return ValueEncoding(1, _write_number)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum(kind)
    if is_dataclass(kind) and kind not in within:
        return _dataclass(kind, (*within, kind))
    return ValueEncoding(0, lambda part, value: None)  # a text, or a type that contains itself


def _write_number(part: Array, value: Any) -> None:
    part[0] = float(value) if isinstance(value, bool) else squashed(value, HALF)


def _enum(kind: type[Enum]) -> ValueEncoding:
    at = {member: number for number, member in enumerate(kind)}

    def write(part: Array, value: Any) -> None:
        part[at[value]] = 1

    return ValueEncoding(len(at), write)


def _dataclass(kind: Any, within: tuple[Any, ...]) -> ValueEncoding:
    hints = get_type_hints(kind)
    parts = [(field.name, value_encoding(hints[field.name], within)) for field in fields(kind)]

    def write(part: Array, value: Any) -> None:
        start = 0
        for name, found in parts:
            found.write(part[start : start + found.size], getattr(value, name))
            start += found.size

    return ValueEncoding(sum(found.size for _, found in parts), write)


def _maybe_absent(members: list[Any], within: tuple[Any, ...]) -> ValueEncoding:
    """Two numbers before the value: whether it is there, and how many are hidden."""
    inner: Any = members[0] if len(members) == 1 else Union[tuple(members)]  # noqa: UP007  not known statically
    found = value_encoding(inner, within)

    def write(part: Array, value: Any) -> None:
        if isinstance(value, Hidden):
            part[1] = squashed(value.count, HALF)
        elif value is not None:
            part[0] = 1
            found.write(part[2:], value)

    return ValueEncoding(2 + found.size, write)


def _any_of(members: list[Any], within: tuple[Any, ...]) -> ValueEncoding:
    """The place of each member of a union, with a number before it that is 1 for the one that is given."""
    parts, size = dict[Any, tuple[int, ValueEncoding]](), 0
    for member in members:
        found = value_encoding(member, within)
        parts[member] = size, found
        size += 1 + found.size

    def write(part: Array, value: Any) -> None:
        start, found = parts[type(value)]
        part[start] = 1
        found.write(part[start + 1 : start + 1 + found.size], value)

    return ValueEncoding(size, write)


def _collection(kind: Any, within: tuple[Any, ...]) -> ValueEncoding:
    """The length, and the count of each member of an enum, or the first rows."""
    item = value_encoding(kind, within)
    counted = isinstance(kind, type) and issubclass(kind, Enum)

    def write(part: Array, value: Any) -> None:
        part[0] = squashed(len(value), HALF)
        if counted:
            for member, at in zip(kind, range(1, 1 + item.size), strict=True):
                count = sum(each is member for each in value)
                # Nearly all counts are 0 or 1, which are kept. Greater ones are mapped to 0.6 and more.
                part[at] = count if count < 2 else 0.5 + squashed(count, HALF) / 2
            return
        # A set has no fixed order: without sorting, equal views could be encoded differently.
        rows = sorted(value) if isinstance(value, frozenset) else value
        for number, each in enumerate(rows[:ROWS]):
            start = 1 + number * (1 + item.size)
            part[start] = 1
            item.write(part[start + 1 : start + 1 + item.size], each)

    return ValueEncoding(1 + item.size if counted else 1 + ROWS * (1 + item.size), write)


def _actions(rules: AnyRules, kind: Any) -> Iterator[Any]:
    """Yield every action of one kind. Raises BrokenTitle if its fields have no known values."""
    hints, count, known = get_type_hints(kind, include_extras=True), 1, list[list[Any]]()
    for field in fields(kind):
        known.append(values := _values(rules, f"{kind.__name__}.{field.name}", hints[field.name]))
        count *= len(values)
    if count > MOST_ACTIONS:
        raise BrokenTitle(rules.title, kind.__name__, f"it has {count} values; write a module `encoding`")
    yield from (kind(*chosen) for chosen in product(*known))


def _values(rules: AnyRules, where: str, kind: Any) -> list[Any]:
    """Return every value of the type of a field of an action."""
    if get_origin(kind) is Annotated:
        bounds = [each for each in kind.__metadata__ if isinstance(each, range)]
        return list(bounds[0]) if bounds else _values(rules, where, get_args(kind)[0])
    if kind is Seat:
        return [Seat(number) for number in range(max(rules.seats))]
    if kind is bool:
        return [False, True]
    if kind is NoneType:
        return [None]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)
    if len(members := union_members(kind)) > 1:
        return [value for member in members for value in _values(rules, where, member)]
    if is_dataclass(kind):
        return list(_actions(rules, kind))
    fix = "make it an Enum, a bool, a Seat or Annotated[int, range(…)], or write a module `encoding`"
    raise BrokenTitle(rules.title, where, f"its values cannot be listed for learning; {fix}")
