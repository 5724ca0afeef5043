"""The open decisions: which seat is asked which question."""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.rules.kit import Decision, Seat, ask, text

from .actions import ChooseCard
from .model import State


def decisions(state: State) -> Sequence[Decision]:
    """XT-2: returns a decision for each seat with cards that has not chosen; all are asked at once."""
    prompt = text("example_title.prompt.choose_card", "Choose a card to lay face down.")
    waiting = (number for number, seat in enumerate(state.seats) if seat.hand and seat.chosen is None)
    return [ask(Seat(number), prompt, ChooseCard) for number in waiting]
