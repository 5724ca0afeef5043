"""The open decisions: which seat is asked which question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from gamehost.rules.kit import Decision, Seat, text

from .actions import ChooseCard, ChooseRelic
from .material import HAND, ROUNDS
from .model import Phase, State


def pick(state: State) -> int | None:
    """Returns the number of the card of the round that is chosen now, from 1; None outside the draft."""
    return 1 + len(state.seats[0].played) if state.phase is Phase.DRAFTING else None


def decisions(state: State) -> Sequence[Decision]:
    """Returns a decision for each seat that has not chosen: both are asked at once (TT-2, TT-4, TT-6)."""
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
