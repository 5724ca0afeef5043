"""Checks whether an action is allowed. Both `decide` and the list of legal actions use these functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from gamehost.rules.kit import IllegalAction, Seat

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
from .conflicts import clashes
from .decisions import ANSWERS, asked, rule
from .material import FACE_OF, FIRST_SHIP, GAPS, HEADS, Colour
from .model import (
    Card,
    Conflict,
    Exchange,
    Income,
    Leader,
    Linking,
    Place,
    PointOffer,
    ShipOffer,
    State,
    Table,
)
from .options import Options
from .regions import card_at, find, has_room, takes_link


class Refusal(NamedTuple):
    reason: str
    rule: str
    detail: str


GAME_OVER: Final = Refusal("GAME_OVER", "EC-60", "the game is over")
CARD_NOT_HELD: Final = "CARD_NOT_HELD"


def refusal(state: State, seat: Seat, action: Action) -> IllegalAction | None:
    found = (
        refusal_of_seat(state, seat)
        or refusal_of_kind(state, action)
        or refusal_of_action(state, seat, action)
    )
    return None if found is None else IllegalAction(*found)


def refusal_of_seat(state: State, seat: Seat) -> Refusal | None:
    """Returns why the seat may not act at all, or None."""
    if state.ending is not None:
        return GAME_OVER
    if seat != asked(state):
        return Refusal("NOT_YOUR_DECISION", rule(state), "another seat is asked now")
    return None


def refusal_of_kind(state: State, action: Action) -> Refusal | None:
    """Returns a refusal if the seat is not asked for this kind of action."""
    if type(action) in ANSWERS[type(state.agenda[-1])]:
        return None
    return Refusal("NOT_ASKED", CHECKS[type(action)][0], "this is not what the seat is asked now")


def refusal_of_action(state: State, seat: Seat, action: Action) -> Refusal | None:
    """Returns why the rules refuse an action of the right kind by the right seat, or None."""
    return CHECKS[type(action)][1](state, seat, action)


def _lay_card(state: State, seat: Seat, action: LayCard) -> Refusal | None:
    if not state.hands[seat][action.colour]:
        return Refusal(CARD_NOT_HELD, "EC-20", "no card of that colour in hand")
    return no_room(state.table, action.column)


def no_room(table: Table, column: int) -> Refusal | None:
    if not 0 <= column < HEADS:
        return Refusal("NO_SUCH_COLUMN", "EC-1", f"there are {HEADS} columns")
    if not has_room(table, column):
        return Refusal("COLUMN_FULL", "EC-2", "the column has no free place")
    return None


def _lay_link(state: State, seat: Seat, action: LayLink) -> Refusal | None:
    if not state.hands[seat][action.colour]:
        return Refusal(CARD_NOT_HELD, "EC-21", "no card of that colour in hand")
    return no_link(state.table, action.gap)


def no_link(table: Table, gap: int) -> Refusal | None:
    if not 0 <= gap < GAPS:
        return Refusal("NO_SUCH_GAP", "EC-1", f"there are {GAPS} gaps")
    if table.links[gap] is not None:
        return Refusal("GAP_TAKEN", "EC-21", "a link lies in this gap")
    if not takes_link(table, gap):
        return Refusal("COLUMNS_TOO_SHORT", "EC-21", "both columns need three cards below their heads")
    return None


def _place_leader(state: State, seat: Seat, action: PlaceLeader) -> Refusal | None:
    card = card_at(state.table, action.place)
    if card is None:
        return Refusal("NO_CARD_THERE", "EC-10", "a leader stands on a card, and there is none")
    return no_footing(card, action.colour, state.options)


def no_footing(card: Card, colour: Colour, options: Options) -> Refusal | None:
    if card.leader is not None:
        return Refusal("CARD_OCCUPIED", "EC-10", "a leader stands on this card")
    if card.face >= FIRST_SHIP:
        return Refusal("ON_A_SHIP", "EC-10", "no leader stands on a ship")
    if card.face is FACE_OF[colour] and options.leader_colour_must_differ:
        return Refusal("SAME_COLOUR", "EC-10", "the card has the leader's own colour")
    return None


def _withdraw_leader(state: State, seat: Seat, action: WithdrawLeader) -> Refusal | None:
    if find(state.table, Leader(seat, action.colour)) is None:
        return Refusal("LEADER_NOT_ON_TABLE", "EC-11", "this leader is in the supply")
    return no_withdrawal(state.options)


def no_withdrawal(options: Options) -> Refusal | None:
    if not options.voluntary_withdrawal:
        return Refusal("NO_WITHDRAWAL", "EC-11", "this game is played without withdrawals")
    return None


def _play_calamity(state: State, seat: Seat, action: PlayCalamity) -> Refusal | None:
    if not state.calamities[seat]:
        return Refusal("CALAMITY_USED", "EC-24", "the calamity has been played")
    card = card_at(state.table, action.place)
    if card is None:
        return Refusal("NO_CARD_THERE", "EC-24", "there is no card to remove")
    return no_calamity(card, action.place)


def no_calamity(card: Card, place: Place) -> Refusal | None:
    if place.row == 0:
        return Refusal("IS_A_HEAD", "EC-24", "a head stays")
    if card.face >= FIRST_SHIP:
        return Refusal("IS_A_SHIP", "EC-24", "a ship stays")
    if card.leader is not None:
        return Refusal("CARD_OCCUPIED", "EC-24", "a leader stands on this card")
    return None


def _take_point(state: State, seat: Seat, action: TakePoint) -> Refusal | None:
    phase = state.agenda[-1]
    assert isinstance(phase, PointOffer)
    if not state.hands[seat][phase.colour]:
        return Refusal(CARD_NOT_HELD, rule(state), "no card of that colour in hand")
    return None


def _build_ship(state: State, seat: Seat, action: BuildShip) -> Refusal | None:
    phase = state.agenda[-1]
    assert isinstance(phase, ShipOffer)
    if action.ship not in phase.ships:
        return Refusal("SHIP_NOT_OFFERED", "EC-23", "that ship is gone or shows another colour")
    return None


def _choose_conflict(state: State, seat: Seat, action: ChooseConflict) -> Refusal | None:
    phase = state.agenda[-1]
    assert isinstance(phase, Linking)
    if action.colour not in clashes(state.table, phase.gap):
        return Refusal("NO_SUCH_CONFLICT", "EC-40", "no two leaders of that colour meet")
    return None


def _commit_cards(state: State, seat: Seat, action: CommitCards) -> Refusal | None:
    phase = state.agenda[-1]
    assert isinstance(phase, Conflict)
    if action.colour is not phase.suit:
        return Refusal("WRONG_COLOUR", phase.rule, "this conflict is fought with another colour")
    if not 0 <= action.count <= state.hands[seat][action.colour]:
        return Refusal(CARD_NOT_HELD, phase.rule, "not so many cards of that colour in hand")
    return None


def _exchange_treasure(state: State, seat: Seat, action: ExchangeTreasure) -> Refusal | None:
    phase = state.agenda[-1]
    assert isinstance(phase, Exchange)
    if action.column not in phase.columns:
        return Refusal("NO_TREASURE_THERE", "EC-22", "no treasure of the united kingdom heads that column")
    if not state.hands[seat][Colour.RED]:
        return Refusal(CARD_NOT_HELD, "EC-22", "no red card in hand")
    return None


def _take_income(state: State, seat: Seat, action: TakeIncome) -> Refusal | None:
    phase = state.agenda[-1]
    assert isinstance(phase, Income)
    if not phase.due[action.colour]:
        return Refusal("NO_INCOME_DUE", "EC-50", "no ship earns a card of that colour now")
    if not state.hands[seat][action.colour]:
        return Refusal(CARD_NOT_HELD, "EC-50", "no card of that colour in hand")
    return None


def _never_refused(state: State, seat: Seat, action: Action) -> Refusal | None:
    return None


CHECKS: Final[dict[type, tuple[str, Callable[[State, Seat, Any], Refusal | None]]]] = {
    LayCard: ("EC-20", _lay_card),
    LayLink: ("EC-21", _lay_link),
    PlaceLeader: ("EC-10", _place_leader),
    WithdrawLeader: ("EC-11", _withdraw_leader),
    PlayCalamity: ("EC-24", _play_calamity),
    EndTurn: ("EC-9", _never_refused),
    TakePoint: ("EC-20", _take_point),
    Decline: ("EC-20", _never_refused),
    BuildShip: ("EC-23", _build_ship),
    ChooseConflict: ("EC-40", _choose_conflict),
    CommitCards: ("EC-40", _commit_cards),
    ExchangeTreasure: ("EC-22", _exchange_treasure),
    TakeIncome: ("EC-50", _take_income),
}
"""The rule of each kind of action, and the function that checks the action."""
