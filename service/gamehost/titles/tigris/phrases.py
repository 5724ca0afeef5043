"""Phrases for the talk at a table of this title."""

from __future__ import annotations

from gamehost.rules.phrases import Phrase

PHRASES = (
    Phrase("tigris.talk.war", "This means war!", "¡Esto es la guerra!", "Isto é guerra!"),
    Phrase("tigris.talk.peace", "Let us keep the peace.", "Mantengamos la paz.", "Vamos manter a paz."),
    Phrase("tigris.talk.nice_monument", "A fine monument!", "¡Bonito monumento!", "Belo monumento!"),
    Phrase("tigris.talk.catastrophe", "A catastrophe!", "¡Una catástrofe!", "Uma catástrofe!"),
)
