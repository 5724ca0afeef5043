"""`dataclasses.replace` in about half the time, for frozen dataclasses with slots."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # mypy knows the fields of a dataclass for this function, so a misspelt field or a wrong type is an error.
    from dataclasses import replace as replace
else:

    def replace(original: Any, /, **changes: Any) -> Any:
        """Returns a copy with some fields changed.

        Every event of a game copies a few values, and the standard function calls the frozen `__init__`,
        which sets each field through `object.__setattr__`. Writing through the slots takes half the time
        (1.4 instead of 4.1 µs for nine fields). `__post_init__` is not called.
        """
        kind = original.__class__
        copier = _COPIERS.get(kind)
        if copier is None:
            copier = _COPIERS[kind] = _copier(kind)
        read, setters, setter_of = copier
        copy = object.__new__(kind)
        for set_field, value in zip(setters, read(original), strict=True):
            set_field(copy, value)
        for name, value in changes.items():
            setter_of[name](copy, value)
        return copy


_COPIERS: dict[type[Any], Any] = {}


def _copier(kind: type[Any]) -> Any:
    """Returns a reader of all fields of a dataclass, their setters in order, and the setters by name."""
    names = [field.name for field in fields(kind)]
    setter_of = {name: getattr(kind, name).__set__ for name in names}
    read = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
    return read, tuple(setter_of.values()), setter_of
