"""What each seat knows, and worlds that fit what it knows."""

from __future__ import annotations

from ..kit import Chance, Hidden, Seat
from .events import CardDrawn, Event
from .goods import Bill
from .material import CAPACITY, CARD_BILL, DECK, TILE_BILL, TILES, Card, Place
from .model import CardView, Feeding, Market, PlaceView, Placing, Player, PlayerView, State, TileView, View
from .payments import can_pay
from .placing import may_place_at


def view(state: State, seat: Seat | None) -> View:
    """Private is only the card a seat drew; hidden from all the deck and the stacks."""
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
    """SA-30: with what the track will give, unless it has given already."""
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
    """SA-26: the others see that a card was drawn, not which."""
    match event:
        case CardDrawn(owner) if owner != seat:
            return CardDrawn(owner, Hidden())
        case _:
            return event


def imagine(view: View, chance: Chance) -> State:
    """A world with this view: drawn cards and the deck dealt anew from what the viewer has not seen."""
    unseen = unseen_cards(view)
    cards = list(chance.draw(unseen, len(unseen)))
    players = tuple(imagine_player(known, cards) for known in view.players)
    return State(
        options=view.options,
        round=view.round,
        start_player=view.start_player,
        told=view.told,
        agenda=view.agenda,
        players=players,
        people=imagine_people(view),
        market=imagine_market(view, frozenset(cards)),
        ended=view.ended,
    )


def imagine_market(view: View, deck: frozenset[Card]) -> Market:
    built = {tile for known in view.players for tile in known.tiles}
    return Market(
        display=tuple(offer.card for offer in view.cards),
        deck=deck,
        open_tiles=tuple(offer.tile for offer in view.tiles),
        stacks=tuple(offer.face_down for offer in view.tiles),
        unseen_tiles=frozenset(TILES) - built - {offer.tile for offer in view.tiles},
    )


def unseen_cards(view: View) -> list[Card]:
    seen = {offer.card for offer in view.cards}
    for known in view.players:
        seen.update(known.cards)
        if not isinstance(known.drawn, Hidden):
            seen.update(known.drawn)
    return [card for card in DECK if card not in seen]


def imagine_people(view: View) -> tuple[tuple[int, ...], ...]:
    """Stacks out of use are empty places."""
    nobody = (0,) * len(view.players)
    there = tuple(place.people for place in view.places)
    return there + (nobody,) * (len(Place) - len(there))


def imagine_player(known: PlayerView, cards: list[Card]) -> Player:
    """Takes from `cards` what this player may have drawn."""
    if isinstance(known.drawn, Hidden):
        drawn = tuple(cards.pop() for _ in range(known.drawn.count))
    else:
        drawn = known.drawn
    return Player(
        people=known.people,
        food=known.food,
        food_track=known.food_track,
        resources=known.resources,
        tools=known.tools,
        one_use_tools=known.one_use_tools,
        any_two=known.any_two,
        cards=known.cards,
        drawn=drawn,
        tiles=known.tiles,
        tile_points=known.tile_points,
        card_points=known.card_points,
        hunger=known.hunger,
        final_score=known.final_score,
    )
