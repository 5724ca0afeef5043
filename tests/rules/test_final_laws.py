"""Laws about what a seat may take back alone: it must have learnt nothing from it."""

from __future__ import annotations

from hypothesis import strategies as st

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import led_to
from gamehost.titles.tides.rules.rules import TIDES

from .playouts import TITLES, games, law


def is_final(rules, events):
    return any(type(event) in rules.final for event in events)


@law(examples=80, salt=st.integers(0, 9_999))
def test_what_is_not_final_tells_its_seat_nothing_that_it_could_not_foresee(rules, place, salt):
    """No luck, and the same in every world that the seat could be in."""
    game, position = place.of(rules)
    if position.move is None:
        return
    (seat, action), chance = position.move, game.chance(position)
    events = rules.decide(position.state, seat, action, chance)
    if is_final(rules, events):
        return
    seen = [rules.witness(event, seat) for event in game.events[: position.told]]
    known = rules.view(position.state, seat)

    world = rules.imagine(known, SeededChance(b"another world", salt), seen)
    foreseen = rules.decide(world, seat, action, SeededChance(b"other luck", salt))

    assert 0 == chance.taken
    assert [rules.witness(event, seat) for event in foreseen] == [
        rules.witness(event, seat) for event in events
    ]
    assert rules.view(led_to(rules, foreseen, world), seat) == rules.view(
        led_to(rules, events, position.state), seat
    )


@law(examples=30)
def test_everyone_sees_whether_an_action_is_final(rules, place):
    """So that whether a seat may take it back tells nothing that it does not know."""
    game, position = place.of(rules)
    for event in game.events[max(0, position.told - 20) : position.told]:
        for viewer in game.viewers:
            assert type(rules.witness(event, viewer)) is type(event)


@TITLES
def test_some_of_what_happens_is_final(rules):
    """And where the rules do not forbid it, some is not."""
    final, free = 0, 0
    for game in games(rules):
        for before, after in zip(game.positions, game.positions[1:], strict=False):
            if is_final(rules, game.events[before.told : after.told]):
                final += 1
            else:
                free += 1

    assert final
    assert bool(free) == (rules is not TIDES)


def test_a_choice_of_tides_is_final_once_it_is_made():
    """TT-4."""
    for game in games(TIDES):
        for before, after in zip(game.positions, game.positions[1:], strict=False):
            assert is_final(TIDES, game.events[before.told : after.told])
