"""The view of a seat, and events as a seat sees them."""

from __future__ import annotations

from gamehost.rules.kit import Hidden, Seat

from .events import CardDrawn, Event
from .goods import Bill
from .material import CAPACITY, CARD_BILL, TILE_BILL, Place
from .model import CardView, Feeding, PlaceView, Placing, PlayerView, State, TileView, View
from .payments import can_pay
from .placing import may_place_at


def view(state: State, seat: Seat | None) -> View:
    """Returns the view of a seat. Drawn cards are shown to their owner only; deck and stacks to nobody."""
    return View(
        seat=seat,
        options=state.options,
        round=state.round,
        start_player=state.start_player,
        told=state.told,
        agenda=state.agenda,
        players=tuple(player_view(state, Seat(number), seat) for number in range(len(state.players))),
        places=place_views(state),
        cards=tuple(card_view(state, slot) for slot in range(1, 1 + len(state.market.display))),
        deck_size=len(state.market.deck),
        tiles=tuple(tile_view(state, stack) for stack in range(1, 1 + len(state.market.open_tiles))),
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
    in_use = tuple(Place)[: Place.TILE_1 - 1 + len(state.market.open_tiles)]
    return tuple(place_view(state, place) for place in in_use)


def place_view(state: State, place: Place) -> PlaceView:
    placing = any(isinstance(task, Placing) for task in state.agenda)
    seats = state.clockwise(Seat(0)) if placing else ()
    open_to = frozenset(seat for seat in seats if may_place_at(state, seat, place))
    return PlaceView(place, CAPACITY[place - 1], state.at(place), open_to)


def card_view(state: State, slot: int) -> CardView:
    card, bill = state.market.display[slot - 1], CARD_BILL[slot - 1]
    return CardView(slot, bill.least, card, frozenset() if card is None else payers(state, bill))


def tile_view(state: State, stack: int) -> TileView:
    tile, face_down = state.market.open_tiles[stack - 1], state.market.stacks[stack - 1]
    if tile is None:
        return TileView(stack, face_down, None, 0, 0, None, None, frozenset())
    bill = TILE_BILL[tile]
    return TileView(
        stack, face_down, tile, bill.least, bill.most, bill.kinds, bill.exactly, payers(state, bill)
    )


def payers(state: State, bill: Bill) -> frozenset[Seat]:
    return frozenset(Seat(seat) for seat, player in enumerate(state.players) if can_pay(bill, player))


def witness(event: Event, seat: Seat | None) -> Event:
    """SA-26: returns the event as a seat sees it; other seats do not see which card was drawn."""
    match event:
        case CardDrawn(owner) if owner != seat:
            return CardDrawn(owner, Hidden())
        case _:
            return event
