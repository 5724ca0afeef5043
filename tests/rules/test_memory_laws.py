"""Laws of worlds that are imagined from all events which a seat has seen."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import strategies as st

from gamehost.rules.chance import ScriptedChance, SeededChance
from gamehost.rules.kit import led_to, replay
from gamehost.titles.tigris.rules import TIGRIS
from titles.tigris.test_busy_games import GAMES, busy_game

from .checks import check_view_hides
from .facts import FACTS
from .history import histories
from .playouts import law


@law(salt=st.integers(0, 99))
def test_a_remembered_world_has_the_view_that_was_remembered_with(rules, place, salt):
    game, position = place.of(rules)
    for seat in game.viewers:
        seen = game.seen(rules, position, seat)

        world = check_view_hides(rules, position.state, seat, salt, seen)

        assert rules.decisions(position.state) == rules.decisions(world)
        assert rules.outcome(position.state) == rules.outcome(world)
        assert FACTS[rules.title].pieces(position.state) == FACTS[rules.title].pieces(world)
        if seat is not None:
            assert list(rules.legal_actions(position.state, seat)) == list(rules.legal_actions(world, seat))


@law(examples=30, salt=st.integers(0, 99))
def test_a_remembered_world_comes_of_a_game_that_went_as_it_was_witnessed(rules, place, salt):
    assert_it_could_have_been_so(rules, *place.of(rules), salt)


@GAMES
def test_a_remembered_world_of_a_busy_game_comes_of_one_that_went_as_witnessed(number):
    game = busy_game(number)
    for position in game.positions[number :: len(game.positions) // 3]:
        assert_it_could_have_been_so(TIGRIS, game, position, number)


def assert_it_could_have_been_so(rules, game, position, salt):
    """Asserts that the rules lead to the imagined world with other luck, and that the seat sees the same."""
    seat = random.Random(salt).choice(game.viewers)
    seen = game.seen(rules, position, seat)
    world = rules.imagine(rules.view(position.state, seat), SeededChance(b"another world", salt), seen)

    told = histories()[rules.title].events(world, seen)

    assert seen == tuple(rules.witness(event, seat) for event in told)
    assert world == played_as_told(rules, game, told)


def played_as_told(rules, game, told):
    """Plays the moves of the game with the luck of these events, checks the events, and returns the state."""
    history = histories()[rules.title]
    positions = [position for position in game.positions if position.told <= len(told)]
    luck = ScriptedChance(*history.luck(told[: positions[0].told]))
    heard = list(rules.setup(game.options, game.seats, luck))
    state = replay(rules, heard)
    for before, after in pairwise(positions):
        stretch, (seat, action) = told[before.told : after.told], before.move
        luck = ScriptedChance(*history.luck(stretch))
        events = rules.decide(state, seat, history.answer(action, stretch[0]), luck)
        state = led_to(rules, events, state)
        heard.extend(events)
    assert told == heard
    return state
