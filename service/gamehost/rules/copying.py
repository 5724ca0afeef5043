"""`dataclasses.replace` in about a third of the time, for frozen dataclasses with slots."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # mypy knows the fields of a dataclass for this function, so a misspelt field or a wrong type is an error.
    from dataclasses import replace as replace
else:

    def replace(original: Any, /, **changes: Any) -> Any:
        """Returns a copy with some fields changed. `__post_init__` is not called.

        Every event of a game copies a few values, and the standard function calls the frozen `__init__`,
        which sets each field through `object.__setattr__`. For each class a function is generated here that
        writes through the slots: 1.3 µs for the 14 fields of a table, where a loop over the slots takes 2.1.
        """
        copy = _COPIERS.get(original.__class__) or _copier(original.__class__)
        return copy(original, **changes)


_COPIERS: dict[type[Any], Any] = {}


def _copier(kind: type[Any]) -> Any:
    """Generates the function that copies values of a dataclass; the fields are its keyword arguments."""
    names = [field.name for field in fields(kind)]
    scope: dict[str, Any] = {f"_set_{name}": getattr(kind, name).__set__ for name in names}
    scope |= {"_new": object.__new__, "_kind": kind, "_same": object()}
    lines = [f"_set_{name}(_copy, _original.{name} if {name} is _same else {name})" for name in names]
    source = "\n    ".join(
        [
            f"def _replace(_original, /, *, {', '.join(f'{name}=_same' for name in names)}):",
            "_copy = _new(_kind)",
            *lines,
            "return _copy",
        ]
    )
    exec(source, scope)
    _COPIERS[kind] = scope["_replace"]
    return _COPIERS[kind]
