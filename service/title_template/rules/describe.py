"""The texts of the rules by id, and the texts of actions."""

from __future__ import annotations

from gamehost.rules.kit import Text, text

from .actions import Action

TEXTS = {
    "XT-1": "Each player draws three of the sixteen cards; the rest is the deck.",
    "XT-2": "All players secretly choose a card of their hand at the same time.",
    "XT-3": "Then the cards are shown, and the highest one takes a point.",
    "XT-4": "After each round everyone draws a card, as long as there are enough for all.",
    "XT-5": "The game ends when no cards are left. Most points win; equal points share the win.",
}


def describe(action: Action) -> Text:
    return text("example_title.choose_card", "Choose {card}.", card=action.card.value)
