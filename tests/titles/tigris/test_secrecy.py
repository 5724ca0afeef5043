"""Tests of what each seat knows, and of imagined worlds."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from gamehost.api.openapi.comments import comments
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import Hidden, Seat
from gamehost.titles.tigris.rules import TIGRIS
from gamehost.titles.tigris.rules.actions import CommitSupport, DiscardTiles, PlaceTile, SwapTiles
from gamehost.titles.tigris.rules.events import EndReason, GameBegun, TilesDrawn, TilesSwapped
from gamehost.titles.tigris.rules.material import TILES, Monument
from gamehost.titles.tigris.rules.model import ConflictTotals, KingdomLeader
from gamehost.titles.tigris.rules.options import Options
from gamehost.titles.tigris.rules.phases import ConflictKind
from gamehost.titles.tigris.rules.spaces import START_TEMPLES
from rules.playouts import game

from .table import BLACK, BLUE, GREEN, RED, after, at, leader, table, tile

SCENE = """
    .   .   r   .   .   .   .
    .   K0  k   k   R1  r*  .
    .   .   .   .   .   .   .
"""


def scene(**settings):
    state = table(SCENE, "E4", "rrbgkk", "bbbbbb", "gggggg", **settings)
    return replace(state, points=((1, 2, 3, 4), (5, 6, 7, 8), (9, 9, 9, 9)), treasures=(1, 2, 3))


def test_TE_80_hands_points_treasures_and_the_bag_are_hidden():
    view = TIGRIS.view(scene(), Seat(0))

    assert (RED, RED, BLUE, GREEN, BLACK, BLACK) == view.players[0].hand
    assert (1, 2, 3, 4) == view.players[0].points
    assert 1 == view.players[0].treasures
    assert Hidden(6) == view.players[1].hand
    assert Hidden(4) == view.players[1].points
    assert Hidden() == view.players[1].treasures
    assert Hidden() == view.bag


def test_a_spectator_sees_no_hand_and_no_points():
    view = TIGRIS.view(scene(), None)

    assert all(isinstance(player.hand, Hidden) for player in view.players)
    assert all(isinstance(player.points, Hidden) for player in view.players)


def test_TE_80_open_information_shows_points_treasures_and_the_bags_count_but_no_hands():
    state = scene(options=Options(open_information=True))

    view = TIGRIS.view(state, Seat(0))

    assert (5, 6, 7, 8) == view.players[1].points
    assert 3 == view.players[2].treasures
    assert sum(state.bag) == view.bag
    assert Hidden(6) == view.players[1].hand


def bag_counted(view):
    """Computes the number of tiles in the bag from one view."""
    others = [player for seat, player in enumerate(view.players) if seat != view.seat]
    return sum(view.unseen) - sum(player.hand.count + player.swapped.count for player in others)


def bag_followed(events):
    """Computes the number of tiles in the bag from the public events since the start."""
    began = next(event for event in events if isinstance(event, GameBegun))
    drawn = [event.tiles for event in events if isinstance(event, TilesDrawn)]
    temples = START_TEMPLES[began.options.board].bit_count()
    return sum(TILES) - temples - sum(tiles.count for tiles in drawn)


@pytest.mark.parametrize("number", range(4))
def test_TE_80_whoever_counts_knows_how_many_tiles_the_bag_holds(number):
    """If these counts were hidden, the text of the rule and the contract would have to say so."""
    played = game("tigris", number)
    for position in played.positions[::7]:
        for viewer in played.viewers:
            assert sum(position.state.bag) == bag_counted(TIGRIS.view(position.state, viewer))
        assert sum(position.state.bag) == bag_followed(played.seen(TIGRIS, position, None))


def test_TE_80_what_is_published_says_that_the_bags_count_is_public():
    """The rule's text, the option's meaning and the contract agree with the view."""
    told = comments()
    meanings = {each.name: each.metadata["meaning"] for each in fields(Options)}

    assert "anyone may work out how many tiles the bag holds" in TIGRIS.texts["TE-80"]
    assert "the bag's count, which anyone can work out" in meanings["open_information"]
    assert "It is not secret (rule TE-80)" in told["shedu.tigris.v1.View.bag"]
    assert "(rule TE-80)" in told["shedu.tigris.v1.View.unseen"]
    assert "can still be derived from public information" in told["shedu.tigris.v1.Options.open_information"]


def test_the_screens_are_lowered_at_the_end():
    view = TIGRIS.view(replace(scene(), ended=EndReason.STANDSTILL, agenda=()), Seat(0))

    assert (5, 6, 7, 8) == view.players[1].points
    assert Hidden(6) == view.players[1].hand
    assert () == view.tile_targets


@pytest.mark.parametrize("event", [TilesDrawn(Seat(1), (RED, RED)), TilesSwapped(Seat(1), (RED, RED))])
def test_drawn_and_swapped_tiles_are_seen_by_their_owner_alone(event):
    assert event == TIGRIS.witness(event, Seat(1))
    assert replace(event, tiles=Hidden(2)) == TIGRIS.witness(event, Seat(0)) == TIGRIS.witness(event, None)


def test_the_view_tells_of_kingdoms_leaders_and_strengths():
    view = TIGRIS.view(scene(), Seat(2))

    (kingdom,) = view.kingdoms

    assert {"G4", "F5", "G5", "H5", "I5", "J5"} == {space.name for space in kingdom.spaces}
    assert (
        KingdomLeader(Seat(0), BLACK, at("F5"), supporters=2, temples=0),
        KingdomLeader(Seat(1), RED, at("I5"), supporters=2, temples=1),
    ) == kingdom.leaders
    assert (at("J5"),) == kingdom.treasures


def test_the_view_tells_of_monuments_and_buildings_in_a_kingdom():
    drawing = """
        x   x   K0  r
        x   x   k^  .
    """
    state = table(drawing, "E4", "k", "k", monuments=((Monument.RED_BLUE, "E4"),))

    view = TIGRIS.view(state, None)

    assert ((Monument.RED_BLUE,), (BLACK,), False) == (
        view.kingdoms[0].monuments,
        view.kingdoms[0].buildings,
        view.kingdoms[0].wonder,
    )
    assert 5 == len(view.board.unused_monuments)


def test_the_view_tells_where_pieces_could_go():
    state = scene()
    listed = {action.space for action in TIGRIS.legal_actions(after(state, PlaceTile(RED)), Seat(0))}

    view = TIGRIS.view(state, Seat(0))

    assert [RED, BLUE, GREEN, BLACK] == [targets.colour for targets in view.tile_targets]
    assert listed == set(view.tile_targets[0].spaces)
    assert [RED, BLUE, GREEN, BLACK] == [targets.leader for targets in view.leader_targets]
    assert at("K5") in view.leader_targets[RED].spaces


def test_the_view_tells_the_totals_while_committing():
    state = after(table("K1 r .", "E5", "rrk", "rk"), *leader("k", "G5"), CommitSupport(2))

    view = TIGRIS.view(state, None)

    assert ConflictTotals(ConflictKind.REVOLT, BLACK, RED, Seat(0), Seat(1), 3, 1, Seat(0)) == view.conflict


def imagined(state, seat):
    return [
        TIGRIS.imagine(TIGRIS.view(state, seat), SeededChance(b"imagine", number)) for number in range(20)
    ]


def test_what_one_swapped_away_is_nowhere_else_in_an_imagined_world():
    """All farms but the board's are in the own discards: no world has one in a hand or in the bag."""
    state = table(SCENE, "E4", "bbbbbb", "kkkkkk")
    state = after(state, SwapTiles(), DiscardTiles(0, 6, 0, 0))
    state = replace(state, hands=((0, 0, 3, 3), (0, 0, 3, 3)), bag=(40, 0, 20, 20), removed=(0, 30, 0, 0))

    for world in imagined(state, Seat(0)):
        assert (0, 6, 0, 0) == world.swapped[0]
        assert 0 == world.bag[BLUE] == world.hands[1][BLUE]


def test_what_others_swapped_away_stays_unseen():
    state = table(SCENE, "E4", "kkkkkk", "bbbbbb", active=1)
    before = TIGRIS.view(state, Seat(0)).unseen

    swapped = after(state, SwapTiles(), DiscardTiles(0, 6, 0, 0))

    assert before == TIGRIS.view(swapped, Seat(0)).unseen
    assert Hidden(6) == TIGRIS.view(swapped, Seat(0)).players[1].swapped
    for world in imagined(swapped, Seat(0)):
        assert (swapped.removed, 6) == (world.removed, sum(world.swapped[1]))
        assert sum(swapped.bag) == sum(world.bag)


def test_tiles_seen_to_leave_are_out_of_every_imagined_world():
    state = after(table("G0 r . r G1", "E5", "kgggrr", "ggrrrr"), *tile("k", "G5"))
    state = after(state, CommitSupport(3), CommitSupport(2))

    for world in imagined(state, Seat(0)):
        assert state.removed == world.removed


def test_a_tile_announced_is_in_the_hand_of_every_imagined_world():
    state = after(table(SCENE, "E4", "gkkkkk", "rrrrrr"), PlaceTile(GREEN))

    for world in imagined(state, Seat(1)):
        assert world.hands[0][GREEN] >= 1


def test_treasures_are_neither_lost_nor_made_in_an_imagined_world():
    state = replace(scene(), treasures=(1, 0, 2))
    board = replace(state.board, treasures=state.board.treasures & ~sum_of_lowest(state.board.treasures, 3))
    state = replace(state, board=board)

    for world in imagined(state, Seat(0)):
        assert 1 == world.treasures[0]
        assert 10 == sum(world.treasures) + world.board.treasures.bit_count()


def sum_of_lowest(mask, count):
    taken = 0
    for _ in range(count):
        taken |= (mask & ~taken) & -(mask & ~taken)
    return taken


def test_a_failed_draw_tells_everyone_that_the_bag_is_empty():
    state = replace(scene(), bag=(0, 0, 1, 0))

    failed = after(state, SwapTiles(), DiscardTiles(2, 0, 0, 0))

    assert all(sum(world.bag) == 0 for world in imagined(failed, Seat(1)))


def test_all_tiles_are_somewhere_in_every_imagined_world():
    for world in imagined(scene(), Seat(1)):
        rows = (world.bag, world.removed, *world.hands, *world.swapped)
        boards = tuple(tiles.bit_count() for tiles in world.board.tiles)
        assert TILES == tuple(map(sum, zip(*rows, boards, strict=True)))
