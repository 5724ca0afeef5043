"""Who is asked what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..kit import Decision, Seat
from .actions import (
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
from .material import GAPS, HEADS, Ship
from .model import Conflict, Exchange, Income, Leader, Linking, PointOffer, ShipOffer, State, Turn
from .table import has_room, takes_link
from .texts import prompt

ANSWERS: Final[dict[type, tuple[type, ...]]] = {
    Turn: (LayCard, LayLink, PlaceLeader, WithdrawLeader, PlayCalamity, EndTurn),
    PointOffer: (TakePoint, Decline),
    ShipOffer: (BuildShip, Decline),
    Linking: (ChooseConflict,),
    Conflict: (CommitCards,),
    Exchange: (ExchangeTreasure, Decline),
    Income: (TakeIncome, Decline),
}
"""The actions that may answer each phase."""

RULES: Final[dict[type, str]] = {
    Turn: "EC-9",
    PointOffer: "EC-20",
    ShipOffer: "EC-23",
    Linking: "EC-40",
    Exchange: "EC-22",
    Income: "EC-50",
}


def asked(state: State) -> Seat:
    """The seat the uppermost phase puts its question to."""
    phase = state.agenda[-1]
    if isinstance(phase, (PointOffer, Exchange)):
        return phase.seat
    if isinstance(phase, Conflict):
        return phase.attacker if phase.attacker_cards is None else phase.defender
    return state.active


def rule(state: State) -> str:
    """The rule the open question rests on."""
    *earlier, phase = state.agenda
    match phase:
        case Conflict():
            return phase.rule
        case PointOffer(column=None):  # after a conflict, which a link caused or a leader
            return "EC-40" if isinstance(earlier[-1], Linking) else "EC-30"
        case _:
            return RULES[type(phase)]


def decisions(state: State) -> Sequence[Decision]:
    """At most one: nobody answers at the same time as another."""
    if not state.agenda:
        return ()
    phase = state.agenda[-1]
    kinds = _possible(state) if isinstance(phase, Turn) else ANSWERS[type(phase)]
    return (Decision(f"q{state.moment}", asked(state), kinds, prompt(phase)),)


def _possible(state: State) -> tuple[type, ...]:
    """The kinds of action the active seat has at least one of, as anyone at the table can tell."""
    table, seat = state.table, state.active
    holds = any(state.hands[seat])
    heads = [column[0].leader for column in table.columns]
    below = [card.leader for column in table.columns for card in column[1:]]
    below += [link.leader for link in table.links if link is not None]
    free = below.count(None) > len(Ship) - len(state.ships)  # nobody ever stands on a ship
    possible = {
        LayCard: holds and any(has_room(table, column) for column in range(HEADS)),
        LayLink: holds and any(takes_link(table, gap) for gap in range(GAPS)),
        PlaceLeader: free or None in heads,
        WithdrawLeader: state.options.voluntary_withdrawal and _stands_among(seat, heads + below),
        PlayCalamity: free and state.calamities[seat],
        EndTurn: True,
    }
    return tuple(kind for kind, is_possible in possible.items() if is_possible)


def _stands_among(seat: Seat, leaders: list[Leader | None]) -> bool:
    return seat in {leader.seat for leader in leaders if leader is not None}
