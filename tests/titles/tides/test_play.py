"""Tests of the course of a game of Tides of Time: TT-1 to TT-9."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamehost.rules.chance import ScriptedChance
from gamehost.rules.kit import IllegalAction, Outcome, Seat, replay
from gamehost.titles.tides.rules import TIDES
from gamehost.titles.tides.rules.actions import ChooseCard, ChooseRelic
from gamehost.titles.tides.rules.events import (
    CardChosen,
    CardsDrawn,
    CardsRevealed,
    GameBegun,
    GameEnded,
    HandReceived,
    RelicChosen,
    RelicsRevealed,
    RoundBegun,
    RoundScored,
)
from gamehost.titles.tides.rules.material import Card
from gamehost.titles.tides.rules.model import Phase
from gamehost.titles.tides.rules.options import Options

from .table import (
    BATHS,
    CITADELS,
    DIVIDE,
    DRAWS,
    EYE,
    FIRST,
    HANDS,
    LIBRARY,
    MAZE,
    MOLEHILL,
    NEST,
    PALACE,
    PASS,
    PILLARS,
    ROUND_ONE,
    SECOND,
    SHACKLES,
    SPRING,
    WELL,
    ZIGGURAT,
    after,
    any_round,
    dealt,
    drafted,
    finished,
    kept,
    lowest_two,
    told,
)


def test_TT_1_five_cards_each_and_eight_in_the_pile():
    events = TIDES.setup(Options(), 2, ScriptedChance(*HANDS))

    state = replay(TIDES, events)

    assert [
        GameBegun(Options()),
        CardsDrawn(FIRST, HANDS[0]),
        CardsDrawn(SECOND, HANDS[1]),
        RoundBegun(1),
    ] == (list(events))
    assert [set(hand) for hand in HANDS] == [seat.hand for seat in state.seats]
    assert set(Card) - {*HANDS[0], *HANDS[1]} == state.pile


@pytest.mark.parametrize("seats", [1, 3])
def test_TT_1_the_game_is_for_two(seats):
    with pytest.raises(ValueError, match="2 players"):
        TIDES.setup(Options(), seats, ScriptedChance())


def test_TT_2_both_are_asked_at_once():
    assert [("draft.1.1.0", FIRST, (ChooseCard,)), ("draft.1.1.1", SECOND, (ChooseCard,))] == [
        (decision.id, decision.seat, decision.kinds) for decision in TIDES.decisions(dealt())
    ]


@pytest.mark.parametrize("order", [(FIRST, SECOND), (SECOND, FIRST)])
def test_TT_2_cards_are_revealed_together_and_hands_exchanged(order):
    choices = {FIRST: NEST, SECOND: CITADELS}
    one, two = order
    state = after(dealt(), one, ChooseCard(choices[one]))

    events = told(state, two, ChooseCard(choices[two]))

    assert [
        CardChosen(two, choices[two]),
        CardsRevealed((NEST, CITADELS)),
        HandReceived(FIRST, (ZIGGURAT, BATHS, MAZE, EYE)),
        HandReceived(SECOND, (DIVIDE, PALACE, LIBRARY, WELL)),
    ] == events


def test_TT_2_a_choice_alone_reveals_nothing():
    events = told(dealt(), FIRST, ChooseCard(NEST))

    assert [CardChosen(FIRST, NEST)] == events


def test_TT_2_the_last_card_of_a_hand_is_played_without_being_asked_for():
    state = after(drafted(dealt(), *ROUND_ONE[:3]), FIRST, ChooseCard(MAZE))

    chosen, revealed, *received, last, scored = told(state, SECOND, ChooseCard(LIBRARY))

    assert (CardChosen(SECOND, LIBRARY), CardsRevealed((MAZE, LIBRARY))) == (chosen, revealed)
    assert [HandReceived(FIRST, (WELL,)), HandReceived(SECOND, (EYE,))] == received
    assert CardsRevealed((WELL, EYE)) == last
    assert isinstance(scored, RoundScored)


def test_TT_2_each_pick_is_asked_under_its_own_id():
    state, asked = dealt(), []
    for pair in ROUND_ONE:
        asked += [decision.id for decision in TIDES.decisions(state)]
        state = drafted(state, pair)

    assert [f"draft.1.{pick}.{seat}" for pick in (1, 2, 3, 4) for seat in (0, 1)] == asked


def test_TT_2_a_card_must_be_in_the_hand():
    with pytest.raises(IllegalAction, match="CARD_NOT_IN_HAND") as refused:
        told(dealt(), FIRST, ChooseCard(EYE))

    assert ("TT-2", "The Eye of the North is not in your hand") == (refused.value.rule, refused.value.detail)


def test_TT_2_no_relic_is_chosen_during_the_draft():
    with pytest.raises(IllegalAction, match="WRONG_KIND_OF_ACTION") as refused:
        told(dealt(), FIRST, ChooseRelic(NEST, DIVIDE))

    assert "TT-2" == refused.value.rule


@pytest.mark.parametrize("again", [ChooseCard(NEST), ChooseCard(DIVIDE), ChooseCard(EYE)])
def test_TT_4_a_choice_is_final(again):
    state = after(dealt(), FIRST, ChooseCard(NEST))

    with pytest.raises(IllegalAction, match="NOT_YOUR_DECISION") as refused:
        told(state, FIRST, again)

    assert "TT-4" == refused.value.rule
    assert [] == list(TIDES.legal_actions(state, FIRST))


def test_TT_4_a_relic_choice_is_final():
    state = drafted(dealt(), *ROUND_ONE)
    chosen = after(state, SECOND, lowest_two(state, SECOND))

    with pytest.raises(IllegalAction, match="NOT_YOUR_DECISION") as refused:
        told(chosen, SECOND, lowest_two(state, SECOND))

    assert "TT-4" == refused.value.rule


def test_TT_1_there_is_no_third_seat():
    with pytest.raises(IllegalAction, match="NOT_YOUR_DECISION") as refused:
        told(dealt(), Seat(2), ChooseCard(NEST))

    assert "TT-1" == refused.value.rule


def test_TT_5_both_kingdoms_score_after_the_last_reveal():
    state = drafted(dealt(), *ROUND_ONE)

    (scored,) = state.scored

    points = [{each.card: each.points for each in score.cards} for score in scored.scores]
    assert {NEST: 0, ZIGGURAT: 7, PALACE: 3, MAZE: 0, WELL: 0} == points[0]
    assert {CITADELS: 3, DIVIDE: 7, BATHS: 3, LIBRARY: 0, EYE: 3} == points[1]
    assert (1, [10, 16]) == (scored.round, [score.points for score in scored.scores])


def test_TT_5_points_add_up_over_three_rounds():
    state = finished()

    rounds = [[score.points for score in scored.scores] for scored in state.scored]

    assert 3 == len(rounds)
    assert tuple(map(sum, zip(*rounds, strict=True))) == TIDES.outcome(state).scores
    assert [tuple(points) for points in zip(*rounds, strict=True)] == [
        seat.round_points for seat in TIDES.view(state, None).seats
    ]


def test_TT_6_each_chooses_a_relic_and_a_card_to_remove():
    state = drafted(dealt(), *ROUND_ONE)

    listed = list(TIDES.legal_actions(state, FIRST))

    played = (NEST, ZIGGURAT, PALACE, MAZE, WELL)
    assert {ChooseRelic(a, b) for a in played for b in played if a != b} == set(listed)
    assert 20 == len(listed)
    assert ["relic.1.0", "relic.1.1"] == [decision.id for decision in TIDES.decisions(state)]


def test_TT_6_relics_are_revealed_together_and_two_cards_drawn_by_seat_0_first():
    state = after(drafted(dealt(), *ROUND_ONE), SECOND, ChooseRelic(EYE, LIBRARY))

    events = told(state, FIRST, ChooseRelic(NEST, MAZE), (SHACKLES, PASS), (SPRING, PILLARS))

    assert [
        RelicChosen(FIRST, NEST, MAZE),
        RelicsRevealed((NEST, EYE), (MAZE, LIBRARY)),
        CardsDrawn(FIRST, (SHACKLES, PASS)),
        CardsDrawn(SECOND, (SPRING, PILLARS)),
        RoundBegun(2),
    ] == events


def test_TT_6_the_other_three_go_back_to_the_hand():
    state = kept(drafted(dealt(), *ROUND_ONE), ChooseRelic(NEST, MAZE), ChooseRelic(EYE, LIBRARY), DRAWS[0])

    assert [{ZIGGURAT, PALACE, WELL, SHACKLES, PASS}, {CITADELS, DIVIDE, BATHS, SPRING, PILLARS}] == [
        seat.hand for seat in state.seats
    ]
    assert [((NEST,), ()), ((EYE,), ())] == [(seat.relics, seat.played) for seat in state.seats]
    assert (MAZE, LIBRARY) == state.removed


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (ChooseRelic(NEST, NEST), "SAME_CARD_TWICE"),
        (ChooseRelic(EYE, NEST), "CARD_NOT_PLAYED"),
        (ChooseRelic(NEST, MOLEHILL), "CARD_NOT_PLAYED"),
        (ChooseCard(NEST), "WRONG_KIND_OF_ACTION"),
    ],
)
def test_TT_6_bad_choices_are_refused(action, reason):
    with pytest.raises(IllegalAction) as refused:
        told(drafted(dealt(), *ROUND_ONE), FIRST, action)

    assert (reason, "TT-6") == (refused.value.reason, refused.value.rule)


@pytest.mark.parametrize("other_way", [False, True])
def test_TT_7_a_relic_is_never_removed_or_chosen_again(other_way):
    state = any_round(
        kept(drafted(dealt(), *ROUND_ONE), ChooseRelic(NEST, MAZE), ChooseRelic(EYE, LIBRARY), DRAWS[0])
    )
    pair = (NEST, state.seats[0].played[0])

    with pytest.raises(IllegalAction, match="RELIC_STAYS") as refused:
        told(state, FIRST, ChooseRelic(*(reversed(pair) if other_way else pair)))

    assert "TT-7" == refused.value.rule


def test_TT_7_a_relic_keeps_its_suit_and_ability():
    state = any_round(
        kept(drafted(dealt(), *ROUND_ONE), ChooseRelic(PALACE, MAZE), ChooseRelic(EYE, CITADELS), DRAWS[0])
    )

    ours = state.scored[1].scores[0]

    assert PALACE == ours.cards[0].card
    libraries = sum(card in (LIBRARY, WELL, CITADELS) for card in state.seats[0].kingdom)
    assert 0 < libraries
    assert 3 * libraries == ours.cards[0].points


def test_TT_6_kingdoms_of_five_six_and_seven_score():
    assert [5, 6, 7] == [len(scored.scores[0].cards) for scored in finished().scored]


def test_TT_8_the_game_ends_after_round_3():
    state = finished()

    with pytest.raises(IllegalAction, match="GAME_OVER") as refused:
        told(state, FIRST, ChooseCard(NEST))

    assert "TT-8" == refused.value.rule
    assert (Phase.FINISHED, 3, []) == (state.phase, state.round, list(TIDES.decisions(state)))


@pytest.mark.parametrize(
    ("points", "ranks"),
    [((3, 2), (1, 2)), ((2, 3), (2, 1)), ((3, 3), (1, 1))],
    ids=["first", "second", "shared"],
)
def test_TT_8_most_points_win_and_equal_totals_share(points, ranks):
    """Both rows give seat 0 King's Nest: it does not break this tie."""
    state = finished()
    last = state.scored[-1]
    scores = tuple(replace(score, points=each) for score, each in zip(last.scores, points, strict=True))
    end = replace(state, scored=(replace(last, scores=scores),))

    assert any(NEST in seat.kingdom for seat in end.seats)
    assert Outcome(ranks, points, "ROUNDS_PLAYED") == TIDES.outcome(end)


def test_TT_9_the_pile_is_empty_before_round_3_and_four_cards_end_out_of_the_game():
    state, piles = any_round(dealt()), [8]
    for draws in DRAWS:
        state = kept(state, lowest_two(state, FIRST), lowest_two(state, SECOND), draws)
        piles.append(len(state.pile))
        state = any_round(state)

    assert [8, 4, 0] == piles
    assert 4 == len(state.removed)
    assert set(Card) - {*state.removed} == {card for seat in state.seats for card in seat.kingdom}


def test_TT_8_the_end_is_told_with_the_totals():
    state = any_round(dealt())
    for draws in DRAWS:
        state = any_round(before := kept(state, lowest_two(state, FIRST), lowest_two(state, SECOND), draws))
    for _ in range(3):
        before = drafted(before, (min(before.seats[0].hand), min(before.seats[1].hand)))
    before = after(before, FIRST, ChooseCard(min(before.seats[0].hand)))

    *_, end = told(before, SECOND, ChooseCard(min(before.seats[1].hand)))

    assert GameEnded(TIDES.outcome(state).scores) == end
