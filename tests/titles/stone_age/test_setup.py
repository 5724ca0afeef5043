"""Tests of the setup of Stone Age: SA-1 to SA-3, and the components."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamehost.rules.chance import ScriptedChance, SeededChance
from gamehost.rules.kit import replay
from gamehost.titles.stone_age.rules import STONE_AGE
from gamehost.titles.stone_age.rules.events import (
    CardRevealed,
    GameBegun,
    RoundBegun,
    TileRevealed,
    TurnBegun,
)
from gamehost.titles.stone_age.rules.goods import Resources
from gamehost.titles.stone_age.rules.material import LOWER, TILE_BILL, Card, Figures, Phase, Place, Tile
from gamehost.titles.stone_age.rules.model import Placing, Player
from gamehost.titles.stone_age.rules.options import Options

from .table import A, B, picture, table, tools

BOX = json.loads((Path(__file__).parent / "box.json").read_text())
CARDS = (Card.FARMER_2, Card.WEAVING_1, Card.MUSIC_2, Card.HUT_BUILDER_5)
LUCK = ((B,), CARDS, (Tile.FIXED_WWB_1,), (Tile.EXACT_4_2,))


def test_SA_1_everyone_begins_alike():
    state = replay(STONE_AGE, STONE_AGE.setup(Options(), 2, ScriptedChance(*LUCK)))

    player = Player(people=5, food=12, food_track=0, resources=Resources(0, 0, 0, 0), tools=tools())
    assert (player, player) == state.players
    assert [player.score for player in state.players] == [0, 0]


def test_SA_1_values():
    worth = [Resources(1, 0, 0, 0), Resources(0, 1, 0, 0), Resources(0, 0, 1, 0), Resources(0, 0, 0, 1)]

    assert [one.value for one in worth] == [3, 4, 5, 6]


def test_SA_2_and_SA_3_cards_tiles_and_the_start_player():
    events = STONE_AGE.setup(Options(), 2, ScriptedChance(*LUCK))

    assert [
        GameBegun(Options(), 2, B),
        *(CardRevealed(slot, card) for slot, card in enumerate(CARDS, start=1)),
        TileRevealed(1, Tile.FIXED_WWB_1),
        TileRevealed(2, Tile.EXACT_4_2),
        RoundBegun(1, B),
        TurnBegun(B, Phase.PLACING),
    ] == list(events)


def test_SA_2_a_new_table():
    state = replay(STONE_AGE, STONE_AGE.setup(Options(), 2, ScriptedChance(*LUCK)))

    assert picture(table(seats=2)) == picture(state)
    assert state.market.stacks == (6, 6)
    assert len(state.market.unseen_tiles) == 26
    assert len(state.market.deck) == 32
    assert (Placing(B),) == state.agenda


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_SA_2_as_many_stacks_as_players(seats):
    state = replay(STONE_AGE, STONE_AGE.setup(Options(), seats, SeededChance(b"any", 0)))

    assert seats == len(state.market.open_tiles) == len(state.market.stacks)


def test_SA_3_every_seat_may_begin():
    started = {
        replay(STONE_AGE, STONE_AGE.setup(Options(), 3, SeededChance(b"any", luck))).start_player
        for luck in range(40)
    }

    assert {0, 1, 2} == started


@pytest.mark.parametrize("seats", [1, 5])
def test_the_game_is_for_two_to_four(seats):
    with pytest.raises(ValueError, match="2 to 4 players"):
        STONE_AGE.setup(Options(), seats, ScriptedChance())


def test_a_game_has_a_round():
    with pytest.raises(ValueError, match="one round"):
        STONE_AGE.setup(Options(max_rounds=0), 2, ScriptedChance())


def test_every_card_has_its_lower_half():
    def name(row):
        return row["id"][2:].upper().replace("-", "_")

    def printed(lower):
        if isinstance(lower, Figures):
            person = lower.person.name.lower()
            return {"background": "sand", "person": person, "count": lower.count}
        return {"background": "green", "culture": lower.name.lower()}

    assert {name(row): row["lower"] for row in BOX["cards"]} == {
        card.name: printed(LOWER[card]) for card in Card
    }


def test_SA_25_every_tile_has_its_price():
    def price(row):
        if row["kind"] == "fixed":
            return 3, 3, Resources(**row["cost"])
        if row["kind"] == "exact":
            return row["count"], row["count"], row["kinds"]
        return row["min"], row["max"], None

    expected = [price(row) for row in BOX["tiles"]]

    bills = [TILE_BILL[tile] for tile in Tile]

    assert expected == [(bill.least, bill.most, bill.exactly or bill.kinds) for bill in bills]
    assert [row["points"] for row in BOX["tiles"] if row["kind"] == "fixed"] == [
        bill.exactly.value for bill in bills if bill.exactly is not None
    ]


def test_a_picture_is_read_as_it_was_drawn():
    drawn = """\
hunting     AAA BB
forest      AABBBB.
clay pit    .......
quarry      C......
river       .......
tool maker  D
hut         CC
field       .
cards       TIME_1 -:A ART_1:D MUSIC_1
tiles       FREE_1:B EXACT_4_2 - FIXED_WWB_1"""

    assert drawn == picture(table(drawn))


def test_every_place_is_drawn():
    state = table("hunting  A")

    assert state.at(Place.HUNTING) == (1, 0, 0, 0)
    assert state.people == table(picture(state)).people
    assert state.start_player == A
