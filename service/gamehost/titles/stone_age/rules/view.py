"""The view of a seat, and events as a seat sees them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gamehost.rules.kit import Hidden, Seat

from .events import CardDrawn, Event
from .goods import Bill, Resources
from .material import CAPACITY, CARD_BILL, TILE_BILL, Card, Place, Tile
from .model import CardView, Feeding, PlaceView, Placing, PlayerView, State, TileView, View
from .payments import fitting
from .placing import may_place_at

PLACES = tuple(Place)  # an Enum takes 10 µs to iterate


def view(state: State, seat: Seat | None) -> View:
    """Returns the view of a seat. Drawn cards are shown to their owner only; deck and stacks to nobody."""
    held = tuple([player.resources for player in state.players])
    return View(
        seat=seat,
        options=state.options,
        round=state.round,
        start_player=state.start_player,
        told=state.told,
        agenda=state.agenda,
        players=tuple(player_view(state, Seat(number), seat) for number in range(len(state.players))),
        places=place_views(state),
        cards=card_views(state.market.display, held),
        deck_size=len(state.market.deck),
        tiles=tile_views(state.market.open_tiles, state.market.stacks, held),
        ended=state.ended,
    )


def player_view(state: State, number: Seat, viewer: Seat | None) -> PlayerView:
    player = state.players[number]
    shown = number == viewer or player.final_score is not None
    return PlayerView(
        people=player.people,
        people_at_home=state.home(number),
        food=player.food,
        food_track=player.food_track,
        food_balance=food_balance(state, number),
        resources=player.resources,
        tools=player.tools,
        one_use_tools=player.one_use_tools,
        any_two=player.any_two,
        cards=player.cards,
        drawn=player.drawn if shown else Hidden(len(player.drawn)),
        tiles=player.tiles,
        tile_points=player.tile_points,
        card_points=player.card_points,
        hunger=player.hunger,
        score=player.score,
        final_score=player.final_score,
    )


def food_balance(state: State, seat: Seat) -> int:
    """SA-30: returns the food left after feeding, including what the food track still gives this round."""
    player = state.players[seat]
    produced = Feeding(seat) in state.agenda
    return player.food + (0 if produced else player.food_track) - player.people


def place_views(state: State) -> tuple[PlaceView, ...]:
    in_use = PLACES[: Place.TILE_1 - 1 + len(state.market.open_tiles)]
    placing = any(isinstance(task, Placing) for task in state.agenda)
    homes = [state.home(seat) for seat in state.clockwise(Seat(0))] if placing else []
    return tuple(
        [
            PlaceView(place, CAPACITY[place - 1], state.at(place), open_to(state, place, homes))
            for place in in_use
        ]
    )


def open_to(state: State, place: Place, homes: Sequence[int]) -> frozenset[Seat]:
    """Returns the seats that can put people on the place; `homes` are the people that each has left."""
    seats = map(Seat, range(len(homes)))
    return frozenset([seat for seat in seats if may_place_at(state, seat, place, homes[seat])])


# Many moves change neither cards nor resources. Equal views are then one object, so that what they are
# encoded to is found by its identity.
@lru_cache(maxsize=1024)
def card_views(display: tuple[Card | None, ...], held: tuple[Resources, ...]) -> tuple[CardView, ...]:
    return tuple([card_view(slot, card, held) for slot, card in enumerate(display, 1)])


def card_view(slot: int, card: Card | None, held: tuple[Resources, ...]) -> CardView:
    bill = CARD_BILL[slot - 1]
    return CardView(slot, bill.least, card, frozenset() if card is None else payers(held, bill))


@lru_cache(maxsize=1024)
def tile_views(
    open_tiles: tuple[Tile | None, ...], stacks: tuple[int, ...], held: tuple[Resources, ...]
) -> tuple[TileView, ...]:
    stands = zip(open_tiles, stacks, strict=True)
    return tuple([tile_view(stack, tile, left, held) for stack, (tile, left) in enumerate(stands, 1)])


def tile_view(stack: int, tile: Tile | None, face_down: int, held: tuple[Resources, ...]) -> TileView:
    if tile is None:
        return TileView(stack, face_down, None, 0, 0, None, None, frozenset())
    bill = TILE_BILL[tile]
    return TileView(
        stack, face_down, tile, bill.least, bill.most, bill.kinds, bill.exactly, payers(held, bill)
    )


def payers(held: tuple[Resources, ...], bill: Bill) -> frozenset[Seat]:
    return frozenset([Seat(seat) for seat, resources in enumerate(held) if fitting(bill, resources)])


def witness(event: Event, seat: Seat | None) -> Event:
    """SA-26: returns the event as a seat sees it; other seats do not see which card was drawn."""
    match event:
        case CardDrawn(owner) if owner != seat:
            return CardDrawn(owner, Hidden())
        case _:
            return event
