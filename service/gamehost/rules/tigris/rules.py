"""Tigris & Euphrates as the kit wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, get_args

from ..kit import Chance, Seat
from . import evolve, imagination, legal, questions, scoring
from .actions import Action
from .answers import answer
from .course import Course
from .events import Event, GameEnded, TilesDrawn
from .model import State
from .options import Options
from .refusals import refusal
from .setup import set_up
from .texts import TEXTS, describe
from .view import view, witness


class Tigris:
    title = "tigris"
    name = "Tigris & Euphrates"
    summary = "Two to four dynasties found kingdoms between two rivers; the weakest of four spheres counts."
    version = 1
    seats = range(2, 5)
    options = Options
    actions: tuple[type, ...] = get_args(Action)
    texts: Mapping[str, str] = TEXTS
    blank = State()
    final: frozenset[type] = frozenset({TilesDrawn, GameEnded})

    decisions = staticmethod(questions.decisions)
    legal_actions = staticmethod(legal.legal_actions)
    evolve = staticmethod(evolve.evolve)
    view = staticmethod(view)
    witness = staticmethod(witness)
    imagine = staticmethod(imagination.imagine)
    outcome = staticmethod(scoring.outcome)
    describe = staticmethod(describe)

    def setup(self, options: Options, seats: int, chance: Chance) -> Sequence[Event]:
        if seats not in self.seats:
            raise ValueError(f"{self.name} is for two to four, not {seats}")
        story = Course(self.blank, chance)
        set_up(story, options, seats)
        return story.events

    def decide(self, state: State, seat: Seat, action: Action, chance: Chance) -> Sequence[Event]:
        if (refused := refusal(state, seat, action)) is not None:
            raise refused
        story = Course(state, chance)
        answer(story, seat, action)
        return story.events


TIGRIS: Final = Tigris()
