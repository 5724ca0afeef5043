"""Phrases for the talk at a table of this title."""

from __future__ import annotations

from gamehost.rules.phrases import Phrase

PHRASES = (
    Phrase(
        "stone_age.talk.need_food",
        "My people are hungry.",
        "Mi gente tiene hambre.",
        "Meu povo está com fome.",
    ),
    Phrase(
        "stone_age.talk.my_place", "I wanted that place!", "¡Yo quería ese sitio!", "Eu queria esse lugar!"
    ),
    Phrase("stone_age.talk.dice", "What a roll!", "¡Vaya tirada!", "Que lançamento!"),
    Phrase("stone_age.talk.nice_hut", "A fine hut!", "¡Bonita cabaña!", "Bela cabana!"),
)
