"""Checks whether an action is allowed, and gives the reason if it is not."""

from __future__ import annotations

from gamehost.rules.kit import IllegalAction, Seat

from .actions import Action, ChooseCard, ChooseRelic
from .material import PRINTS, Card
from .model import Phase, State


def refusal(state: State, seat: Seat, action: Action) -> IllegalAction | None:
    """Returns why the rules refuse the action, or None. Uses nothing that is hidden from the seat (TT-3)."""
    if state.phase is Phase.FINISHED:
        return IllegalAction("GAME_OVER", "TT-8", "the game is over")
    if seat not in range(len(state.seats)):
        return IllegalAction("NOT_YOUR_DECISION", "TT-1", "there are two seats")
    if state.seats[seat].has_chosen:
        return IllegalAction("NOT_YOUR_DECISION", "TT-4", "you have chosen, and a choice is final")
    match action:
        case ChooseCard(card):
            return refusal_of_card(state, seat, card)
        case ChooseRelic(relic, removed):
            return refusal_of_relic(state, seat, relic, removed)


def refusal_of_card(state: State, seat: Seat, card: Card) -> IllegalAction | None:
    if state.phase is not Phase.DRAFTING:
        return IllegalAction("WRONG_KIND_OF_ACTION", "TT-6", "a relic is to be chosen, not a card")
    if card not in state.seats[seat].hand:
        return IllegalAction("CARD_NOT_IN_HAND", "TT-2", f"{PRINTS[card].name} is not in your hand")
    return None


def refusal_of_relic(state: State, seat: Seat, relic: Card, removed: Card) -> IllegalAction | None:
    if state.phase is not Phase.CHOOSING_RELICS:
        return IllegalAction("WRONG_KIND_OF_ACTION", "TT-2", "a card is to be chosen, not a relic")
    for card in (relic, removed):
        if card in state.seats[seat].relics:
            return IllegalAction("RELIC_STAYS", "TT-7", f"{PRINTS[card].name} is a relic already")
        if card not in state.seats[seat].played:
            detail = f"{PRINTS[card].name} is not among the cards you played this round"
            return IllegalAction("CARD_NOT_PLAYED", "TT-6", detail)
    if relic == removed:
        return IllegalAction("SAME_CARD_TWICE", "TT-6", f"{PRINTS[relic].name} cannot both stay and go")
    return None
