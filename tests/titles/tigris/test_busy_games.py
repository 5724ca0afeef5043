"""Tests of invariants in games with many conflicts, buildings and treasures."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from gamehost.rules.chance import SeededChance
from gamehost.titles.tigris.rules import TIGRIS
from gamehost.titles.tigris.rules.events import PointsScored, TreasureTaken
from gamehost.titles.tigris.rules.kingdoms import kingdoms, leaders_in
from gamehost.titles.tigris.rules.material import COLOURS, BoardSide, Colour
from gamehost.titles.tigris.rules.options import BagExhaustion, Options
from gamehost.titles.tigris.rules.phases import Acting
from gamehost.titles.tigris.rules.refusals import refusal
from gamehost.titles.tigris.rules.spaces import LAND, RIVER, neighbours
from rules.facts import FACTS
from rules.playouts import play
from support.budget import budget

from .coins import Heaping
from .test_refusals import UNIVERSE

NUMBERS = range(budget(2, 8))
GAMES = pytest.mark.parametrize("number", NUMBERS)


@cache
def busy_game(number):
    coin = random.Random(number)
    options = Options(
        board=coin.choice(list(BoardSide)),
        civilization_buildings=number % 2 == 0,
        english_variant=number % 3 == 0,
        wonder=number % 2 == 0,
        bag_exhaustion=coin.choice(list(BagExhaustion)),
        open_information=number % 4 == 0,
    )
    return play(TIGRIS, options, 2 + number % 3, b"%d" % number, Heaping(number))


@GAMES
def test_between_actions_the_board_is_at_peace(number):
    for position in busy_game(number).positions:
        state, board = position.state, position.state.board
        if not isinstance((*state.agenda, None)[0], Acting) or len(state.agenda) > 1:
            continue
        temples = neighbours(board.tiles[Colour.RED])
        assert all(one & temples for row in board.leaders for one in row if one), "TE-12"
        for kingdom in kingdoms(board):
            rulers = {colour: leaders_in(board, kingdom, colour) for colour in COLOURS}
            assert all(len(seats) <= 1 for seats in rulers.values()), "TE-41"
            assert not rulers[Colour.GREEN] or (kingdom & board.treasures).bit_count() <= 1, "TE-60"


@GAMES
def test_no_two_things_share_a_space(number):
    for position in busy_game(number).positions[::3]:
        board, side = position.state.board, position.state.options.board
        leaders = [one for row in board.leaders for one in row]
        things = [*board.tiles, board.face_down, board.wonder, board.catastrophes, *leaders]
        together = 0
        for thing in things:
            assert not thing & together
            together |= thing
        assert not board.tiles[Colour.BLUE] & LAND[side]
        assert not any(one & RIVER[side] for one in (*leaders, *board.tiles[:1], *board.tiles[2:]))
        assert not board.treasures & ~(board.tiles[Colour.RED] | board.face_down | board.wonder)


@GAMES
def test_what_is_listed_is_exactly_what_is_not_refused(number):
    for position in busy_game(number).positions[::9]:
        for decision in TIGRIS.decisions(position.state):
            listed = set(TIGRIS.legal_actions(position.state, decision.seat))
            accepted = {each for each in UNIVERSE if refusal(position.state, decision.seat, each) is None}
            assert accepted == listed & set(UNIVERSE)
            assert {type(action) for action in listed} == set(decision.kinds)
            assert len(listed) < 500


@GAMES
def test_every_view_has_a_world(number):
    game = busy_game(number)
    for position in game.positions[::9]:
        for seat in game.viewers:
            known = TIGRIS.view(position.state, seat)
            world = TIGRIS.imagine(known, SeededChance(b"world", number))
            assert known == TIGRIS.view(world, seat)
            assert FACTS["tigris"].pieces(world) == FACTS["tigris"].pieces(position.state)
            assert TIGRIS.decisions(world) == TIGRIS.decisions(position.state)


@GAMES
def test_who_remembers_every_gain_knows_the_sums(number):
    game = busy_game(number)
    for position in game.positions[::9]:
        for seat in game.viewers:
            known, seen = TIGRIS.view(position.state, seat), game.seen(TIGRIS, position, seat)
            world = TIGRIS.imagine(known, SeededChance(b"world", number), seen)
            assert won(seen, game.seats) == (world.points, world.treasures)
            assert (position.state.points, position.state.treasures) == (world.points, world.treasures)


def won(seen, seats):
    """Returns the points by colour and the treasures of each seat, counted from the events."""
    points, treasures = Counter(), Counter()
    for event in seen:
        if isinstance(event, PointsScored):
            points[event.seat, event.colour] += event.points
        elif isinstance(event, TreasureTaken):
            treasures[event.seat] += 1
    rows = tuple(tuple(points[seat, colour] for colour in COLOURS) for seat in range(seats))
    return rows, tuple(treasures[seat] for seat in range(seats))


@GAMES
def test_pieces_are_neither_lost_nor_made(number):
    first, *others = (FACTS["tigris"].pieces(position.state) for position in busy_game(number).positions)

    assert all(first == other for other in others)
