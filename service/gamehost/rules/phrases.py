"""Phrases that seats can say to each other with one click."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence in each language of the service. The id is stable: `talk.…` or `<title>.talk.…`."""

    id: str
    english: str
    spanish: str
    portuguese: str


COMMON_PHRASES = (
    Phrase("talk.hello", "Hello!", "¡Hola!", "Olá!"),
    Phrase("talk.good_luck", "Good luck!", "¡Suerte!", "Boa sorte!"),
    Phrase("talk.thinking", "I need a moment.", "Necesito un momento.", "Preciso de um momento."),
    Phrase("talk.well_played", "Well played!", "¡Bien jugado!", "Boa jogada!"),
    Phrase("talk.surprised", "I did not expect that!", "¡No me lo esperaba!", "Por essa eu não esperava!"),
    Phrase("talk.mistake", "That was a mistake of mine.", "Ha sido un error mío.", "Foi um erro meu."),
    Phrase("talk.sorry", "Sorry!", "¡Perdón!", "Desculpe!"),
    Phrase("talk.thanks", "Thank you!", "¡Gracias!", "Obrigado!"),
    Phrase("talk.back_soon", "I will be right back.", "Vuelvo enseguida.", "Já volto."),
    Phrase("talk.good_game", "Good game!", "¡Buena partida!", "Bom jogo!"),
    Phrase("talk.again", "Another game?", "¿Otra partida?", "Mais uma partida?"),
    Phrase("talk.goodbye", "Goodbye!", "¡Adiós!", "Até logo!"),
)
"""The phrases of every title."""
