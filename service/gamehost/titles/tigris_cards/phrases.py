"""Phrases for the talk at a table of this title."""

from __future__ import annotations

from gamehost.rules.phrases import Phrase

PHRASES = (
    Phrase("tigris_cards.talk.war", "This means war!", "¡Esto es la guerra!", "Isto é guerra!"),
    Phrase("tigris_cards.talk.peace", "Let us keep the peace.", "Mantengamos la paz.", "Vamos manter a paz."),
    Phrase("tigris_cards.talk.nice_temple", "A fine temple!", "¡Bonito templo!", "Belo templo!"),
    Phrase(
        "tigris_cards.talk.no_cards",
        "I have nothing to add.",
        "No tengo nada que añadir.",
        "Não tenho nada a acrescentar.",
    ),
)
