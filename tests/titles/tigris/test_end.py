"""Tests of the end of a turn and of the game: TE-70 to TE-73."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import Outcome, replay
from gamehost.titles.tigris.rules import TIGRIS
from gamehost.titles.tigris.rules.actions import (
    ChooseColour,
    CommitSupport,
    DiscardTiles,
    EndTurn,
    SwapTiles,
    WithdrawLeader,
)
from gamehost.titles.tigris.rules.events import (
    DrawFailed,
    EndReason,
    GameEnded,
    PointsScored,
    TilesDrawn,
    TurnBegun,
    TurnEnded,
    WonderOffered,
)
from gamehost.titles.tigris.rules.material import Monument
from gamehost.titles.tigris.rules.options import BagExhaustion, Options
from gamehost.titles.tigris.rules.scoring import spheres

from .table import BLACK, GREEN, RED, after, catastrophe, leader, parse, table, tile, told

PLAIN = ". . ."


def kinds(events):
    return [type(event) for event in events]


def test_TE_70_income_then_refill_then_the_next_turn():
    drawing = """
        x   x   K0  r
        x   x   W   .
        .   W   W   W
        .   .   W   .
    """
    state = table(
        drawing,
        "E4",
        "kkkk",
        "kkk",
        "kkkkkk",
        options=Options(wonder=True),
        monuments=((Monument.RED_BLACK, "E4"),),
    )

    events = told(state, EndTurn(), ChooseColour(GREEN))

    assert [TurnEnded, PointsScored, WonderOffered, PointsScored, TilesDrawn, TilesDrawn, TurnBegun] == kinds(
        events
    )
    assert [(0, 2), (1, 3)] == [(one.seat, len(one.tiles)) for one in events if isinstance(one, TilesDrawn)]


def test_TE_70_the_active_player_refills_first_then_clockwise():
    state = table(PLAIN, "E5", "kkk", "kk", "kkkkk", active=1)

    events = told(state, EndTurn())

    assert [1, 2, 0] == [event.seat for event in events if isinstance(event, TilesDrawn)]
    assert TurnBegun(2, 2) == events[-1]


@pytest.mark.parametrize("treasures", [1, 2])
def test_TE_71_one_or_two_treasures_end_the_game(treasures):
    state = table(PLAIN, "E5", "kkkkkk", "kkkkkk")
    board = replace(state.board, treasures=parse("r* " * treasures, "E5", seats=2).treasures)

    ended = after(replace(state, board=board), EndTurn())

    assert EndReason.FEW_TREASURES == ended.ended
    assert () == TIGRIS.decisions(ended)


def test_TE_71_three_treasures_do_not():
    state = table(PLAIN, "E5", "kkkkkk", "kkkkkk")
    board = replace(state.board, treasures=parse("r* r* r*", "E5", seats=2).treasures)

    assert after(replace(state, board=board), EndTurn()).ended is None


def test_TE_71_few_treasures_end_the_game_only_at_the_end_of_the_turn():
    state = table("G0 r* r* .", "E5", "kkkkkk", "kkkkkk")
    board = replace(state.board, treasures=parse("G0 r* r* .", "E5", seats=2).treasures)

    mid_turn = after(replace(state, board=board), *tile("k", "A11"))

    assert mid_turn.ended is None


def test_TE_71_emptying_the_bag_exactly_is_no_failure():
    state = replace(table(PLAIN, "E5", "kkkk", "kkkkkk"), bag=(1, 0, 1, 0))

    ended = after(state, EndTurn())

    assert ended.ended is None
    assert 0 == sum(ended.bag)


def test_TE_71_a_failed_refill_ends_the_game():
    state = replace(table(PLAIN, "E5", "kkkk", "kkkkkk"), bag=(1, 0, 0, 0))

    events = told(state, EndTurn())

    assert [TurnEnded, TilesDrawn, DrawFailed, GameEnded] == kinds(events)
    assert EndReason.BAG_EXHAUSTED == events[-1].reason


def swap_with_empty_bag(rule):
    drawing = """
        x   x   R0  r
        x   x   .   .
    """
    monuments = ((Monument.RED_BLACK, "E5"),)
    state = table(
        drawing, "E5", "kkkkkk", "kkkkkk", options=Options(bag_exhaustion=rule), monuments=monuments
    )
    return replace(state, bag=(0, 0, 1, 0))


def test_TE_71_a_failed_swap_plays_the_turn_out():
    state = swap_with_empty_bag(BagExhaustion.FINISH_TURN)

    swapped = after(state, SwapTiles(), DiscardTiles(0, 0, 0, 2))
    events = told(swapped, EndTurn())

    assert swapped.ended is None
    assert EndReason.BAG_EXHAUSTED == events[-1].reason
    assert [(0, RED)] == [(event.seat, event.colour) for event in events if isinstance(event, PointsScored)]


def test_TE_71_or_ends_the_game_at_once_without_income():
    state = swap_with_empty_bag(BagExhaustion.IMMEDIATE)

    events = told(state, SwapTiles(), DiscardTiles(0, 0, 0, 2))

    assert [DrawFailed, GameEnded] == kinds(events)[-2:]
    assert PointsScored not in kinds(events)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_TE_72_five_quiet_rounds_end_the_game(seats):
    """Counted in turns: the last active one, then five for each seat."""
    state = after(table(PLAIN, "E5", *["kkkkkk"] * seats), *tile("k", "E5"), EndTurn())
    for turn in range(5 * seats - 1):
        state = after(state, EndTurn())
        assert state.ended is None, turn

    state = after(state, EndTurn())

    assert EndReason.STANDSTILL == state.ended


def test_TE_72_the_first_five_rounds_may_be_the_quiet_ones():
    state = replay(TIGRIS, TIGRIS.setup(Options(), 2, SeededChance(b"te-72", 0)))

    for _ in range(9):
        state = after(state, EndTurn())

    assert state.ended is None
    assert EndReason.STANDSTILL == after(state, EndTurn()).ended


def test_TE_72_leaders_alone_do_not_break_the_quiet():
    state = replace(table("K0 r .", "E5", "kkkkkk", "kkkkkk"), turn=11, busy_turn=1)

    moved = after(state, *leader("k", "G5"), WithdrawLeader(BLACK))

    assert EndReason.STANDSTILL == moved.ended


@pytest.mark.parametrize(
    "answers",
    [
        tile("k", "E4"),
        catastrophe("E4"),
        (SwapTiles(), DiscardTiles(0, 0, 0, 1)),
    ],
)
def test_TE_72_a_tile_placed_or_swapped_or_a_catastrophe_does(answers):
    state = replace(table("K0 r .", "E5", "kkkkkk", "kkkkkk"), turn=11, busy_turn=1)

    played = after(state, *answers, EndTurn())

    assert played.ended is None


@pytest.mark.parametrize(("tiles", "ended"), [(0, EndReason.STANDSTILL), (1, None)])
def test_TE_72_a_tile_committed_breaks_the_quiet_and_a_bare_conflict_does_not(tiles, ended):
    state = replace(table("K1 r .", "E5", "rkkkkk", "kkkkkk"), turn=11, busy_turn=1)

    fought = after(state, *leader("k", "G5"), CommitSupport(tiles), CommitSupport(0), EndTurn())

    assert ended == fought.ended


def test_TE_73_treasures_go_to_the_weakest_colour_one_by_one():
    assert (7, 7, 7, 9) == spheres((5, 7, 6, 9), 3)
    assert (3, 3, 3, 3) == spheres((3, 3, 3, 3), 0)


def finished(*rows):
    """Returns a finished state with these points by colour and treasures."""
    state = table(PLAIN, "E5", *("k" for _ in rows))
    return replace(
        state,
        points=tuple(row[:4] for row in rows),
        treasures=tuple(row[4] for row in rows),
        agenda=(),
        ended=EndReason.BAG_EXHAUSTED,
    )


def test_TE_73_example_5_the_final_score():
    """Winner 11, lion 10 10 12, bull 10 10 11 18, archer six and three treasures."""
    pot = (8, 11, 12, 13, 3)
    lion = (10, 7, 12, 14, 3)
    bull = (10, 11, 18, 10, 0)
    archer = (6, 17, 10, 22, 3)

    outcome = TIGRIS.outcome(finished(archer, bull, pot, lion))

    assert Outcome((4, 3, 1, 2), (9, 10, 11, 10), "BAG_EXHAUSTED") == outcome


def test_TE_73_a_complete_tie_is_a_shared_win():
    outcome = TIGRIS.outcome(finished((3, 4, 5, 6, 0), (6, 5, 4, 2, 1), (9, 9, 9, 0, 0)))

    assert (1, 1, 3) == outcome.ranks


def test_the_end_shows_what_everyone_has():
    state = replace(
        table(PLAIN, "E5", "kkkk", "kkkkkk"), bag=(0, 0, 0, 0), points=((1, 2, 3, 4), (5, 6, 7, 8))
    )

    *_, ended = told(state, EndTurn())

    assert [(1, 2, 3, 4), (5, 6, 7, 8)] == [standing.points for standing in ended.standings]
