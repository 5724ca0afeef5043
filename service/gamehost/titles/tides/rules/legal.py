"""Who is asked what, and why an answer is refused: the one place legality is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations

from gamehost.rules.kit import Decision, IllegalAction, Seat, text

from .actions import Action, ChooseCard, ChooseRelic
from .material import HAND, PRINTS, ROUNDS, Card
from .model import Phase, State


def pick(state: State) -> int | None:
    """Which card of the round is chosen now, from 1."""
    return 1 + len(state.seats[0].played) if state.phase is Phase.DRAFTING else None


def decisions(state: State) -> Sequence[Decision]:
    """TT-2, TT-6: both seats are asked at once; TT-4: one that has chosen is not asked again."""
    waiting = [Seat(number) for number, seat in enumerate(state.seats) if not seat.has_chosen]
    match state.phase:
        case Phase.DRAFTING:
            return [draft_decision(state.round, pick(state), seat) for seat in waiting]
        case Phase.CHOOSING_RELICS:
            return [relic_decision(state.round, seat) for seat in waiting]
        case Phase.SETTING_UP | Phase.FINISHED:
            return []


@cache
def draft_decision(round: int, pick: int | None, seat: Seat) -> Decision:
    prompt = text(
        "tides.prompt.choose_card",
        "Round {round} of {rounds}, card {pick} of {hand}: choose a card to play.",
        round=round,
        rounds=ROUNDS,
        pick=pick,
        hand=HAND,
    )
    return Decision(f"draft.{round}.{pick}.{seat}", seat, (ChooseCard,), prompt)


@cache
def relic_decision(round: int, seat: Seat) -> Decision:
    prompt = text(
        "tides.prompt.choose_relic",
        "After round {round}: choose one card to keep as a relic and one to remove from the game.",
        round=round,
    )
    return Decision(f"relic.{round}.{seat}", seat, (ChooseRelic,), prompt)


def legal_actions(state: State, seat: Seat) -> Iterator[Action]:
    return (action for action in conceivable(state, seat) if refusal(state, seat, action) is None)


def conceivable(state: State, seat: Seat) -> Iterator[Action]:
    if seat in range(len(state.seats)):
        yield from map(ChooseCard, sorted(state.seats[seat].hand))
        yield from (ChooseRelic(*pair) for pair in permutations(sorted(state.seats[seat].played), 2))


def refusal(state: State, seat: Seat, action: Action) -> IllegalAction | None:
    """Why the rules say no, or None. Depends on nothing that is hidden from the seat (TT-3)."""
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
