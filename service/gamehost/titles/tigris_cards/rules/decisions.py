"""The open decision: which seat is asked which question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from gamehost.rules.kit import Decision, Seat

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
from .describe import prompt
from .material import FIRST_SHIP, GAPS, HEADS
from .model import Conflict, Exchange, Income, Linking, PointOffer, ShipOffer, State, Table, Turn
from .regions import WHOLE, has_room, leaders_in, takes_link

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
    """Returns the seat that the last phase of the agenda asks."""
    phase = state.agenda[-1]
    if isinstance(phase, (PointOffer, Exchange)):
        return phase.seat
    if isinstance(phase, Conflict):
        return phase.attacker if phase.attacker_cards is None else phase.defender
    return state.active


def rule(state: State) -> str:
    """Returns the id of the rule behind the open question."""
    *earlier, phase = state.agenda
    match phase:
        case Conflict():
            return phase.rule
        case PointOffer(column=None):  # after a conflict, caused by a link or by a leader
            return "EC-40" if isinstance(earlier[-1], Linking) else "EC-30"
        case _:
            return RULES[type(phase)]


def decisions(state: State) -> Sequence[Decision]:
    """Returns the open decision; there is at most one at a time."""
    if not state.agenda:
        return ()
    phase = state.agenda[-1]
    kinds = _possible(state) if isinstance(phase, Turn) else ANSWERS[type(phase)]
    return (Decision(f"q{state.moment}", asked(state), kinds, prompt(phase)),)


def _possible(state: State) -> tuple[type, ...]:
    """Returns the kinds of action that may have a legal one, from public information only."""
    table, seat = state.table, state.active
    holds = any(state.hands[seat])
    below = chain(*(column[1:] for column in table.columns), filter(None, table.links))
    free = any(card.leader is None and card.face < FIRST_SHIP for card in below)
    possible = {
        LayCard: holds and any(has_room(table, column) for column in range(HEADS)),
        LayLink: holds and any(takes_link(table, gap) for gap in range(GAPS)),
        PlaceLeader: free or any(column[0].leader is None for column in table.columns),
        WithdrawLeader: state.options.voluntary_withdrawal and _stands(seat, table),
        PlayCalamity: free and state.calamities[seat],
        EndTurn: True,
    }
    return tuple(kind for kind, is_possible in possible.items() if is_possible)


def _stands(seat: Seat, table: Table) -> bool:
    return any(leader.seat == seat for leader in leaders_in(table, WHOLE))
