"""Tests of buying and declining cards: SA-24 and SA-26."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamehost.rules.kit import Hidden
from gamehost.titles.stone_age.rules import STONE_AGE
from gamehost.titles.stone_age.rules.actions import Decline, Pay, ResolvePlace, TakeDie, TakeResources
from gamehost.titles.stone_age.rules.events import (
    AnyTwoTaken,
    CardBought,
    CardDeclined,
    CardDrawn,
    CardOffered,
    DiceForAllRolled,
    DieTaken,
    FoodTrackRaised,
    PeopleReturned,
    ResourcesGained,
    ToolMade,
)
from gamehost.titles.stone_age.rules.goods import Good, Resources
from gamehost.titles.stone_age.rules.material import DECK, TILES, Card, Place
from gamehost.titles.stone_age.rules.model import (
    AddingTools,
    BuyingCard,
    Placing,
    Player,
    Resolving,
    TakingDice,
)
from gamehost.titles.stone_age.rules.scoring import final_score

from .table import (
    BRICK,
    BUSY,
    GOLD,
    MUCH,
    RICH,
    STONE,
    WOOD,
    A,
    B,
    C,
    D,
    after,
    asked,
    handfuls,
    legal,
    payments,
    refused,
    table,
    told,
    tools,
)
from .test_setup import BOX


def buying(card, *, player=RICH, seats=4, deck=DECK, slot=1):
    """Returns a state in which A decides how to pay for `card`; the other cards do not matter."""
    others = [
        other.name for other in (Card.WEAVING_1, Card.WEAVING_2, Card.TIME_1, Card.ART_2) if other != card
    ]
    shown = [*others[: 4 - slot], card.name, *others[4 - slot : 3]]
    return table(
        f"{BUSY}\ncards  {' '.join(shown)}",
        seats=seats,
        players={A: player},
        agenda=(Resolving(A), BuyingCard(A, slot)),
        deck=deck,
    )


def test_SA_24_a_card_is_offered_at_the_cost_of_its_slot():
    state = table(f"{BUSY}\ncards  TIME_1 TIME_2:A ART_1 ART_2", players={A: RICH})

    events = told(state, A, ResolvePlace(Place.CARD_3))

    assert [PeopleReturned(A, Place.CARD_3, 1), CardOffered(A, 3, Card.TIME_2, cost=3)] == events


@pytest.mark.parametrize("slot", [1, 2, 3, 4])
def test_SA_24_any_mix_of_as_many_resources_as_the_slot_costs(slot):
    state = buying(Card.MUSIC_1, slot=slot)

    assert handfuls(slot) == payments(state)
    assert Decline() == legal(state, A)[-1]


def test_SA_24_only_what_is_owned():
    state = buying(Card.MUSIC_1, slot=3, player=Player(resources=Resources(wood=2, gold=1)))

    assert {Resources(wood=2, gold=1)} == payments(state)


def test_SA_24_the_card_is_taken_and_its_slot_stays_empty():
    state = buying(Card.MUSIC_1, slot=2)

    state = after(state, A, Pay(Resources(wood=1, gold=1)))

    assert (Card.MUSIC_1,) == state.players[A].cards
    assert MUCH - Resources(wood=1, gold=1) == state.players[A].resources
    assert state.market.display[1] is None
    assert Resolving(A) == asked(state)


def test_SA_24_declined_the_card_stays():
    state = buying(Card.MUSIC_1)

    assert [CardDeclined(A, 1)] == told(state, A, Decline())
    assert Card.MUSIC_1 is after(state, A, Decline()).market.display[0]


def test_SA_24_who_cannot_pay_declines_without_being_asked():
    state = table(f"{BUSY}\ncards  TIME_1 TIME_2:A ART_1 ART_2")

    events = told(state, A, ResolvePlace(Place.CARD_3))

    assert CardDeclined(A, 3) == events[-1]


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Pay(Resources(wood=1)), "WRONG_NUMBER_OF_RESOURCES"),
        (Pay(Resources(wood=3)), "WRONG_NUMBER_OF_RESOURCES"),
        (Pay(Resources()), "WRONG_NUMBER_OF_RESOURCES"),
        (Pay(Resources(gold=2)), "RESOURCES_NOT_OWNED"),
        (Pay(Resources(wood=3, brick=-1)), "RESOURCES_NOT_OWNED"),
        (Pay(Resources(wood=1), food=1), "FOOD_IS_NO_PAYMENT"),
        (Pay(Resources(wood=2), food=1), "FOOD_IS_NO_PAYMENT"),
    ],
)
def test_SA_24_payments_that_do_not_fit_are_refused(action, reason):
    state = buying(Card.MUSIC_1, slot=2, player=Player(resources=Resources(wood=3, stone=1)))

    assert (reason, "SA-24") == refused(state, A, action)


def gained(before, **changes):
    return replace(before, resources=before.resources - WOOD, **changes)


UPPER_ROWS = pytest.mark.parametrize(
    ("card", "upper"), [(card, row["upper"]) for card, row in zip(DECK, BOX["cards"], strict=True)], ids=DECK
)


@UPPER_ROWS
def test_SA_26_every_upper_half(card, upper):
    before = Player(resources=MUCH, food=1, food_track=2, tools=tools(2, 1, 1))
    luck = {"dice_for_all": (2, 2), "resource_roll": (6, 5), "draw_card": (Card.SHAMAN_1,)}
    paid, kept = gained(before, cards=(card,)), ()
    match upper:
        case {"type": "food", "amount": amount}:
            expected = replace(paid, food=1 + amount)
        case {"type": "resource", "resource": kind, "amount": amount}:
            expected = replace(paid, resources=paid.resources + Resources(**{kind: amount}))
        case {"type": "points", "amount": amount}:
            expected = replace(paid, card_points=amount)
        case {"type": "tool_permanent"}:
            expected = replace(paid, tools=tools(2, 2, 1))
        case {"type": "agriculture"}:
            expected = replace(paid, food_track=3)
        case {"type": "tool_one_use", "value": value}:
            expected = replace(paid, one_use_tools=frozenset({value}))
        case {"type": "any_resources", "amount": 2}:
            expected = replace(paid, any_two=True)
        case {"type": "draw_card"}:
            expected = replace(paid, drawn=(Card.SHAMAN_1,))
        case {"type": "dice_for_all"}:
            expected = replace(paid, resources=paid.resources + BRICK)
        case {"type": "resource_roll", "resource": kind, "dice": 2}:
            expected, kept = paid, (AddingTools(A, Good[kind.upper()], (6, 5), 11),)

    state = after(
        buying(card, player=before, seats=2), A, Pay(WOOD), *[luck[k] for k in luck if k == upper["type"]]
    )

    assert expected == state.players[A]
    assert (Resolving(A), *kept) == state.agenda


@pytest.mark.parametrize(
    ("card", "lower"), [(card, row["lower"]) for card, row in zip(DECK, BOX["cards"], strict=True)], ids=DECK
)
@pytest.mark.parametrize("owned", ["cards", "drawn"])
def test_SA_43_every_lower_half(card, lower, owned):
    """A drawn card counts like a bought one."""
    civilization = Player(people=7, food_track=3, tools=tools(2, 2, 1), tiles=TILES[:4], **{owned: (card,)})
    times = {"farmer": 3, "toolmaker": 5, "hut_builder": 4, "shaman": 7}
    expected = lower["count"] * times[lower["person"]] if "person" in lower else 1

    score = final_score(civilization)

    assert expected == score.total
    parts = {"farmer": score.farmers, "toolmaker": score.toolmakers, "hut_builder": score.hut_builders}
    assert expected == {**parts, "shaman": score.shamans}.get(lower.get("person"), score.cultures)


def test_SA_26_a_second_one_use_tool_joins_the_first():
    holder = Player(resources=MUCH, one_use_tools=frozenset({4}))

    state = after(buying(Card.TOOLMAKER_5, player=holder), A, Pay(WOOD))

    assert frozenset({2, 4}) == state.players[A].one_use_tools


def test_SA_26_dice_for_all_the_buyer_first_then_clockwise():
    state = buying(Card.WRITING_1)

    bought, rolled = told(state, A, Pay(WOOD), (6, 1, 5, 3))

    assert CardBought(A, 1, Card.WRITING_1, WOOD) == bought
    assert DiceForAllRolled((A, B, C, D), (6, 1, 5, 3)) == rolled
    state = after(state, A, Pay(WOOD), (6, 1, 5, 3))
    assert [TakeDie(1), TakeDie(3), TakeDie(5), TakeDie(6)] == legal(state, A)
    state = after(state, A, TakeDie(3))
    assert [TakeDie(1), TakeDie(5), TakeDie(6)] == legal(state, B)


def test_SA_26_dice_for_all_begin_with_whoever_bought_the_card():
    agenda = (Resolving(C), BuyingCard(C, 1))
    state = table("cards  ART_1 ART_2 TIME_2 WRITING_1\nhut  CC\nfield  C", players={C: RICH}, agenda=agenda)

    *_, rolled = told(state, C, Pay(WOOD), (6, 1, 5, 3))

    assert DiceForAllRolled((C, D, A, B), (6, 1, 5, 3)) == rolled


def taking(*faces, seats=(A, B), player=None):
    return table(
        BUSY,
        seats=len(seats),
        players={A: player or Player()},
        agenda=(Resolving(A), TakingDice(seats, faces)),
    )


@pytest.mark.parametrize(
    ("face", "gain"),
    [
        (1, ResourcesGained(A, WOOD)),
        (2, ResourcesGained(A, BRICK)),
        (3, ResourcesGained(A, STONE)),
        (4, ResourcesGained(A, GOLD)),
        (5, ToolMade(A, 0, 1)),
        (6, FoodTrackRaised(A, 1)),
    ],
)
def test_SA_26_what_each_die_gives(face, gain):
    other = 1 if face > 1 else 2

    events = told(taking(face, other), A, TakeDie(face))

    assert [DieTaken(A, face), gain] == events[:2]


@pytest.mark.parametrize("face", [5, 6])
def test_SA_26_a_die_at_the_cap_gives_nothing(face):
    full = Player(tools=tools(4, 4, 4), food_track=10)

    state = after(taking(face, 1, player=full), A, TakeDie(face))

    assert full == state.players[A]


def test_SA_26_the_last_die_is_taken_without_being_asked_for():
    events = told(taking(3, 5), A, TakeDie(3))

    assert [DieTaken(A, 3), ResourcesGained(A, STONE), DieTaken(B, 5), ToolMade(B, 0, 1)] == events


def test_SA_26_equal_dice_leave_no_choice():
    events = told(buying(Card.WRITING_1, seats=2), A, Pay(WOOD), (4, 4))

    assert [DieTaken(A, 4), DieTaken(B, 4)] == [event for event in events if isinstance(event, DieTaken)]


def test_SA_26_a_die_taken_or_not_rolled_is_refused():
    state = after(taking(3, 5, 6, seats=(A, B, C)), A, TakeDie(3))

    assert ("DIE_NOT_THERE", "SA-26") == refused(state, B, TakeDie(3))
    assert ("DIE_NOT_THERE", "SA-26") == refused(state, B, TakeDie(1))
    assert ("NOT_YOUR_DECISION", "SA-26") == refused(state, C, TakeDie(5))


def test_SA_26_tools_do_not_help_dice_for_all():
    state = buying(Card.WRITING_1, player=Player(resources=MUCH, tools=tools(4, 4, 4)), seats=2)

    state = after(state, A, Pay(WOOD), (1, 2))

    assert [TakeDie(1), TakeDie(2)] == legal(state, A)


def test_SA_26_a_drawn_card_is_seen_by_its_owner_alone():
    state = buying(Card.WRITING_2)

    *_, drawn = told(state, A, Pay(WOOD), [Card.SHAMAN_1])

    assert CardDrawn(A, Card.SHAMAN_1) == drawn == STONE_AGE.witness(drawn, A)
    assert [CardDrawn(A, Hidden())] * 2 == [STONE_AGE.witness(drawn, seat) for seat in (B, None)]
    after_it = after(state, A, Pay(WOOD), [Card.SHAMAN_1])
    assert (Card.SHAMAN_1,) == STONE_AGE.view(after_it, A).players[A].drawn
    assert [Hidden(1)] * 2 == [STONE_AGE.view(after_it, seat).players[A].drawn for seat in (B, None)]
    assert Card.SHAMAN_1 not in after_it.market.deck


def test_SA_26_an_empty_deck_gives_nothing():
    state = buying(Card.WRITING_2, deck=[])

    assert [CardBought(A, 1, Card.WRITING_2, WOOD)] == told(state, A, Pay(WOOD))


HOLDER = Player(any_two=True)


@pytest.mark.parametrize(
    "agenda", [(Placing(A),), (Resolving(A),), (Resolving(A), TakingDice((A, B), (1, 2)))]
)
def test_SA_26_any_two_resources_at_any_own_decision(agenda):
    state = table(BUSY, seats=2, players={A: HOLDER}, agenda=agenda)

    taken = [action.resources for action in legal(state, A) if isinstance(action, TakeResources)]

    assert handfuls(2) == set(taken)
    assert [AnyTwoTaken(A, WOOD + GOLD)] == told(state, A, TakeResources(WOOD + GOLD))
    later = after(state, A, TakeResources(WOOD + GOLD))
    assert agenda == later.agenda
    assert Player(resources=WOOD + GOLD) == later.players[A]
    assert STONE_AGE.decisions(state)[0].id != STONE_AGE.decisions(later)[0].id


def test_SA_26_any_two_resources_once_and_two():
    state = table(BUSY, seats=2, players={A: HOLDER})
    later = after(state, A, TakeResources(WOOD + GOLD))

    assert ("CARD_NOT_HELD", "SA-26") == refused(later, A, TakeResources(WOOD + GOLD))
    assert ("WRONG_NUMBER_OF_RESOURCES", "SA-26") == refused(state, A, TakeResources(WOOD))
    assert ("WRONG_NUMBER_OF_RESOURCES", "SA-26") == refused(state, A, TakeResources(Resources(3, -1, 0, 0)))
    assert ("NOT_YOUR_DECISION", "SA-20") == refused(state, B, TakeResources(WOOD + GOLD))


@pytest.mark.parametrize(("place", "held", "is_asked"), [(Place.CARD_2, 0, True), (Place.CARD_4, 1, False)])
def test_SA_26_a_forced_decline_is_asked_if_the_card_would_help(place, held, is_asked):
    state = table(
        f"{BUSY}\ncards  TIME_1:A TIME_2 ART_1:A ART_2",
        players={A: Player(any_two=True, resources=Resources(wood=held))},
    )

    state = after(state, A, ResolvePlace(place))

    assert is_asked == isinstance(asked(state), BuyingCard)
    if is_asked:
        assert [Decline] == [type(action) for action in legal(state, A)][:1]
        assert (Decline, TakeResources) == STONE_AGE.decisions(state)[0].kinds


def test_SA_26_after_the_card_the_same_question_has_new_answers():
    state = table(f"{BUSY}\ncards  TIME_1 TIME_2 ART_1:A ART_2", players={A: HOLDER})
    state = after(state, A, ResolvePlace(Place.CARD_2))

    state = after(state, A, TakeResources(STONE + STONE))

    assert [Pay(Resources(stone=2)), Decline()] == legal(state, A)


def test_SA_26_two_dice_are_rolled_like_the_place():
    state = after(buying(Card.ART_1, player=RICH), A, Pay(WOOD), (6, 6))

    assert MUCH - WOOD + GOLD + GOLD == state.players[A].resources
