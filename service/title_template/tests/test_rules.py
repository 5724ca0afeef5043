"""Every rule of Example Title by its id."""

from __future__ import annotations

import pytest
from gamehost.titles.example_title.rules import EXAMPLE_TITLE
from gamehost.titles.example_title.rules.actions import ChooseCard
from gamehost.titles.example_title.rules.events import CardChosen, CardsRevealed, GameEnded
from gamehost.titles.example_title.rules.material import DECK, Card
from gamehost.titles.example_title.rules.model import State
from gamehost.titles.example_title.rules.options import Options

from gamehost.rules.chance import ScriptedChance
from gamehost.rules.kit import Hidden, IllegalAction, Seat, replay

ANN, BOB = Seat(0), Seat(1)
ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT = list(Card)[:8]
HANDS = ((ONE, THREE, FIVE), (TWO, FOUR, SIX))


def dealt(options: Options | None = None) -> State:
    return replay(EXAMPLE_TITLE, EXAMPLE_TITLE.setup(options or Options(), 2, ScriptedChance(*HANDS)))


def played(state: State, ann: Card, bob: Card, *luck: tuple[Card, ...]) -> State:
    for seat, card, drawn in ((ANN, ann, ()), (BOB, bob, luck)):
        events = EXAMPLE_TITLE.decide(state, seat, ChooseCard(card), ScriptedChance(*drawn))
        state = replay(EXAMPLE_TITLE, events, state)
    return state


def test_xt_1_everyone_draws_three_cards() -> None:
    """XT-1."""
    state = dealt()

    assert [frozenset(hand) for hand in HANDS] == [seat.hand for seat in state.seats]
    assert DECK - {*HANDS[0], *HANDS[1]} == state.deck


def test_a_choice_is_secret_until_all_have_chosen() -> None:
    """XT-2."""
    events = EXAMPLE_TITLE.decide(dealt(), ANN, ChooseCard(FIVE), ScriptedChance())

    assert [CardChosen(ANN, FIVE)] == list(events)
    assert CardChosen(ANN, Hidden()) == EXAMPLE_TITLE.witness(events[0], BOB)


def test_only_a_card_of_the_hand_can_be_chosen() -> None:
    """XT-2."""
    with pytest.raises(IllegalAction, match="CARD_NOT_IN_HAND"):
        EXAMPLE_TITLE.decide(dealt(), ANN, ChooseCard(TWO), ScriptedChance())


@pytest.mark.parametrize(("lowest_wins", "points"), [(False, [0, 1]), (True, [1, 0])])
def test_the_highest_card_takes_the_point_or_the_lowest(lowest_wins: bool, points: list[int]) -> None:
    """XT-3."""
    state = played(dealt(Options(lowest_wins)), FIVE, SIX, (SEVEN,), (EIGHT,))

    assert points == [seat.points for seat in state.seats]


def test_everyone_draws_a_card_while_there_are_enough() -> None:
    """XT-4."""
    state = played(dealt(), FIVE, SIX, (SEVEN,), (EIGHT,))

    assert {ONE, THREE, SEVEN} == state.seats[ANN].hand
    assert {TWO, FOUR, EIGHT} == state.seats[BOB].hand


def test_the_game_ends_with_the_last_cards() -> None:
    """XT-5."""
    state = dealt()
    while not EXAMPLE_TITLE.outcome(state):
        ann, bob = (min(seat.hand) for seat in state.seats)
        rest = sorted(state.deck)
        state = played(state, ann, bob, *((card,) for card in rest[:2]))

    outcome = EXAMPLE_TITLE.outcome(state)
    assert outcome is not None
    assert (0, 8) == outcome.scores
    assert (2, 1) == outcome.ranks


def test_what_happens_at_the_end() -> None:
    """XT-5."""
    last = State(seats=(dealt().seats[ANN], dealt().seats[BOB]), deck=frozenset())
    for ann, bob in ((ONE, TWO), (THREE, FOUR)):
        last = played(last, ann, bob)
    waiting = replay(EXAMPLE_TITLE, EXAMPLE_TITLE.decide(last, ANN, ChooseCard(FIVE), ScriptedChance()), last)

    events = EXAMPLE_TITLE.decide(waiting, BOB, ChooseCard(SIX), ScriptedChance())

    assert [CardChosen(BOB, SIX), CardsRevealed((FIVE, SIX), BOB), GameEnded((0, 3))] == list(events)
