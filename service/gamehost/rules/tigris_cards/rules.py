"""The Euphrates & Tigris card game as the kit wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..kit import Chance, IllegalAction, Seat, Story
from . import ending, evolve, imagination, legal, questions, setup
from . import texts as wording
from . import view as sight
from .actions import Action
from .answers import answer, proceed
from .events import CardsDrawn, Event, GameEnded, LinkTurnedUp
from .model import Options, State
from .refusals import refusal


class TigrisCards:
    title = "tigris_cards"
    name = "Euphrates & Tigris: The Card Game"
    summary = "Two to four dynasties build and fight over eight columns of cards; the weakest colour counts."
    version = 1
    seats = range(2, 5)
    options = Options
    actions: tuple[type, ...] = tuple(legal.KINDS)
    texts: Mapping[str, str] = wording.TEXTS
    blank = State()
    final: frozenset[type] = frozenset({CardsDrawn, LinkTurnedUp, GameEnded})

    decisions = staticmethod(questions.decisions)
    legal_actions = staticmethod(legal.legal_actions)
    evolve = staticmethod(evolve.evolve)
    view = staticmethod(sight.view)
    witness = staticmethod(sight.witness)
    imagine = staticmethod(imagination.imagine)
    outcome = staticmethod(ending.outcome)
    describe = staticmethod(wording.describe)

    def setup(self, options: Options, seats: int, chance: Chance) -> Sequence[Event]:
        if seats not in self.seats:
            raise ValueError(f"{self.name} is for two to four, not {seats}")
        story = Story(self.evolve, self.blank)
        setup.set_up(story, options, seats, chance)
        return story.events

    def decide(self, state: State, seat: Seat, action: Action, chance: Chance) -> Sequence[Event]:
        if (refused := refusal(state, seat, action)) is not None:
            raise IllegalAction(*refused)
        story = Story(self.evolve, state)
        answer(story, seat, action)
        proceed(story, chance)
        return story.events


TIGRIS_CARDS: Final = TigrisCards()
