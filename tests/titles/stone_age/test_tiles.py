"""Tests of building and declining tiles: SA-25."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamehost.rules.kit import IllegalAction
from gamehost.titles.stone_age.rules.actions import Decline, Pay, ResolvePlace
from gamehost.titles.stone_age.rules.events import (
    PeopleReturned,
    TileBuilt,
    TileDeclined,
    TileOffered,
    TileRevealed,
)
from gamehost.titles.stone_age.rules.goods import Good, Resources
from gamehost.titles.stone_age.rules.material import TILES, Place, Tile
from gamehost.titles.stone_age.rules.model import (
    AddingTools,
    BuildingTile,
    Feeding,
    Placing,
    Player,
    Resolving,
)

from .table import (
    BUSY,
    MUCH,
    RICH,
    WOOD,
    A,
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


def building(tile, player=RICH, stacks=None):
    others = [other.name for other in (Tile.FIXED_WWS_1, Tile.EXACT_5_3, Tile.FREE_3) if other != tile]
    return table(
        f"{BUSY}\ntiles  {tile.name} {others[0]}",
        seats=2,
        players={A: player},
        agenda=(Resolving(A), BuildingTile(A, 1)),
        stacks=stacks,
    )


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.name)
def test_SA_25_every_tile_takes_exactly_the_payments_it_shows(tile):
    row = BOX["tiles"][TILES.index(tile)]
    if row["kind"] == "fixed":
        expected = {Resources(**row["cost"])}
    elif row["kind"] == "exact":
        expected = {paid for paid in handfuls(row["count"]) if paid.kinds == row["kinds"]}
    else:
        expected = set().union(*(handfuls(count) for count in range(row["min"], row["max"] + 1)))

    assert expected == payments(building(tile))


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.name)
def test_SA_25_every_tile_scores_the_value_of_what_was_paid(tile):
    state = building(tile)
    turned_up = Tile.FREE_2 if tile is not Tile.FREE_2 else Tile.FREE_1
    action = max((a for a in legal(state, A) if isinstance(a, Pay)), key=lambda a: a.resources.value)
    paid = action.resources
    points = 3 * paid.wood + 4 * paid.brick + 5 * paid.stone + 6 * paid.gold

    events = told(state, A, action, [turned_up])

    assert [TileBuilt(A, 1, tile, paid, points), TileRevealed(1, turned_up)] == events
    assert points == after(state, A, action, [turned_up]).players[A].score


def test_SA_25_two_wood_and_a_brick_are_ten_points():
    state = after(building(Tile.FIXED_WWB_1), A, Pay(Resources(wood=2, brick=1)), [Tile.FREE_2])

    assert 10 == state.players[A].score
    assert (Tile.FIXED_WWB_1,) == state.players[A].tiles
    assert MUCH - Resources(wood=2, brick=1) == state.players[A].resources
    assert Tile.FREE_2 is state.market.open_tiles[0]
    assert (5, 6) == state.market.stacks


def building_on_the_second_stack(stacks):
    agenda = (Resolving(A), BuildingTile(A, 2))
    return table(f"{BUSY}\ntiles  FREE_1 FREE_2", seats=2, players={A: RICH}, agenda=agenda, stacks=stacks)


def test_SA_25_the_next_tile_of_the_same_stack_is_turned_up():
    state = after(building_on_the_second_stack((0, 1)), A, Pay(WOOD), [Tile.FREE_3])

    assert (Tile.FREE_2,) == state.players[A].tiles
    assert (Tile.FREE_1, Tile.FREE_3) == state.market.open_tiles
    assert (0, 0) == state.market.stacks


def test_SA_25_a_stack_runs_empty_by_itself():
    state = after(building_on_the_second_stack((3, 0)), A, Pay(WOOD))

    assert (Tile.FREE_1, None) == state.market.open_tiles
    assert (3, 0) == state.market.stacks


def test_SA_25_the_free_tile_has_the_longest_list():
    """Every list stays far below 500."""
    holder = replace(
        RICH, any_two=True, tools=tools(4, 4, 4), one_use_tools=frozenset({2, 3, 4}), people=10, food=0
    )
    rolled = (Resolving(A), AddingTools(A, Good.WOOD, (6,), 6))

    lists = [
        legal(building(Tile.FREE_1), A),
        legal(building(Tile.FREE_1, holder), A),
        legal(table(players={A: holder}, agenda=(Feeding(A),)), A),
        legal(table(players={A: holder}, agenda=(Placing(A),)), A),
        legal(table(players={A: holder}, agenda=rolled), A),
    ]

    assert [330, 340, 287 - 4 + 10, 10 + 4 * 7 + 3 + 8 + 10, 64 + 10] == [len(actions) for actions in lists]


def test_SA_25_the_last_tile_leaves_its_stack_empty():
    state = building(Tile.FREE_1, stacks=(0, 6))

    assert [TileBuilt(A, 1, Tile.FREE_1, WOOD, 3)] == told(state, A, Pay(WOOD))
    assert after(state, A, Pay(WOOD)).market.open_tiles[0] is None


def test_SA_25_offered_and_declined():
    state = table(f"{BUSY}\ntiles  FREE_1:A FREE_2", seats=2, players={A: Player(resources=WOOD)})

    events = told(state, A, ResolvePlace(Place.TILE_1))

    assert [PeopleReturned(A, Place.TILE_1, 1), TileOffered(A, 1, Tile.FREE_1)] == events
    assert [TileDeclined(A, 1)] == told(after(state, A, ResolvePlace(Place.TILE_1)), A, Decline())


@pytest.mark.parametrize(
    ("tile", "action", "reason"),
    [
        (Tile.FIXED_WWB_1, Pay(Resources(wood=2)), "WRONG_NUMBER_OF_RESOURCES"),
        (Tile.FIXED_WWB_1, Pay(Resources(wood=1, brick=2)), "WRONG_KINDS_OF_RESOURCES"),
        (Tile.FIXED_WWB_1, Pay(Resources(wood=2, stone=1)), "WRONG_KINDS_OF_RESOURCES"),
        (Tile.FIXED_SSG_1, Pay(Resources(stone=2, gold=1)), "RESOURCES_NOT_OWNED"),
        (Tile.FIXED_WWB_1, Pay(Resources(wood=2, brick=1), food=1), "FOOD_IS_NO_PAYMENT"),
        (Tile.EXACT_4_2, Pay(Resources(wood=4)), "WRONG_KINDS_OF_RESOURCES"),
        (Tile.EXACT_4_2, Pay(Resources(wood=2, brick=1, stone=1)), "WRONG_KINDS_OF_RESOURCES"),
        (Tile.EXACT_4_2, Pay(Resources(wood=3, brick=2)), "WRONG_NUMBER_OF_RESOURCES"),
        (Tile.EXACT_5_1, Pay(Resources(wood=4)), "WRONG_NUMBER_OF_RESOURCES"),
        (Tile.FREE_1, Pay(Resources()), "WRONG_NUMBER_OF_RESOURCES"),
        (Tile.FREE_1, Pay(Resources(wood=6, brick=2)), "WRONG_NUMBER_OF_RESOURCES"),
    ],
)
def test_SA_25_payments_that_do_not_fit_are_refused(tile, action, reason):
    state = building(tile, player=Player(resources=Resources(wood=6, brick=2, stone=1)))

    assert (reason, "SA-25") == refused(state, A, action)


@pytest.mark.parametrize(
    ("tile", "detail"), [(Tile.EXACT_4_2, "pay 4, not 8"), (Tile.FREE_1, "pay 1 to 7, not 8")]
)
def test_SA_25_a_refusal_names_the_number_asked_for(tile, detail):
    with pytest.raises(IllegalAction) as caught:
        told(building(tile), A, Pay(Resources(4, 4, 0, 0)))

    assert detail == caught.value.detail


def test_SA_26_a_tile_that_the_card_could_pay_is_asked_about():
    player = Player(any_two=True, resources=Resources(wood=1))
    state = table(f"{BUSY}\ntiles  FIXED_WWB_1:A FIXED_SSG_1:A", seats=2, players={A: player})

    assert BuildingTile(A, 1) == asked(after(state, A, ResolvePlace(Place.TILE_1)))
    assert Resolving(A) == asked(after(state, A, ResolvePlace(Place.TILE_2)))
