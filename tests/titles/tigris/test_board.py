"""Tests of the boards, the setup and connected regions: TE-1, TE-2."""

from __future__ import annotations

import pytest

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import replay
from gamehost.titles.tigris.rules import TIGRIS
from gamehost.titles.tigris.rules.events import Event
from gamehost.titles.tigris.rules.evolve import WRITERS
from gamehost.titles.tigris.rules.kingdoms import kingdom_of, kingdoms
from gamehost.titles.tigris.rules.material import MONUMENT_COLOURS, TILES, BoardSide, Colour, Monument
from gamehost.titles.tigris.rules.model import square
from gamehost.titles.tigris.rules.options import Options
from gamehost.titles.tigris.rules.spaces import (
    LAND,
    RIVER,
    SPECIAL,
    START_TEMPLES,
    Space,
    bit,
    mask_of,
    spaces_in,
)

from .table import at, draw, parse, tidy

SIDES = pytest.mark.parametrize("side", BoardSide)


@pytest.mark.parametrize(
    ("side", "river", "temples", "special", "river_squares"),
    [(BoardSide.STANDARD, 41, 10, 4, 1), (BoardSide.ADVANCED, 39, 14, 6, 3)],
)
def test_the_boards_are_built_as_printed(side, river, temples, special, river_squares):
    corners = [Space(row, column) for row in range(10) for column in range(15)]

    assert river == RIVER[side].bit_count()
    assert temples == START_TEMPLES[side].bit_count()
    assert special == SPECIAL[side].bit_count()
    assert river_squares == sum(not square(corner) & ~RIVER[side] for corner in corners)


SPECIAL_TEMPLES = {
    BoardSide.STANDARD: "B2 P2 B8 O9",
    BoardSide.ADVANCED: "B3 P6 A8 E10 J11 O11",
}
OTHER_TEMPLES = {
    BoardSide.STANDARD: "K1 F3 N5 I7 F10 K11",
    BoardSide.ADVANCED: "E1 J1 O2 G4 L4 D6 H8 M8",
}
RIVER_COLUMNS = {
    BoardSide.STANDARD: "EFGHIM EM DEMN ABCDNOP OP O ABCDMNO DEFGM GHIJKLM - -",
    BoardSide.ADVANCED: "CDP CDP CDP CMNOP CM CM CDMN DEFN FGHN GHIJKLMN G",
}
"""Row by row from the north."""


@SIDES
def test_the_boards_are_space_by_space_as_printed(side):
    special, other = SPECIAL_TEMPLES[side].split(), OTHER_TEMPLES[side].split()
    rows = enumerate(RIVER_COLUMNS[side].split(), start=1)
    river = [f"{column}{row}" for row, columns in rows for column in columns.strip("-")]

    assert mask_of(map(at, river)) == RIVER[side]
    assert mask_of(map(at, special)) == SPECIAL[side]
    assert mask_of(map(at, special + other)) == START_TEMPLES[side]


@SIDES
def test_temples_start_on_land_and_far_apart(side):
    temples = spaces_in(START_TEMPLES[side])

    distances = [
        abs(one.row - other.row) + abs(one.column - other.column)
        for one in temples
        for other in temples
        if one < other
    ]

    assert not START_TEMPLES[side] & ~LAND[side]
    assert not SPECIAL[side] & ~START_TEMPLES[side]
    assert min(distances) >= 5


def test_every_pair_of_colours_has_one_monument():
    pairs = {frozenset(MONUMENT_COLOURS[monument]) for monument in Monument}

    assert 6 == len(pairs) == len(Monument)
    assert TILES == (57, 36, 30, 30)
    assert 153 == sum(TILES)


@SIDES
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_TE_1_set_up(side, seats):
    events = TIGRIS.setup(Options(board=side), seats, SeededChance(b"te-1", 0))

    state = replay(TIGRIS, events)

    assert START_TEMPLES[side] == state.board.tiles[Colour.RED] == state.board.treasures
    assert [6] * seats == [sum(hand) for hand in state.hands]
    assert (143 if side is BoardSide.STANDARD else 139) - 6 * seats == sum(state.bag)
    assert (2,) * seats == state.catastrophes
    assert not any(any(row) for row in state.board.leaders)


def test_TE_1_any_seat_may_begin():
    firsts = {
        replay(TIGRIS, TIGRIS.setup(Options(), 3, SeededChance(b"%d" % n, 0))).active for n in range(40)
    }

    assert {0, 1, 2} == firsts


def test_two_to_four_play():
    for seats in (1, 5):
        with pytest.raises(ValueError, match="2 to 4 players"):
            TIGRIS.setup(Options(), seats, SeededChance(b"", 0))


FULL = """
    .   .   .   .   ~   ~   ~   b   ~   .   r*  .   ~   .   .   .
    .   r*  .   .   ~   .   .   .   .   .   .   .   ~   .   .   r*
    .   .   .   ~   ~   x*  x   .   .   .   .   .   ~   ~   .   .
    ~   ~   ~   ~   .   x   x   K0  .   .   .   .   .   ~   ~   ~
    .   .   .   .   .   .   R1  r   r^  r   .   .   .   r*  ~   ~
    .   .   .   .   .   .   .   r   .   .   .   .   .   .   ~   .
    ~   ~   ~   ~   .   .   W   .   r*  .   .   .   ~   ~   ~   .
    .   #   .   ~   ~   W   W   W   .   .   .   .   ~   .   .   .
    .   .   .   .   .   .   W   #   ~   ~   ~   ~   ~   .   r*  .
    .   .   .   .   .   r*  .   .   .   g   g?  k   .   .   .   .
    .   .   .   .   .   .   .   .   .   .   r*  .   .   .   .   .
"""


def test_the_printer_is_the_inverse_of_the_parser():
    board = parse(FULL, "A1", seats=2)

    assert tidy(FULL) == draw(board)
    assert board == parse(draw(board), "A1", seats=2)


def test_TE_2_only_edges_connect():
    drawing = """
        r   k   .   .   .   .
        .   .   g   .   .   .
        .   k   R0  .   #   k
        .   .   r   r   r   .
    """
    board = parse(drawing, "E4", seats=2)

    group = kingdom_of(board, bit(at("G6")))

    assert {"G5", "F6", "G6", "G7", "H7", "I7"} == {space.name for space in spaces_in(group)}
    assert (group,) == kingdoms(board)


def test_TE_2_the_river_is_no_barrier():
    board = parse("R0  r   b   b   r   K1", "E9", seats=2)

    assert 1 == len(kingdoms(board))


def test_TE_2_face_down_tiles_and_the_wonder_connect_and_catastrophes_do_not():
    drawing = """
        .   W   .   .   .   .
        W   W   W   x   R0  r
        .   W   .   x   #   k
    """
    board = parse(drawing, "E4", seats=2)

    group = kingdom_of(board, bit(at("I5")))

    assert mask_of(map(at, ("F4", "E5", "F5", "G5", "H5", "I5", "J5", "F6", "H6", "J6"))) == group


def test_every_event_is_written_down():
    assert set(Event.__args__) == set(WRITERS)
