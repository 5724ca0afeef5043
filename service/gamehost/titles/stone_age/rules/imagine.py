"""Random states that are consistent with what a seat of Stone Age knows."""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.rules.kit import Chance, Hidden

from .events import Event
from .material import DECK, TILES, Card, Place
from .model import Market, Player, PlayerView, State, View


def imagine(view: View, chance: Chance, seen: Sequence[Event] = ()) -> State:
    """Returns a state with this view, in which the cards that the viewer has not seen are dealt at random.

    `seen` is not used: a view contains everything that the seat has seen and that still matters.
    """
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
    """Returns the people on each place. Places of stacks that are not in use are empty."""
    nobody = (0,) * len(view.players)
    there = tuple(place.people for place in view.places)
    return there + (nobody,) * (len(Place) - len(there))


def imagine_player(known: PlayerView, cards: list[Card]) -> Player:
    """Returns the player, whose hidden cards are taken from `cards`."""
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
