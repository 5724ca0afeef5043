"""The interface of a title to the terminal: its module `terminal` has a constant `TERMINAL` of this type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import RenderableType

from gamehost.rules.catalog import CATALOG, title_part

Draw = Callable[[Any, Sequence[str]], RenderableType]
Form = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Terminal:
    """The drawing and the sentences with which the terminal shows one title.

    In a sentence `{field}` is a value, `{field:form}` a value in a form listed below, and `{field!}` a list,
    or its size if it is hidden. Sentences are in the past tense, so that "you" fits as well as a name. Events
    without a sentence are not shown; without any sentence, all events are described by their fields. Without
    a drawing the fields of the view are printed.
    """

    draw: Draw | None = None  # of view and names of seats, in 80 columns and readable without colours
    sentences: Mapping[str, str] = field(default_factory=dict)  # by the kind of event
    forms: Mapping[str, Form] = field(default_factory=dict)  # `{field:form}`: a function of the value
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # `{field:form}` of an enum
    enums: Mapping[str, Form] = field(default_factory=dict)  # by the name of the enum
    messages: Mapping[str, Form] = field(default_factory=dict)  # by the name of the message


TERMINALS: Mapping[str, Terminal] = {
    title: found for title in CATALOG if (found := title_part(title, "terminal", "TERMINAL", Terminal))
}
