"""Tests that a search gets the events that its seat has seen, and no others."""

from __future__ import annotations

from bots.tables import luck
from gamehost.arena.fixtures import Fixture, enter
from gamehost.arena.match import Effort, ask_player, begin
from gamehost.arena.players import make_player
from gamehost.bots.levels import remembers
from gamehost.rules.catalog import CATALOG
from gamehost.titles.tides.rules import TIDES


def arena_game(title="tides", bots=("greedy", "greedy"), decisions=6):
    """Returns a game of the arena after so many decisions."""
    fixture = Fixture(0, title, CATALOG[title].options(), tuple(enter(title, bots)), 1)
    begun = begin(fixture)
    players = [make_player(fixture, number) for number in range(len(fixture.players))]
    for _ in range(decisions):
        asked = begun.table.decisions[0]
        begun.decide(asked, ask_player(begun, players[asked.seat], asked, Effort())[1])
    return begun


def test_only_a_search_remembers():
    assert [False, False, True, True, False] == [
        remembers(level) for level in ("random", "greedy", "search", "search:20", "nobody")
    ]


def test_who_remembers_knows_the_hand_it_passed_on():
    played = arena_game(decisions=4)
    state = played.table.state
    for number in range(2):
        world = TIDES.imagine(TIDES.view(state, number), luck("other"), played.seen(number))

        assert [one.hand for one in state.seats] == [one.hand for one in world.seats]


def test_what_is_seen_is_what_the_seat_witnessed():
    played = arena_game(decisions=5)
    for number in range(2):
        expected = [TIDES.witness(event, number) for event in played.title_events]

        assert expected == list(played.seen(number)) == list(played.seen(number))
    assert played.seen(0) != played.seen(1)


def test_a_search_plays_with_its_memory_in_every_title():
    for title in CATALOG:
        played = arena_game(title, ("search:8", "random"), decisions=12)

        assert 12 <= played.table.version, title
