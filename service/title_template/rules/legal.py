"""Who is asked what, and why an answer is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamehost.rules.kit import Decision, IllegalAction, Seat, ask, text

from .actions import Action, ChooseCard
from .model import State


def decisions(state: State) -> Sequence[Decision]:
    """XT-2: everyone chooses at the same time; who has chosen is not asked again."""
    if state.over:
        return []
    prompt = text("example_title.prompt.choose_card", "Choose a card to lay face down.")
    waiting = (Seat(number) for number, seat in enumerate(state.seats) if seat.chosen is None)
    return [ask(seat, prompt, ChooseCard) for seat in waiting]


def candidates(state: State, seat: Seat) -> Iterable[Action]:
    """Every card of the hand; the kit leaves out what `forbidden` refuses."""
    return map(ChooseCard, sorted(state.seats[seat].hand))


def forbidden(state: State, seat: Seat, action: Action) -> IllegalAction | None:
    """Why a seat that is asked for this may not do it so. It must not depend on what is hidden from it."""
    if action.card not in state.seats[seat].hand:
        return IllegalAction("CARD_NOT_IN_HAND", "XT-2", f"card {action.card} is not in your hand")
    return None
