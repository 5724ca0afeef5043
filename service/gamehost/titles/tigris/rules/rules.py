"""The rules of Tigris & Euphrates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from gamehost.rules.kit import Seat, TitleRules

from . import answers, decisions, describe, evolve, imagine, legal, refusals, scoring, setup, view
from .actions import Action
from .events import Event, GameEnded, TilesDrawn
from .evolve import GameStory
from .model import State, View
from .options import Options


class Tigris(TitleRules[Options, State, Action, Event, View]):
    title = "tigris"
    name = "Tigris & Euphrates"
    summary = "Two to four dynasties found kingdoms between two rivers; the weakest of four spheres counts."
    version = 1
    seats = range(2, 5)
    options = Options
    actions: tuple[type, ...] = get_args(Action)
    events: tuple[type, ...] = get_args(Event)
    views = View
    texts: Mapping[str, str] = describe.TEXTS
    blank = State()
    final: frozenset[type] = frozenset({TilesDrawn, GameEnded})

    decisions = staticmethod(decisions.decisions)
    legal_actions = staticmethod(legal.legal_actions)
    refusal = staticmethod(refusals.refusal)
    evolve = staticmethod(evolve.evolve)
    witness = staticmethod(view.witness)
    view = staticmethod(view.view)
    imagine = staticmethod(imagine.imagine)
    outcome = staticmethod(scoring.outcome)
    describe = staticmethod(describe.describe)

    def begin(self, story: GameStory, options: Options, seats: int) -> None:
        setup.set_up(story, options, seats)

    def act(self, story: GameStory, seat: Seat, action: Action) -> None:
        answers.answer(story, seat, action)


TIGRIS: Final = Tigris()
