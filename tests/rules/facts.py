"""What the laws must be told about each title, because no law can guess it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from gamehost.rules.stone_age import actions as stone_age_actions
from gamehost.rules.stone_age import events as stone_age_events
from gamehost.rules.stone_age.goods import Resources
from gamehost.rules.stone_age.material import Card as CivilizationCard
from gamehost.rules.stone_age.material import Place as StoneAgePlace
from gamehost.rules.stone_age.material import Tile
from gamehost.rules.stone_age.model import State as StoneAgeState
from gamehost.rules.stone_age.model import View as StoneAgeView
from gamehost.rules.tides import actions as tides_actions
from gamehost.rules.tides import events as tides_events
from gamehost.rules.tides.material import Card
from gamehost.rules.tides.model import State as TidesState
from gamehost.rules.tides.model import View as TidesView

from . import tigris_cards_facts

Pieces = Counter[Hashable]


@dataclass(frozen=True)
class Facts:
    """`games` bounds how many games the laws play of the title, `longest` the decisions of one."""

    games: int
    longest: int
    pieces: Callable[[Any], Pieces]  # every piece of a state, wherever it lies
    placed: Callable[[Any], Pieces]  # every piece a view shows the whereabouts of
    named: Callable[[Any], Pieces]  # every piece an event names
    held: tuple[type, ...] = ()  # actions asked for that only a hidden hand may rule out
    sealed: tuple[type, ...] = ()  # actions laid face down until every seat asked has answered
    answers: Mapping[type, st.SearchStrategy[Any]] = field(default_factory=dict)  # where types are too wide


def tides_pieces(state: TidesState) -> Pieces:
    pieces: Pieces = Counter([*state.pile, *state.removed])
    for seat in state.seats:
        pieces.update([*seat.hand, *seat.kingdom])
        pieces.update([] if seat.chosen_card is None else [seat.chosen_card])
    return pieces


def tides_placed(view: TidesView) -> Pieces:
    kingdoms = [card for seat in view.seats for card in (*seat.relics, *seat.played)]
    own = [] if view.chosen_card is None else [view.chosen_card]
    return Counter([*view.hand, *own, *view.removed, *kingdoms])


def tides_named(event: tides_events.Event) -> Pieces:
    match event:
        case tides_events.CardsDrawn(_, tuple(cards)) | tides_events.HandReceived(_, tuple(cards)):
            return Counter(cards)
        case tides_events.CardsRevealed(cards):
            return Counter(cards)
        case tides_events.CardChosen(_, Card() as card):
            return Counter([card])
        case tides_events.RelicsRevealed(relics, removed):
            return Counter(relics + removed)
        case tides_events.RoundScored(_, scores):
            return Counter(points.card for score in scores for points in score.cards)
        case _:
            return Counter()


def by_name(*pieces: CivilizationCard | Tile | None) -> Pieces:
    """A card and a tile may have the same number."""
    return Counter(piece.name for piece in pieces if piece is not None)


def stone_age_pieces(state: StoneAgeState) -> Pieces:
    owned = [piece for player in state.players for piece in (*player.cards, *player.drawn, *player.tiles)]
    return by_name(
        *state.market.deck,
        *state.market.display,
        *state.market.unseen_tiles,
        *state.market.open_tiles,
        *owned,
    )


def stone_age_placed(view: StoneAgeView) -> Pieces:
    owned = [piece for player in view.players for piece in (*player.cards, *player.tiles)]
    drawn = [card for player in view.players if isinstance(player.drawn, tuple) for card in player.drawn]
    return by_name(*(slot.card for slot in view.cards), *(stack.tile for stack in view.tiles), *owned, *drawn)


def stone_age_named(event: stone_age_events.Event) -> Pieces:
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


def stone_age_answers() -> Mapping[type, st.SearchStrategy[Any]]:
    """Small numbers, so that some come close to being legal."""
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


FACTS: dict[str, Facts] = {
    "stone_age": Facts(
        games=9,
        longest=6_000,
        pieces=stone_age_pieces,
        placed=stone_age_placed,
        named=stone_age_named,
        answers=stone_age_answers(),
    ),
    "tides": Facts(
        games=60,
        longest=2 * (3 * 4 + 2),
        pieces=tides_pieces,
        placed=tides_placed,
        named=tides_named,
        sealed=(tides_actions.ChooseCard, tides_actions.ChooseRelic),
    ),
    "tigris_cards": Facts(
        games=9,
        longest=6_000,
        pieces=tigris_cards_facts.pieces,
        placed=tigris_cards_facts.placed,
        named=tigris_cards_facts.named,
        held=tigris_cards_facts.HELD,
    ),
}
