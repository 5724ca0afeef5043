"""Laws of the encodings at random positions, with any options and any number of seats."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import strategies as st

from gamehost.learning import ENCODINGS
from gamehost.learning.game import Game
from gamehost.rules.kit import Seat, replay
from gamehost.titles.tigris.rules import TIGRIS
from golden.games import golden_paths, known
from rules.playouts import TITLES, games, law
from support.budget import budget
from titles.tigris.test_busy_games import busy_game

BUSY = range(budget(1, 4))


def at(rules, place) -> Game:
    return held(rules, *place.of(rules))


def held(rules, played, position) -> Game:
    """Returns a position as the game object of an environment."""
    told = list(played.events[: position.told])
    return Game(rules.title, played.seats, played.seed, position.state, told)


def states(rules):
    """Yields states of random games, busy games and recorded games, which have rare situations."""
    for game in (*games(rules), *(map(busy_game, range(4)) if rules is TIGRIS else ())):
        yield from (position.state for position in game.positions)
    for path in golden_paths(rules.title):
        yield from accumulate(
            (move.events for move in known(path).moves),
            lambda state, events: replay(rules, events, state),
            initial=rules.blank,
        )


def assert_cannot_be_told_apart(game, world, seat):
    assert np.array_equal(game.observation(seat), world.observation(seat))
    assert np.array_equal(game.mask(seat), world.mask(seat))
    assert game.observation_string(seat) == world.observation_string(seat)
    assert game.information_state_string(seat) == world.information_state_string(seat)


@law(examples=20, salt=st.integers(0, 99))
def test_an_encoding_says_nothing_about_what_is_hidden(rules, place, salt):
    game = at(rules, place)
    for seat in map(Seat, range(game.seats)):
        world = game.imagined(seat, str(salt).encode())

        assert_cannot_be_told_apart(game, world, seat)


@pytest.mark.parametrize("number", BUSY)
def test_wars_and_builds_say_nothing_about_what_is_hidden(number):
    played = busy_game(number)
    for position in played.positions[::60]:
        game = held(TIGRIS, played, position)
        for seat in played.viewers[1:]:
            assert_cannot_be_told_apart(game, game.imagined(seat, b"world"), seat)


@law(examples=25, salt=st.integers(0, 99))
def test_a_view_without_memory_is_encoded_alike_in_every_world(rules, place, salt):
    game, encoding = at(rules, place), ENCODINGS[rules.title]
    for seat in map(Seat, range(game.seats)):
        known = rules.view(game.state, seat)
        world = rules.imagine(known, game.chance(str(salt).encode()))

        encoded = encoding.encode_view(rules.view(world, seat), seat)

        assert np.array_equal(game.observation(seat), encoded)


@law(examples=25)
def test_a_sealed_choice_is_in_nothing_that_another_seat_gets(rules, place):
    game = at(rules, place)
    decisions = rules.decisions(game.state)
    if len(decisions) < 2:
        return
    chooser, other, *_ = (decision.seat for decision in decisions)
    received = set()
    for action in rules.legal_actions(game.state, chooser):
        after = game.copy()
        after.answer(chooser, action)
        arrays = after.observation(other).tobytes(), after.mask(other).tobytes()
        received.add((*arrays, after.observation_string(other), after.information_state_string(other)))

    assert 1 == len(received)


@law(examples=40)
def test_an_observation_has_its_shape_and_stays_between_minus_one_and_one(rules, place):
    game = at(rules, place)
    for seat in map(Seat, range(game.seats)):
        observation = game.observation(seat)

        assert np.float32 == observation.dtype
        assert (ENCODINGS[rules.title].size,) == observation.shape
        assert np.abs(observation).max() <= 1


@TITLES
def test_every_legal_action_has_a_number_of_its_own_and_comes_back_from_it(rules):
    encoding, met = ENCODINGS[rules.title], set()
    for state in states(rules):
        for decision in rules.decisions(state):
            listed = list(rules.legal_actions(state, decision.seat))
            numbers = list(map(encoding.index, listed))
            met.update(map(type, listed))
            assert len(set(numbers)) == len(numbers)
            assert list(map(encoding.action, numbers)) == listed

    assert set(rules.actions) == met


@law(examples=40)
def test_a_mask_is_exactly_what_is_legal(rules, place):
    game, encoding = at(rules, place), ENCODINGS[rules.title]
    for seat in map(Seat, range(game.seats)):
        legal = set(rules.legal_actions(game.state, seat))

        mask = game.mask(seat)

        assert np.int8 == mask.dtype
        assert legal == {encoding.action(int(number)) for number in np.flatnonzero(mask)}
        assert len(legal) == mask.sum()


@law(examples=40)
def test_rows_by_seat_begin_with_the_viewer(rules, place):
    game, encoding = at(rules, place), ENCODINGS[rules.title]
    if "asked" not in {part.name for part in encoding.slices}:
        return  # both seats of Tides decide at once; a generic encoding keeps the order of seats
    decision = game.next_decision()
    for seat in map(Seat, range(game.seats)):
        observation = game.observation(seat)

        expected = np.zeros(4)
        if decision is not None:
            expected[(decision.seat - seat) % game.seats] = 1
        assert np.array_equal(expected, encoding.part(observation, "asked"))
        assert game.seats == encoding.part(observation, "present").sum()
