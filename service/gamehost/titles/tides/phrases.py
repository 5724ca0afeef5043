"""Phrases for the talk at a table of this title."""

from __future__ import annotations

from gamehost.rules.phrases import Phrase

PHRASES = (
    Phrase("tides.talk.my_card", "That card was mine!", "¡Esa carta era mía!", "Essa carta era minha!"),
    Phrase("tides.talk.good_hand", "What a hand!", "¡Menuda mano!", "Que mão!"),
    Phrase(
        "tides.talk.full_suit",
        "You have many of that suit.",
        "Tienes muchas de ese palo.",
        "Você tem muitas desse naipe.",
    ),
    Phrase(
        "tides.talk.next_round",
        "On to the next round!",
        "¡A por la siguiente ronda!",
        "Vamos à próxima rodada!",
    ),
)
