"""The rules of the Euphrates & Tigris card game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from gamehost.rules.kit import Seat, TitleRules

from . import answers, decisions, describe, ending, evolve, imagine, legal, refusals, setup, view
from .actions import Action
from .events import CardsDrawn, Event, GameEnded, LinkTurnedUp
from .evolve import GameStory
from .model import State, View
from .options import Options


class TigrisCards(TitleRules[Options, State, Action, Event, View]):
    title = "tigris_cards"
    name = "Euphrates & Tigris: The Card Game"
    summary = "Two to four dynasties build and fight over eight columns of cards; the weakest colour counts."
    version = 1
    seats = range(2, 5)
    options = Options
    actions: tuple[type, ...] = get_args(Action)
    events: tuple[type, ...] = get_args(Event)
    views = View
    texts: Mapping[str, str] = describe.TEXTS
    blank = State()
    final: frozenset[type] = frozenset({CardsDrawn, LinkTurnedUp, GameEnded})

    decisions = staticmethod(decisions.decisions)
    legal_actions = staticmethod(legal.legal_actions)
    refusal = staticmethod(refusals.refusal)
    evolve = staticmethod(evolve.evolve)
    witness = staticmethod(view.witness)
    view = staticmethod(view.view)
    imagine = staticmethod(imagine.imagine)
    outcome = staticmethod(ending.outcome)
    describe = staticmethod(describe.describe)

    def begin(self, story: GameStory, options: Options, seats: int) -> None:
        setup.set_up(story, options, seats)

    def act(self, story: GameStory, seat: Seat, action: Action) -> None:
        answers.answer(story, seat, action)
        answers.proceed(story)


TIGRIS_CARDS: Final = TigrisCards()
