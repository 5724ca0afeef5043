"""Tests of new rounds, the end and the final scoring: SA-40 to SA-44."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamehost.titles.stone_age.rules import STONE_AGE
from gamehost.titles.stone_age.rules.actions import PlacePeople, ResolvePlace
from gamehost.titles.stone_age.rules.events import (
    CardRevealed,
    CardSlid,
    FinalScore,
    GameEnded,
    PeopleFed,
    RoundBegun,
    SeatScored,
    TurnBegun,
)
from gamehost.titles.stone_age.rules.goods import Resources
from gamehost.titles.stone_age.rules.material import DECK, TILES, Card, EndReason, Phase, Place, TieBreak
from gamehost.titles.stone_age.rules.model import Placing, Player, Resolving
from gamehost.titles.stone_age.rules.options import Options
from gamehost.titles.stone_age.rules.scoring import final_score

from .table import A, B, C, D, after, asked, legal, picture, refused, table, told, tools

FED = Player(food=50)


def last_place(cards="FARMER_2 MUSIC_1 ART_1 TIME_2", *, player=FED, other=FED, **more):
    """Returns a state in which B, who acts last, has only the field left before the round ends."""
    return table(
        f"field  B\ncards  {cards}",
        seats=2,
        players={A: other, B: player},
        agenda=(Resolving(B),),
        **more,
    )


END = ResolvePlace(Place.FIELD)


def of_kinds(events, *kinds):
    return [event for event in events if isinstance(event, kinds)]


def test_SA_40_cards_slide_right_and_new_ones_fill_right_to_left():
    """Slots 2 and 3 were sold: slot 1 stays, slot 4's card moves to slot 2, new cards in 3 and 4."""
    state = last_place("FARMER_2 - - TIME_2")

    events = told(state, B, END, (Card.SHAMAN_1, Card.SHAMAN_2))
    state = after(state, B, END, (Card.SHAMAN_1, Card.SHAMAN_2))

    assert [
        CardSlid(Card.FARMER_2, from_slot=4, to_slot=2),
        CardRevealed(3, Card.SHAMAN_1),
        CardRevealed(4, Card.SHAMAN_2),
    ] == of_kinds(events, CardSlid, CardRevealed)
    expected = table("cards  SHAMAN_2 SHAMAN_1 FARMER_2 TIME_2", seats=2)
    assert picture(expected) == picture(state)


def test_SA_40_nothing_sold_nothing_moves():
    events = told(last_place(), B, END)

    assert [] == of_kinds(events, CardSlid, CardRevealed)


def test_SA_40_the_order_of_the_cards_is_kept():
    state = last_place("FARMER_2 MUSIC_1 ART_1 -")

    state = after(state, B, END, (Card.SHAMAN_1,))

    assert (Card.ART_1, Card.MUSIC_1, Card.FARMER_2, Card.SHAMAN_1) == state.market.display


@pytest.mark.parametrize(("before", "expected"), [(A, B), (B, A)])
def test_SA_40_the_start_player_moves_to_the_left(before, expected):
    state = table("field  A", seats=2, players={A: FED, B: FED}, start_player=before)
    if before == A:
        state = last_place()

    events = told(state, *((B, END) if before == A else (A, END)))

    assert [RoundBegun(2, expected), TurnBegun(expected, Phase.PLACING)] == events[-2:]


@pytest.mark.parametrize(("last", "before", "expected"), [(C, A, B), (A, B, C), (B, C, A)])
def test_SA_40_to_the_left_is_clockwise(last, before, expected):
    letter = "ABC"[last]
    state = table(
        f"field  {letter}",
        seats=3,
        players=dict.fromkeys((A, B, C), FED),
        agenda=(Resolving(last),),
        start_player=before,
    )

    assert RoundBegun(2, expected) in told(state, last, END)


def test_SA_40_tools_are_ready_again():
    busy = replace(FED, tools=tools(2, 1, used=[0, 1]))
    state = last_place(player=busy, other=busy)

    assert [tools(2, 1)] * 2 == [player.tools for player in after(state, B, END).players]


def test_SA_40_no_refill_during_a_round():
    state = table("hut  AA\nfield  A\ntool maker  A\ncards  FARMER_2 - MUSIC_1 -")

    assert [None, None] == [after(state, A, END).market.display[at] for at in (0, 2)]


def test_SA_41_a_the_deck_cannot_fill_every_slot():
    state = last_place("FARMER_2 - - TIME_2", deck=[Card.SHAMAN_1])

    *_, fed, _, _, ended = told(state, B, END)

    assert PeopleFed(B, 5, Resources()) == fed
    assert GameEnded(EndReason.DECK_EXHAUSTED) == ended
    assert "DECK_EXHAUSTED" == STONE_AGE.outcome(after(state, B, END)).reason


def test_SA_41_a_the_last_cards_may_just_do():
    state = last_place("FARMER_2 - - TIME_2", deck=[Card.SHAMAN_1, Card.SHAMAN_2])

    state = after(state, B, END, (Card.SHAMAN_1, Card.SHAMAN_2))

    assert Placing(B) == asked(state)
    assert frozenset() == state.market.deck


def test_SA_41_a_nothing_free_nothing_to_fill():
    state = after(last_place(deck=[]), B, END)

    assert Placing(B) == asked(state)


def test_SA_41_b_an_empty_stack_ends_the_game_after_feeding():
    state = table(
        "field  B\ntiles  - FREE_1", seats=2, players={A: FED, B: FED}, agenda=(Resolving(B),), stacks=(0, 3)
    )

    events = told(state, B, END)

    assert 2 == len(of_kinds(events, PeopleFed))
    assert GameEnded(EndReason.STACK_EMPTIED) == events[-1]


def test_SA_41_b_a_last_tile_that_is_still_open_does_not_end_the_game():
    state = last_place(stacks=(0, 3))

    assert Placing(B) == asked(after(state, B, END))


def test_SA_42_the_last_round():
    options = Options(max_rounds=7)

    assert GameEnded(EndReason.ROUNDS_PLAYED) == told(last_place(options=options, round=7), B, END)[-1]
    assert RoundBegun(7, B) in told(last_place(options=options, round=6), B, END)


def test_SA_42_fifty_rounds_unless_chosen_otherwise():
    assert 50 == Options().max_rounds
    assert GameEnded(EndReason.ROUNDS_PLAYED) == told(last_place(round=50), B, END)[-1]


def test_after_the_end_nobody_is_asked():
    state = after(last_place(round=50), B, END)

    assert () == STONE_AGE.decisions(state)
    assert [] == legal(state, A)
    assert ("GAME_OVER", "SA-41") == refused(state, A, PlacePeople(Place.HUNTING, 1))


def test_before_the_end_there_is_no_outcome():
    assert STONE_AGE.outcome(last_place()) is None


def cards(*names):
    return tuple(Card[name] for name in names)


FIVE_CULTURES = cards("WRITING_1", "MEDICINE_1", "POTTERY_1", "ART_1", "MUSIC_1")


@pytest.mark.parametrize(
    ("owned", "points"),
    [
        (FIVE_CULTURES, 25),
        (FIVE_CULTURES + cards("WRITING_2", "ART_2"), 29),
        (cards("ART_1"), 1),
        (DECK[:16], 128),
        ((), 0),
    ],
)
def test_SA_43_cultures_are_squared_and_duplicates_again(owned, points):
    assert points == final_score(Player(cards=owned)).cultures


def test_SA_43_worked_examples():
    """5 farmers x 7, 3 toolmakers x 7, 7 hut builders x 6, 3 shamans x 8."""
    owned = cards("FARMER_3", "FARMER_4", "FARMER_5")
    owned += cards("TOOLMAKER_1", "TOOLMAKER_3")
    owned += cards("HUT_BUILDER_3", "HUT_BUILDER_4", "HUT_BUILDER_5")
    owned += cards("SHAMAN_1", "SHAMAN_4")
    civilization = Player(people=8, food_track=7, tools=tools(3, 2, 2), tiles=TILES[:6], cards=owned)

    score = final_score(civilization)

    assert (35, 21, 42, 24) == (score.farmers, score.toolmakers, score.hut_builders, score.shamans)
    assert 35 + 21 + 42 + 24 == score.total


def test_SA_43_one_use_tools_are_no_tools_of_toolmakers():
    player = Player(tools=tools(2), one_use_tools=frozenset({3, 4}), cards=cards("TOOLMAKER_3"))

    assert 2 * 2 == final_score(player).toolmakers


def test_SA_43_every_source_of_points():
    player = Player(
        food=40,
        resources=Resources(1, 2, 3, 4),
        one_use_tools=frozenset({2, 3}),
        any_two=True,
        cards=cards("MUSIC_1"),
        drawn=cards("MUSIC_2"),
        tile_points=31,
        card_points=3,
        hunger=20,
    )

    assert FinalScore(
        tiles=31,
        cards=3,
        hunger=20,
        cultures=2,
        farmers=0,
        toolmakers=0,
        hut_builders=0,
        shamans=0,
        resources=10,
        any_two=2,
        total=31 + 3 - 20 + 2 + 10 + 2,
    ) == final_score(player)


def test_SA_43_drawn_cards_are_shown_in_the_final_scoring():
    player = replace(FED, drawn=cards("MUSIC_2"))
    state = last_place(player=player, round=50)

    events = told(state, B, END)
    state = after(state, B, END)

    assert [(), cards("MUSIC_2")] == [event.drawn for event in of_kinds(events, SeatScored)]
    assert cards("MUSIC_2") == STONE_AGE.view(state, A).players[B].drawn
    assert (0, 1) == STONE_AGE.outcome(state).scores


def ended(mode, *players):
    rows = dict(zip((A, B, C, D), players, strict=False))
    state = table(seats=len(players), players=rows, agenda=(), options=Options(tie_break=mode))
    return STONE_AGE.outcome(replace(state, ended=EndReason.STACK_EMPTIED))


@pytest.mark.parametrize(
    ("first", "second", "sequence", "summed"),
    [
        (Player(food_track=3), Player(food_track=2), (1, 2), (1, 2)),
        (Player(food_track=3), Player(food_track=2, tools=tools(1)), (1, 2), (1, 1)),
        (Player(food_track=3), Player(food_track=2, tools=tools(2)), (1, 2), (2, 1)),
        (Player(tools=tools(1)), Player(people=7), (1, 2), (2, 1)),
        (Player(people=6), Player(people=7), (2, 1), (2, 1)),
        (Player(food_track=2, food=9), Player(food_track=2), (1, 1), (1, 1)),
        (Player(card_points=1), Player(food_track=9), (1, 2), (1, 2)),
    ],
)
def test_SA_44_ties_in_both_modes(first, second, sequence, summed):
    assert sequence == ended(TieBreak.SEQUENCE, first, second).ranks
    assert summed == ended(TieBreak.SUM, first, second).ranks


def test_SA_44_a_shared_place_is_followed_by_a_gap():
    assert (1, 1, 4, 3) == ended(
        TieBreak.SEQUENCE, Player(card_points=6), Player(card_points=6), Player(), Player(card_points=3)
    ).ranks


def test_SA_44_the_sequence_is_the_default():
    assert TieBreak.SEQUENCE is Options().tie_break
