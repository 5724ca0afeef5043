"""Laws of actions that a seat may take back alone: it must have learnt nothing from them."""

from __future__ import annotations

from hypothesis import strategies as st

from gamehost.titles.tides.rules.rules import TIDES

from .checks import check_final, check_some_are_final
from .facts import FACTS
from .playouts import TITLES, games, law


def is_final(rules, events):
    return any(type(event) in rules.final for event in events)


@law(examples=80, salt=st.integers(0, 9_999))
def test_what_is_not_final_tells_its_seat_nothing_that_it_could_not_foresee(rules, place, salt):
    """They use no luck, and are the same in every world that the seat considers possible."""
    check_final(rules, *place.of(rules), salt)


@law(examples=30)
def test_everyone_sees_whether_an_action_is_final(rules, place):
    """Otherwise the right to take back would show a seat something hidden."""
    game, position = place.of(rules)
    for event in game.events[max(0, position.told - 20) : position.told]:
        for viewer in game.viewers:
            assert type(rules.witness(event, viewer)) is type(event)


@TITLES
def test_some_of_what_happens_is_final(rules):
    """And some actions are not final, unless the facts of the title say otherwise."""
    check_some_are_final(rules, list(games(rules)), all_final=FACTS[rules.title].all_final)


def test_a_choice_of_tides_is_final_once_it_is_made():
    """TT-4."""
    for game in games(TIDES):
        for before, after in zip(game.positions, game.positions[1:], strict=False):
            assert is_final(TIDES, game.events[before.told : after.told])
