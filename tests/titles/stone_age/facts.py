"""Facts about Stone Age for the laws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from gamehost.titles.stone_age.rules import actions as stone_age_actions
from gamehost.titles.stone_age.rules import events as stone_age_events
from gamehost.titles.stone_age.rules.goods import Resources
from gamehost.titles.stone_age.rules.material import Card as CivilizationCard
from gamehost.titles.stone_age.rules.material import Place as StoneAgePlace
from gamehost.titles.stone_age.rules.material import Tile
from gamehost.titles.stone_age.rules.model import State as StoneAgeState
from gamehost.titles.stone_age.rules.model import View as StoneAgeView
from rules.title_facts import Facts, Pieces


def by_name(*pieces: CivilizationCard | Tile | None) -> Pieces:
    """Counts pieces by name, because a card and a tile may have the same number."""
    return Counter(piece.name for piece in pieces if piece is not None)


def pieces_of(state: StoneAgeState) -> Pieces:
    owned = [piece for player in state.players for piece in (*player.cards, *player.drawn, *player.tiles)]
    return by_name(
        *state.market.deck,
        *state.market.display,
        *state.market.unseen_tiles,
        *state.market.open_tiles,
        *owned,
    )


def placed(view: StoneAgeView) -> Pieces:
    owned = [piece for player in view.players for piece in (*player.cards, *player.tiles)]
    drawn = [card for player in view.players if isinstance(player.drawn, tuple) for card in player.drawn]
    return by_name(*(slot.card for slot in view.cards), *(stack.tile for stack in view.tiles), *owned, *drawn)


def named(event: stone_age_events.Event) -> Pieces:
    match event:
        case stone_age_events.CardDrawn(_, CivilizationCard() as card):
            return by_name(card)
        case stone_age_events.CardSlid(card) | stone_age_events.CardRevealed(_, card):
            return by_name(card)
        case stone_age_events.CardOffered(_, _, card) | stone_age_events.CardBought(_, _, card):
            return by_name(card)
        case stone_age_events.TileOffered(_, _, tile) | stone_age_events.TileBuilt(_, _, tile):
            return by_name(tile)
        case stone_age_events.TileRevealed(_, tile):
            return by_name(tile)
        case stone_age_events.SeatScored(_, drawn):
            return by_name(*drawn)
        case _:
            return Counter()


def answers() -> Mapping[type, st.SearchStrategy[Any]]:
    """Returns strategies with small numbers, so that some actions are almost legal."""
    few, places = st.integers(-1, 4), st.sampled_from(StoneAgePlace)
    handfuls = st.builds(Resources, few, few, few, few)
    return {
        stone_age_actions.PlacePeople: st.builds(stone_age_actions.PlacePeople, places, st.integers(-1, 11)),
        stone_age_actions.AddTools: st.builds(
            stone_age_actions.AddTools, st.frozensets(few, max_size=3), st.frozensets(few, max_size=3)
        ),
        stone_age_actions.Pay: st.builds(stone_age_actions.Pay, handfuls, st.integers(-1, 1)),
        stone_age_actions.TakeDie: st.builds(stone_age_actions.TakeDie, st.integers(-1, 7)),
        stone_age_actions.Feed: st.builds(stone_age_actions.Feed, handfuls),
        stone_age_actions.TakeResources: st.builds(stone_age_actions.TakeResources, handfuls),
    }


FACTS = Facts(
    games=9,
    longest=6_000,
    pieces=pieces_of,
    placed=placed,
    named=named,
    answers=answers(),
    greedy=True,
    hides_most=0.95,
)
