"""Laws about worlds imagined by a seat that remembers all it has witnessed."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from gamehost.rules.chance import ScriptedChance, SeededChance
from gamehost.rules.kit import led_to

from .facts import FACTS
from .playouts import law
from .retelling import RETELLINGS


def witnessed(rules, game, position, seat):
    return [rules.witness(event, seat) for event in game.events[: position.told]]


@law(salt=st.integers(0, 99))
def test_a_remembered_world_has_the_view_that_was_remembered_with(rules, place, salt):
    game, position = place.of(rules)
    for seat in game.viewers:
        known, seen = rules.view(position.state, seat), witnessed(rules, game, position, seat)

        world = rules.imagine(known, SeededChance(b"another world", salt), seen)

        assert known == rules.view(world, seat)
        assert rules.decisions(position.state) == rules.decisions(world)
        assert rules.outcome(position.state) == rules.outcome(world)
        assert FACTS[rules.title].pieces(position.state) == FACTS[rules.title].pieces(world)
        if seat is not None:
            assert list(rules.legal_actions(position.state, seat)) == list(rules.legal_actions(world, seat))


@law(examples=30, salt=st.integers(0, 99))
def test_a_remembered_world_comes_of_a_game_that_went_as_it_was_witnessed(rules, place, salt):
    """Other luck and other hidden choices lead to it by the rules themselves, and the seat sees the same."""
    game, position = place.of(rules)
    seat = random.Random(salt).choice(game.viewers)
    seen = witnessed(rules, game, position, seat)
    world = rules.imagine(rules.view(position.state, seat), SeededChance(b"another world", salt), seen)

    told = RETELLINGS[rules.title].events(world, seen)

    assert seen == [rules.witness(event, seat) for event in told]
    assert world == played_as_told(rules, game, told)


def played_as_told(rules, game, told):
    """The state these events lead to, every one of them what the rules answer to the moves of the game."""
    retelling = RETELLINGS[rules.title]
    first, *later = (position for position in game.positions if position.told <= len(told))
    luck = ScriptedChance(*retelling.luck(told[: first.told]))
    events = rules.setup(game.options, game.seats, luck)
    state = led_to(rules, events, rules.blank)
    heard = list(events)
    for before, after in zip((first, *later), later, strict=False):
        expected = told[before.told : after.told]
        seat, action = before.move
        luck = ScriptedChance(*retelling.luck(expected))
        events = rules.decide(state, seat, retelling.answer(action, expected[0]), luck)
        state = led_to(rules, events, state)
        heard.extend(events)
    assert told == heard
    return state
