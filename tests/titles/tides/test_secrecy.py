"""Tests of what each seat of Tides of Time sees: TT-3."""

from __future__ import annotations

import pytest

from gamehost.rules.chance import ScriptedChance, SeededChance
from gamehost.rules.kit import Hidden, replay
from gamehost.titles.tides.rules import TIDES
from gamehost.titles.tides.rules.actions import ChooseCard, ChooseRelic
from gamehost.titles.tides.rules.events import (
    CardChosen,
    CardsDrawn,
    CardsRevealed,
    HandReceived,
    RelicChosen,
    RelicsRevealed,
)
from gamehost.titles.tides.rules.material import Card
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
    NEST,
    PALACE,
    ROUND_ONE,
    SECOND,
    ZIGGURAT,
    after,
    dealt,
    drafted,
    told,
)


@pytest.mark.parametrize(
    ("event", "seen"),
    [
        (CardsDrawn(FIRST, (NEST, EYE)), CardsDrawn(FIRST, Hidden(2))),
        (HandReceived(FIRST, (NEST, EYE, MAZE)), HandReceived(FIRST, Hidden(3))),
        (CardChosen(FIRST, NEST), CardChosen(FIRST, Hidden())),
        (RelicChosen(FIRST, NEST, EYE), RelicChosen(FIRST, Hidden(), Hidden())),
    ],
)
def test_TT_3_others_see_the_backs_of_cards(event, seen):
    assert (event, seen, seen) == tuple(TIDES.witness(event, seat) for seat in (FIRST, SECOND, None))


@pytest.mark.parametrize("event", [CardsRevealed((NEST, EYE)), RelicsRevealed((NEST, EYE), (MAZE, PALACE))])
def test_TT_3_after_the_reveal_all_see_all(event):
    assert [event] * 3 == [TIDES.witness(event, seat) for seat in (FIRST, SECOND, None)]


@pytest.mark.parametrize("viewer", [SECOND, None])
def test_TT_3_that_a_card_is_chosen_is_visible_but_not_which(viewer):
    views = [TIDES.view(after(dealt(), FIRST, ChooseCard(card)), viewer) for card in (NEST, DIVIDE)]

    assert views[0] == views[1]
    assert (True, False) == tuple(seat.has_chosen for seat in views[0].seats)
    assert (4, 5) == tuple(seat.hand_size for seat in views[0].seats)
    assert views[0].chosen_card is None


@pytest.mark.parametrize("viewer", [SECOND, None])
def test_TT_3_that_a_relic_is_chosen_is_visible_but_not_which(viewer):
    state = drafted(dealt(), *ROUND_ONE)
    choices = (ChooseRelic(NEST, MAZE), ChooseRelic(ZIGGURAT, PALACE))

    views = [TIDES.view(after(state, FIRST, choice), viewer) for choice in choices]

    assert views[0] == views[1]
    assert (True, False) == tuple(seat.has_chosen for seat in views[0].seats)
    assert views[0].chosen_relic is None


def test_TT_3_the_chooser_sees_its_own_choice():
    card = TIDES.view(after(dealt(), FIRST, ChooseCard(NEST)), FIRST)
    relic = TIDES.view(after(drafted(dealt(), *ROUND_ONE), SECOND, ChooseRelic(EYE, LIBRARY)), SECOND)

    assert (NEST, None) == (card.chosen_card, card.chosen_relic)
    assert (None, ChooseRelic(EYE, LIBRARY)) == (relic.chosen_card, relic.chosen_relic)


def test_TT_3_the_question_of_the_other_stays_as_it_was():
    _, before = TIDES.decisions(dealt())

    (still,) = TIDES.decisions(after(dealt(), FIRST, ChooseCard(NEST)))

    assert before == still


def test_a_view_shows_the_own_hand_and_only_counts_the_others():
    first, spectator = TIDES.view(dealt(), FIRST), TIDES.view(dealt(), None)

    assert set(HANDS[0]) == first.hand
    assert set(Card) - set(HANDS[0]) == first.unseen
    assert (frozenset(), frozenset(Card)) == (spectator.hand, spectator.unseen)
    assert (5, 5) == tuple(seat.hand_size for seat in first.seats)
    assert (8, 1, 1) == (first.pile_size, first.round, first.pick)


def test_a_view_says_what_the_kingdoms_are_worth_now():
    state = drafted(dealt(), (DIVIDE, EYE), (ZIGGURAT, PALACE))

    first, second = (seat.standing for seat in TIDES.view(state, None).seats)

    assert [(DIVIDE, 0), (ZIGGURAT, 0)] == [(each.card, each.points) for each in first.cards]
    assert [(EYE, 9), (PALACE, 0)] == [(each.card, each.points) for each in second.cards]
    assert (0, 9) == (first.points, second.points)


def remembered(viewer, *moves):
    """Deals HANDS, plays these moves, and returns worlds imagined from the events that the viewer saw."""
    events = list(TIDES.setup(Options(), 2, ScriptedChance(*HANDS)))
    for seat, action, *luck in moves:
        events.extend(told(replay(TIDES, events), seat, action, *luck))
    view, seen = TIDES.view(replay(TIDES, events), viewer), [TIDES.witness(event, viewer) for event in events]
    return [TIDES.imagine(view, SeededChance(b"world", number), seen) for number in range(40)]


def picks(*pairs):
    return [(seat, ChooseCard(pair[seat])) for pair in pairs for seat in (FIRST, SECOND)]


def test_who_remembers_what_it_passed_on_knows_the_other_hand():
    worlds = remembered(FIRST, *picks((NEST, CITADELS)))

    assert {frozenset(HANDS[0]) - {NEST}} == {world.seats[SECOND].hand for world in worlds}
    assert {frozenset(Card) - set(HANDS[0] + HANDS[1])} == {world.pile for world in worlds}


def test_a_card_face_down_is_any_of_the_hand_that_was_passed_on():
    worlds = remembered(FIRST, *picks((NEST, CITADELS)), (SECOND, ChooseCard(DIVIDE)))

    assert set(HANDS[0]) - {NEST} == {world.seats[SECOND].chosen_card for world in worlds}


def test_a_spectator_remembers_nothing_of_what_it_never_saw():
    worlds = remembered(None, *picks((NEST, CITADELS)))

    assert len({world.seats[SECOND].hand for world in worlds}) > 1


@pytest.mark.parametrize("viewer", [FIRST, None])
def test_who_remembers_the_cards_taken_back_knows_them_in_the_hand(viewer):
    relics = ((FIRST, ChooseRelic(NEST, MAZE)), (SECOND, ChooseRelic(EYE, LIBRARY), *DRAWS[0]))

    worlds = remembered(viewer, *picks(*ROUND_ONE), *relics)

    assert all({CITADELS, DIVIDE, BATHS} < world.seats[SECOND].hand for world in worlds)
    assert len({world.seats[SECOND].hand for world in worlds}) > 1


def test_a_witnessed_event_is_refused_as_truth():
    with pytest.raises(ValueError, match="witnessed"):
        TIDES.evolve(dealt(), CardChosen(SECOND, Hidden()))


def test_actions_and_prompts_read_as_sentences():
    assert "Play The Citadels of the Prophets." == TIDES.describe(ChooseCard(CITADELS)).english
    assert "Keep King's Nest as a relic and remove Ancient Divide from the game." == (
        TIDES.describe(ChooseRelic(NEST, DIVIDE)).english
    )
    assert "Round 1 of 3, card 1 of 5: choose a card to play." == TIDES.decisions(dealt())[0].prompt.english
