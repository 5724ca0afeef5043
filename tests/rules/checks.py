"""Checks of the laws; the message of a failure names the title, the field and the fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import AnyRules, Decision, Seat, led_to, with_ids

from .playouts import Game, Position


def breach(rules: AnyRules, field: str, fix: str) -> str:
    return f"title {rules.title}, {field}: {fix}"


def differing(one: Any, other: Any, path: str) -> Iterator[str]:
    """Yields the paths at which two values of the same type differ."""
    if one == other:
        return
    if is_dataclass(one) and type(one) is type(other):
        for field in fields(one):
            yield from differing(getattr(one, field.name), getattr(other, field.name), f"{path}.{field.name}")
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from differing(*pair, f"{path}[{number}]")
    else:
        yield path


def check_view_hides(
    rules: AnyRules, state: Any, seat: Seat | None, salt: int = 0, seen: tuple[Any, ...] = ()
) -> Any:
    """Checks that `view` and `imagine` agree; returns a world that the seat cannot tell from the state."""
    known = rules.view(state, seat)
    world = rules.imagine(known, SeededChance(b"another world", salt), seen)
    shown = list(differing(known, rules.view(world, seat), "view"))
    assert not shown, breach(
        rules,
        shown[0],
        "a world that `imagine` made of the view has another value there: either `view` shows what is "
        "hidden from the seat, or `imagine` must take the value from the view",
    )
    return world


def check_questions(rules: AnyRules, game: Game) -> None:
    """Checks that a decision keeps its id until it is answered, and that no id is used again."""
    answers, answered = Counter[Seat](), set[str]()
    for before, after in pairwise(game.positions):
        assert before.move is not None
        seat, _ = before.move
        questions = by_id(rules, before, answers)
        mine = next(id for id, decision in questions.items() if decision.seat == seat)
        answers[seat] += 1
        answered.add(mine)
        later = by_id(rules, after, answers)
        for gone in sorted({*questions} - {*later} - {mine}):
            told = (
                f"{gone} of another seat is gone after an action of seat {seat}; keep it until it is answered"
            )
            raise AssertionError(breach(rules, "decisions", told))
        for again in sorted(answered & {*later}):
            told = f"{again} was answered and is asked again; make decisions by `ask`, which numbers them"
            raise AssertionError(breach(rules, "decisions", told))
        for id in sorted({*questions} - {mine}):
            assert questions[id] == later[id], breach(rules, "decisions", f"{id} changed while it was open")


def by_id(rules: AnyRules, position: Position, answers: Counter[Seat]) -> dict[str, Decision]:
    """Returns the open decisions by the ids that the service gives them."""
    asked = with_ids(
        rules.decisions(position.state), [answers[Seat(seat)] for seat in range(max(rules.seats))]
    )
    found = Counter(decision.id for decision in asked)
    twice = [id for id, count in found.items() if count > 1]
    assert not twice, breach(
        rules, "decisions", f"two open questions have the id {twice and twice[0]}; make decisions by `ask`"
    )
    return {decision.id: decision for decision in asked}


def check_final(rules: AnyRules, game: Game, position: Position, salt: int = 0) -> None:
    """Checks that an action that a seat may take back alone shows it nothing new: no luck, nothing hidden."""
    if position.move is None:
        return
    (seat, action), chance = position.move, game.chance(position)
    events = rules.decide(position.state, seat, action, chance)
    if any(type(event) in rules.final for event in events):
        return
    kinds = ", ".join(dict.fromkeys(type(event).__name__ for event in events))
    seen, known = game.seen(rules, position, seat), rules.view(position.state, seat)
    world = rules.imagine(known, SeededChance(b"another world", salt), seen)
    foreseen = rules.decide(world, seat, action, SeededChance(b"other luck", salt))
    told = f"seat {seat} could take back {kinds} of {type(action).__name__}, but {{}}: make one of them final"
    assert not chance.taken, breach(rules, "final", told.format("luck decided it"))
    same = [rules.witness(event, seat) for event in foreseen] == [
        rules.witness(event, seat) for event in events
    ]
    assert same, breach(rules, "final", told.format("they tell it what was hidden"))
    after = rules.view(led_to(rules, events, position.state), seat)
    shown = list(differing(after, rules.view(led_to(rules, foreseen, world), seat), "view"))
    assert not shown, breach(rules, "final", told.format(f"{shown and shown[0]} then shows what was hidden"))


def check_some_are_final(rules: AnyRules, games: list[Game], *, all_final: bool) -> None:
    """Checks that some actions are final, and that all are only if the facts of the title say so."""
    final = [
        any(type(event) in rules.final for event in game.events[before.told : after.told])
        for game in games
        for before, after in pairwise(game.positions)
    ]
    assert any(final), breach(
        rules, "final", "every action can be taken back alone: name the events of luck and of revealing"
    )
    assert all_final == all(final), breach(
        rules,
        "final",
        "nobody can take any action back alone: name harmless events in `free`, or say `all_final=True` in "
        "tests/titles/<title>/facts.py"
        if all(final)
        else "its facts say `all_final`, but some actions can be taken back",
    )
