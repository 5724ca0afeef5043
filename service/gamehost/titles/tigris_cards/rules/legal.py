"""The legal actions of a seat, and the forced action if everyone can see that there is only one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from gamehost.rules.kit import Seat

from .actions import (
    Action,
    BuildShip,
    ChooseConflict,
    CommitCards,
    Decline,
    EndTurn,
    ExchangeTreasure,
    LayCard,
    LayLink,
    PlaceLeader,
    PlayCalamity,
    TakeIncome,
    TakePoint,
    WithdrawLeader,
)
from .decisions import asked
from .material import COLOURS, GAPS, HAND, HEADS, Colour, Face, Ship
from .model import Card, Conflict, Exchange, Linking, Place, PointOffer, ShipOffer, State, Table, Turn
from .options import Options
from .refusals import (
    CHECKS,
    no_calamity,
    no_footing,
    no_link,
    no_room,
    no_withdrawal,
    refusal_of_action,
    refusal_of_seat,
)
from .regions import GAP_PLACES, PLACES

KINDS: Final = tuple(CHECKS)
LAY_CARD: Final = tuple(tuple(LayCard(colour, column) for column in range(HEADS)) for colour in COLOURS)
LAY_LINK: Final = tuple(tuple(LayLink(colour, gap) for gap in range(GAPS)) for colour in COLOURS)
WITHDRAW: Final = tuple(map(WithdrawLeader, COLOURS))
COMMIT: Final = tuple(tuple(CommitCards(colour, count) for count in range(HAND + 1)) for colour in COLOURS)
SHIPS: Final = tuple(map(BuildShip, Ship))
EXCHANGE: Final = tuple(map(ExchangeTreasure, range(HEADS)))
INCOME: Final = tuple(map(TakeIncome, COLOURS))
CONFLICTS: Final = tuple(map(ChooseConflict, COLOURS))
END_TURN: Final = EndTurn()
TAKE_POINT: Final = TakePoint()
DECLINE: Final = Decline()


def legal_actions(state: State, seat: Seat) -> Iterator[Action]:
    if refusal_of_seat(state, seat) is not None:
        return iter(())
    if isinstance(state.agenda[-1], Turn):
        return iter(_turn_actions(state, seat))
    return (action for action in _candidates(state, seat) if refusal_of_action(state, seat, action) is None)


def forced(state: State) -> Action | None:
    """Returns the only answer if everyone can see that there is no other, else None.

    An empty hand is public, and so are the conflicts of a link. In all other cases the seat is asked:
    skipping the question would reveal something about its hand.
    """
    seat = asked(state)
    if any(state.hands[seat]) and not isinstance(state.agenda[-1], Linking):
        return None
    first, *others = legal_actions(state, seat)
    return None if others else first


def _candidates(state: State, seat: Seat) -> tuple[Action, ...]:
    """Returns actions that include all legal answers."""
    match state.agenda[-1]:
        case PointOffer():
            return (TAKE_POINT, DECLINE)
        case ShipOffer():
            return (*SHIPS, DECLINE)
        case Linking():
            return CONFLICTS
        case Conflict(suit=suit):
            return COMMIT[suit][: state.hands[seat][suit] + 1]
        case Exchange():
            return (*EXCHANGE, DECLINE)
        case _:
            return (*INCOME, DECLINE)


def _turn_actions(state: State, seat: Seat) -> list[Action]:
    """Returns the legal actions of a turn. Shares the checks of `refusals` between actions, for speed."""
    table, uses = state.table, _uses(state.options, state.calamities[seat])
    actions = [END_TURN, *_layings(table, state.hands[seat])]
    own: list[Colour] = []
    for cards, places in zip((*table.columns, table.links), (*uses.columns, uses.links), strict=True):
        for card, here in zip(cards, places, strict=False):
            if card is None:
                continue
            if card.leader is None:
                actions += here[card.face]
            elif card.leader.seat == seat:
                own.append(card.leader.colour)
    if no_withdrawal(state.options) is None:
        actions += [WITHDRAW[colour] for colour in own]
    return actions


def _layings(table: Table, hand: tuple[int, ...]) -> list[Action]:
    columns = [column for column in range(HEADS) if no_room(table, column) is None]
    gaps = [gap for gap in range(GAPS) if no_link(table, gap) is None]
    layings: list[Action] = []
    for colour, held in enumerate(hand):
        if held:
            cards, links = LAY_CARD[colour], LAY_LINK[colour]
            layings += [cards[column] for column in columns]
            layings += [links[gap] for gap in gaps]
    return layings


class Uses(NamedTuple):
    """The legal actions on a card without a leader, by the place and the face of the card."""

    columns: tuple[tuple[tuple[tuple[Action, ...], ...], ...], ...]
    links: tuple[tuple[tuple[Action, ...], ...], ...]


@cache
def _uses(options: Options, calamity: bool) -> Uses:
    """Returns the actions for every place and face. They depend on nothing else, so they are cached."""

    def here(place: Place) -> tuple[tuple[Action, ...], ...]:
        return tuple(tuple(_uses_of(Card(face), place, options, calamity)) for face in Face)

    return Uses(tuple(tuple(map(here, places)) for places in PLACES), tuple(map(here, GAP_PLACES)))


def _uses_of(card: Card, place: Place, options: Options, calamity: bool) -> Iterator[Action]:
    for colour in COLOURS:
        if no_footing(card, colour, options) is None:
            yield PlaceLeader(colour, place)
    if calamity and no_calamity(card, place) is None:
        yield PlayCalamity(place)
