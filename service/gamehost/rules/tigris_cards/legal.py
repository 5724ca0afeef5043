"""Who is asked what, and every answer the rules accept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..kit import Decision, IllegalAction, Seat
from . import refusals
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
from .material import COLOURS, GAPS, HAND, HEADS, Ship
from .model import Conflict, Exchange, Income, Linking, PointOffer, ShipOffer, State, Table, Turn
from .refusals import ANSWERS, CHECKS, asked, objection, stranger
from .table import GAP_PLACES, PLACES
from .texts import prompt

KINDS: Final = tuple(CHECKS)
LAY_CARD: Final = tuple(tuple(LayCard(colour, column) for column in range(HEADS)) for colour in COLOURS)
LAY_LINK: Final = tuple(tuple(LayLink(colour, gap) for gap in range(GAPS)) for colour in COLOURS)
ON_COLUMN: Final = tuple(
    tuple(tuple(PlaceLeader(colour, place) for colour in COLOURS) for place in places) for places in PLACES
)
ON_LINK: Final = tuple(tuple(PlaceLeader(colour, place) for colour in COLOURS) for place in GAP_PLACES)
WITHDRAW: Final = tuple(map(WithdrawLeader, COLOURS))
STRIKE_COLUMN: Final = tuple(tuple(map(PlayCalamity, places)) for places in PLACES)
STRIKE_LINK: Final = tuple(map(PlayCalamity, GAP_PLACES))
COMMIT: Final = tuple(tuple(CommitCards(colour, count) for count in range(HAND + 1)) for colour in COLOURS)
SHIPS: Final = tuple(map(BuildShip, Ship))
EXCHANGE: Final = tuple(map(ExchangeTreasure, range(HEADS)))
INCOME: Final = tuple(map(TakeIncome, COLOURS))
CONFLICTS: Final = tuple(map(ChooseConflict, COLOURS))
END_TURN: Final = EndTurn()
TAKE_POINT: Final = TakePoint()
DECLINE: Final = Decline()


def decisions(state: State) -> Sequence[Decision]:
    """At most one: nobody answers at the same time as another."""
    if not state.agenda:
        return ()
    phase = state.agenda[-1]
    return (Decision(f"q{state.moment}", asked(state), ANSWERS[type(phase)], prompt(state)),)


def legal_actions(state: State, seat: Seat) -> Iterator[Action]:
    if stranger(state, seat) is not None:
        return iter(())
    return (action for action in _thinkable(state, seat) if objection(state, seat, action) is None)


def refusal(state: State, seat: Seat, action: Action) -> IllegalAction | None:
    refused = refusals.refusal(state, seat, action)
    return None if refused is None else IllegalAction(*refused)


def forced(state: State) -> Action | None:
    """The only answer, if everyone can see that it is the only one.

    An empty hand is seen by all, and so are the conflicts of a link; what else a hand
    rules out stays a question, for to skip it would betray the hand.
    """
    seat = asked(state)
    if any(state.hands[seat]) and not isinstance(state.agenda[-1], Linking):
        return None
    first, *others = legal_actions(state, seat)
    return None if others else first


def _thinkable(state: State, seat: Seat) -> Iterable[Action]:
    """The answers worth asking the rules about."""
    phase = state.agenda[-1]
    if isinstance(phase, Turn):
        return _turn_actions(state, seat)
    if isinstance(phase, PointOffer):
        return (TAKE_POINT, DECLINE)
    if isinstance(phase, ShipOffer):
        return (*SHIPS, DECLINE)
    if isinstance(phase, Linking):
        return CONFLICTS
    if isinstance(phase, Conflict):
        return COMMIT[phase.suit]
    if isinstance(phase, Exchange):
        return (*EXCHANGE, DECLINE)
    assert isinstance(phase, Income)
    return (*INCOME, DECLINE)


def _turn_actions(state: State, seat: Seat) -> Iterator[Action]:
    for colour, count in enumerate(state.hands[seat]):
        if count:
            yield from LAY_CARD[colour]
            yield from LAY_LINK[colour]
    yield from _leader_placings(state.table)
    yield from WITHDRAW
    if state.calamities[seat]:
        yield from _calamities(state.table)
    yield END_TURN


def _leader_placings(table: Table) -> Iterator[Action]:
    for cards, placings in zip(table.columns, ON_COLUMN, strict=True):
        for here in placings[: len(cards)]:
            yield from here
    for link, here in zip(table.links, ON_LINK, strict=True):
        if link is not None:
            yield from here


def _calamities(table: Table) -> Iterator[Action]:
    for cards, strikes in zip(table.columns, STRIKE_COLUMN, strict=True):
        yield from strikes[1 : len(cards)]
    for link, strike in zip(table.links, STRIKE_LINK, strict=True):
        if link is not None:
            yield strike
