"""Tests that bad input is refused with a reason and a rule."""

from __future__ import annotations

from itertools import product

import pytest

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import IllegalAction, Seat
from gamehost.titles.tigris.rules import TIGRIS
from gamehost.titles.tigris.rules.actions import (
    BuildMonument,
    BuildWonder,
    ChooseColour,
    ChooseSpace,
    ChooseWar,
    CommitSupport,
    DeclineBuild,
    DiscardTiles,
    EndTurn,
    PlaceLeader,
    PlaceTile,
    PlayCatastrophe,
    RaiseBuilding,
    SwapTiles,
    TakeTreasure,
    WithdrawLeader,
)
from gamehost.titles.tigris.rules.events import EndReason
from gamehost.titles.tigris.rules.material import COLOURS, Monument
from gamehost.titles.tigris.rules.options import Options
from gamehost.titles.tigris.rules.refusals import refusal
from gamehost.titles.tigris.rules.spaces import BY_BIT, Space
from rules.playouts import game
from support.budget import budget

from .table import BLACK, BLUE, GREEN, RED, after, asked, at, leader, table, tile

SCENE = """
    .   .   r   .   .   .   .   .
    .   K0  k   .   r   G1  r   #
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   .   .
"""


def scene(*hands, **settings):
    return table(SCENE, "E4", *(hands or ("rgk", "rbgk")), **settings)


def refused(state, action, seat=None):
    with pytest.raises(IllegalAction) as caught:
        TIGRIS.decide(state, asked(state) if seat is None else Seat(seat), action, SeededChance(b"", 0))
    assert caught.value.rule in TIGRIS.texts
    return caught.value.reason, caught.value.rule


@pytest.mark.parametrize("space", [Space(-1, 3), Space(11, 0), Space(0, 16), Space(3, -1), Space(99, 99)])
@pytest.mark.parametrize("first", [PlaceTile(RED), PlaceLeader(RED), PlayCatastrophe()])
def test_off_the_board(space, first):
    assert ("OFF_BOARD", "TE-2") == refused(after(scene(), first), ChooseSpace(space))


@pytest.mark.parametrize(
    ("first", "name", "expected"),
    [
        (PlaceTile(RED), "G4", ("SPACE_TAKEN", "TE-20")),
        (PlaceTile(RED), "L5", ("SPACE_TAKEN", "TE-20")),
        (PlaceTile(RED), "F5", ("SPACE_TAKEN", "TE-20")),
        (PlaceTile(GREEN), "G9", ("WRONG_GROUND", "TE-20")),
        (PlaceLeader(RED), "G5", ("SPACE_TAKEN", "TE-10")),
        (PlaceLeader(BLACK), "F5", ("SPACE_TAKEN", "TE-11")),
        (PlaceLeader(RED), "N4", ("WRONG_GROUND", "TE-10")),
        (PlaceLeader(RED), "E7", ("NO_TEMPLE", "TE-10")),
        (PlaceLeader(RED), "H5", ("JOINS_KINGDOMS", "TE-10")),
        (PlayCatastrophe(), "L5", ("CANNOT_BE_STRUCK", "TE-30")),
        (PlayCatastrophe(), "F5", ("CANNOT_BE_STRUCK", "TE-30")),
        (PlayCatastrophe(), "K1", ("CANNOT_BE_STRUCK", "TE-30")),
    ],
)
def test_places_that_will_not_do(first, name, expected):
    assert expected == refused(after(scene("rgkb", "rbgk"), first), ChooseSpace(at(name)))


def test_a_farm_on_land_and_three_kingdoms():
    three = """
        .   .   r   .   .
        .   .   R0  .   .
        r   K0  .   B1  r
    """

    state = after(table(three, "E4"), PlaceTile(RED))

    assert (
        "WRONG_GROUND",
        "TE-20",
    ) == refused(after(table(three, "E4"), PlaceTile(BLUE)), ChooseSpace(at("E4")))
    assert ("JOINS_THREE_KINGDOMS", "TE-20") == refused(state, ChooseSpace(at("G6")))


def test_pieces_one_does_not_have():
    state = scene()

    assert ("TILE_NOT_IN_HAND", "TE-20") == refused(state, PlaceTile(BLUE))
    assert ("LEADER_NOT_ON_BOARD", "TE-13") == refused(state, WithdrawLeader(GREEN))
    assert ("TILE_NOT_IN_HAND", "TE-35") == refused(scene("", "r"), SwapTiles())


def test_catastrophes_run_out():
    state = after(
        scene(), PlayCatastrophe(), ChooseSpace(at("A11")), PlayCatastrophe(), ChooseSpace(at("C11"))
    )
    state = after(state, EndTurn())

    assert ("NO_CATASTROPHE_LEFT", "TE-30") == refused(state, PlayCatastrophe())


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        (DiscardTiles(0, 0, 0, 0), ("NOTHING_TO_SWAP", "TE-35")),
        (DiscardTiles(-1, 0, 1, 1), ("NOTHING_TO_SWAP", "TE-35")),
        (DiscardTiles(0, 1, 0, 0), ("TILE_NOT_IN_HAND", "TE-35")),
        (DiscardTiles(2, 0, 0, 0), ("TILE_NOT_IN_HAND", "TE-35")),
    ],
)
def test_swaps_that_will_not_do(tiles, expected):
    assert expected == refused(after(scene(), SwapTiles()), tiles)


def test_commitments_that_will_not_do():
    war = after(table("K0 r . r K1", "E5", "rkk", "k"), *tile("r", "G5"))
    revolt = after(table("K1 r .", "E5", "rkk", "rk"), *leader("k", "G5"))
    english = after(
        table("K0 r . k r K1", "E5", "rkkk", "k", options=Options(english_variant=True)), *tile("r", "G5")
    )

    assert ("TILE_NOT_IN_HAND", "TE-43") == refused(war, CommitSupport(3))
    assert ("TILE_NOT_IN_HAND", "TE-43") == refused(war, CommitSupport(-1))
    assert ("TILE_NOT_IN_HAND", "TE-40") == refused(revolt, CommitSupport(2))
    assert ("POINTLESS_COMMITMENT", "TE-48") == refused(english, CommitSupport(1))


def test_wars_that_are_not_there():
    drawing = """
        .   K0  .   .   .   K1  .
        G0  r   .   .   .   r   G1
    """
    joined = after(table(drawing, "E4", "rrr", "r"), *tile("r", "G5"), *tile("r", "H5"))
    joined = after(
        table(drawing.replace("r   .   .   .", "r   r   r   ."), "E4", "rrr", "r"), *tile("r", "I5")
    )

    assert ("NO_SUCH_WAR", "TE-41") == refused(joined, ChooseWar(BLUE))


def test_builds_that_are_not_on_offer():
    everything = Options(civilization_buildings=True, wonder=True)
    drawing = """
        k   k   .
        k   .   .
        .   k   .
    """
    building = after(table(drawing, "E4", "k", "k", options=everything), *tile("k", "F5"))
    monument = after(building, DeclineBuild())

    assert ("BUILD_NOT_ON_OFFER", "TE-53") == refused(building, RaiseBuilding(at("E5")))
    assert ("BUILD_NOT_ON_OFFER", "TE-53") == refused(building, RaiseBuilding(Space(50, 50)))
    assert ("BUILD_NOT_ON_OFFER", "TE-51") == refused(monument, BuildMonument(Monument.RED_GREEN, at("E4")))
    assert ("BUILD_NOT_ON_OFFER", "TE-51") == refused(monument, BuildMonument(Monument.RED_BLACK, at("E5")))
    assert ("BUILD_NOT_ON_OFFER", "TE-54") == refused(monument, BuildWonder(at("F5")))


def test_treasures_out_of_order():
    offered = after(table("G0 r* . r* r", "E5", "k", "k"), *tile("k", "G5"))

    assert ("TREASURE_NOT_DUE", "TE-60") == refused(offered, TakeTreasure(at("I5")))
    assert ("TREASURE_NOT_DUE", "TE-60") == refused(offered, TakeTreasure(at("K1")))
    assert ("TREASURE_NOT_DUE", "TE-60") == refused(offered, TakeTreasure(Space(-3, 2)))


def test_acting_for_another_seat_or_in_anothers_decision():
    war = after(table("K0 r . r K1", "E5", "rkk", "k"), *tile("r", "G5"))

    assert ("NOT_YOUR_DECISION", "TE-9") == refused(scene(), EndTurn(), seat=1)
    assert ("NOT_YOUR_DECISION", "TE-9") == refused(scene(), EndTurn(), seat=7)
    assert ("NOT_YOUR_DECISION", "TE-9") == refused(war, CommitSupport(0), seat=1)


def test_the_wrong_kind_of_answer():
    assert ("WRONG_KIND_OF_ACTION", "TE-9") == refused(scene(), CommitSupport(0))
    assert ("WRONG_KIND_OF_ACTION", "TE-20") == refused(after(scene(), PlaceTile(RED)), EndTurn())


def test_a_game_that_is_over():
    state = game("tigris", 0).positions[-1].state

    assert state.ended in EndReason
    assert ("GAME_OVER", "TE-71") == refused(state, EndTurn(), seat=0)


def test_no_room_for_what_is_asked():
    crowded = "\n".join(["#   " * 16] * 11)
    state = table(crowded, "A1", "rb", "r")

    assert ("NO_SPACE_LEFT", "TE-20") == refused(state, PlaceTile(RED))
    assert ("NO_SPACE_LEFT", "TE-10") == refused(state, PlaceLeader(RED))
    assert ("NO_SPACE_LEFT", "TE-30") == refused(state, PlayCatastrophe())


EVERY_SPACE = [*BY_BIT, Space(-1, 0), Space(11, 3)]
OF_A_COLOUR = (PlaceTile, PlaceLeader, WithdrawLeader, ChooseWar, ChooseColour)
OF_A_SPACE = (ChooseSpace, RaiseBuilding, BuildWonder, TakeTreasure)
UNIVERSE = [
    *(
        kind(colour)
        for kind in (PlaceTile, PlaceLeader, WithdrawLeader, ChooseWar, ChooseColour)
        for colour in COLOURS
    ),
    *(kind() for kind in (PlayCatastrophe, SwapTiles, EndTurn, DeclineBuild)),
    *(
        kind(space)
        for kind in (ChooseSpace, RaiseBuilding, BuildWonder, TakeTreasure)
        for space in EVERY_SPACE
    ),
    *(BuildMonument(monument, space) for monument in Monument for space in EVERY_SPACE),
    *(DiscardTiles(*tiles) for tiles in product(range(4), repeat=4)),
    *map(CommitSupport, range(-1, 8)),
]


@pytest.mark.parametrize("number", range(budget(1, 6)))
def test_what_is_listed_is_exactly_what_is_not_refused(number):
    """Tries every possible action at every fifth position of a game."""
    for position in game("tigris", number).positions[::5]:
        for decision in TIGRIS.decisions(position.state):
            listed = set(TIGRIS.legal_actions(position.state, decision.seat))
            accepted = {each for each in UNIVERSE if refusal(position.state, decision.seat, each) is None}
            assert accepted == listed & set(UNIVERSE)
            assert all(refusal(position.state, decision.seat, each) is None for each in listed)
