"""Checks that a title keeps the contract of the kit, when it is loaded.

Properties that only show in a game, such as a view that reveals too much, are tested by `tests/rules`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from .kit import AnyRules, TitleRules

MOST_SEATS = 4
RULE_ID = re.compile(r"[A-Z]{2}-[0-9]+")
TEXT_FACTS = ("title", "name", "summary")
FACTS = (*TEXT_FACTS, "version", "seats", "options", "actions", "events", "views", "texts", "blank", "final")
HOOKS = {"refusal": "forbidden", "legal_actions": "candidates", "outcome": "result"}


class BrokenTitle(TypeError):
    """A title breaks the contract of the kit. The message names the title, the field and the fix."""

    def __init__(self, title: str, field: str, fix: str) -> None:
        super().__init__(f"title {title}, {field}: {fix}")
        self.title, self.field, self.fix = title, field, fix


def check_rules(folder: str, rules: AnyRules) -> AnyRules:
    """Returns the rules of the folder if they keep the contract. Raises BrokenTitle."""
    for field, fix in _breaches(folder, rules):
        raise BrokenTitle(folder, field, fix)
    return rules


def check_names(hosted: Mapping[str, AnyRules]) -> None:
    """Raises BrokenTitle if two titles have the same name or use the same letters for their rules."""
    names, letters = dict[str, str](), dict[str, str]()
    for title, rules in hosted.items():
        if (other := names.setdefault(rules.name.casefold(), title)) != title:
            raise BrokenTitle(title, "name", f"{rules.name!r} is the name of {other}; choose another")
        for prefix in {rule.partition("-")[0] for rule in rules.texts}:
            if (other := letters.setdefault(prefix, title)) != title:
                raise BrokenTitle(title, "texts", f"the rules of {other} begin with {prefix}-; choose others")


def _breaches(folder: str, rules: AnyRules) -> Iterator[tuple[str, str]]:
    for fact in FACTS:
        if not hasattr(rules, fact):
            yield fact, f"it is missing; add it to the class of RULES, see `Rules` in {TitleRules.__module__}"
    for fact in TEXT_FACTS:
        if not (isinstance(value := getattr(rules, fact), str) and value):
            yield fact, f"it is {value!r}; make it a text"
    if rules.title != folder:
        yield "title", f"it is {rules.title!r}; make it {folder!r}, the name of the folder"
    if not (isinstance(rules.version, int) and rules.version > 0):
        yield "version", f"it is {rules.version!r}; begin with 1"
    if not (isinstance(rules.seats, range) and rules.seats and 1 < min(rules.seats) <= max(rules.seats)):
        yield "seats", f"it is {rules.seats!r}; make it a range such as range(2, 5) for 2 to 4 seats"
    elif max(rules.seats) > MOST_SEATS:
        yield "seats", f"it has {max(rules.seats)}; at most {MOST_SEATS} are supported"
    yield from _breaches_of_types(rules)
    yield from _breaches_of_texts(rules)
    yield from _missing_hooks(rules)
    yield from _breaches_of_blank(rules)


def _breaches_of_blank(rules: AnyRules) -> Iterator[tuple[str, str]]:
    """A game has the blank state for a moment, before its first event: then nobody can be asked."""
    try:
        asked = rules.decisions(rules.blank)
    except Exception as error:
        yield "decisions", f"it fails for the state `blank` with {error!r}; return [] before the game begins"
    else:
        if asked:
            yield "decisions", "it asks a seat in the state `blank`; return [] before the game begins"


def _breaches_of_types(rules: AnyRules) -> Iterator[tuple[str, str]]:
    for field, kinds in (("actions", rules.actions), ("events", rules.events)):
        if not kinds:
            yield field, "it is empty; list the dataclasses, as by get_args(Action)"
        names = set[str]()
        for kind in kinds:
            yield from _breaches_of_dataclass(field, kind)
            if kind.__name__ in names:
                yield field, f"{kind.__name__} is listed twice; rename one of them"
            names.add(kind.__name__)
    for field, kind in (("options", rules.options), ("views", rules.views), ("blank", type(rules.blank))):
        yield from _breaches_of_dataclass(field, kind)
    for each in fields(rules.options):
        if "meaning" not in each.metadata:
            yield f"options.{each.name}", 'write it as `= option(default, "sentence")`'
    for kind in rules.final:
        if kind not in rules.events:
            yield (
                "final",
                f"{getattr(kind, '__name__', kind)} is no event of the title; name classes of `events`",
            )


def _breaches_of_dataclass(field: str, kind: Any) -> Iterator[tuple[str, str]]:
    name = getattr(kind, "__name__", repr(kind))
    if not (isinstance(kind, type) and is_dataclass(kind)):
        yield field, f"{name} is no dataclass; write @dataclass(frozen=True, slots=True) above it"
    elif not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        yield field, f"{name} can be changed; write @dataclass(frozen=True, slots=True) above it"


def _breaches_of_texts(rules: AnyRules) -> Iterator[tuple[str, str]]:
    if not rules.texts:
        yield "texts", "it is empty; write every rule under an id such as AB-1"
    for rule in rules.texts:
        if not RULE_ID.fullmatch(rule):
            yield "texts", f"{rule!r} is no id of a rule; write two capital letters and a number, as in AB-1"
    for field in ("turn_rule", "end_rule"):
        named = getattr(rules, field, None)
        if named is not None and named not in rules.texts:
            yield field, f"there is no rule {named}; name one of `texts`"


def _missing_hooks(rules: AnyRules) -> Iterator[tuple[str, str]]:
    """Yields the missing hooks: a title overrides a method of the kit, or writes the hook that it calls."""
    if not isinstance(rules, TitleRules):
        return
    kind = type(rules)
    for method, hook in HOOKS.items():
        if getattr(kind, method) is not getattr(TitleRules, method):
            continue
        if getattr(kind, hook) is getattr(TitleRules, hook):
            yield hook, f"it is missing; write `{hook}`, or `{method}` in its place"
        if method == "refusal":
            yield from (
                (field, "it is missing; name the id of a rule of `texts`")
                for field in ("turn_rule", "end_rule")
                if not hasattr(rules, field)
            )
