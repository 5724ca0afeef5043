"""The rules of Tides of Time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from gamehost.rules.kit import Seat, TitleRules

from . import describe, evolve, imagine, legal, rounds, scoring, setup, view
from .actions import Action, ChooseCard, ChooseRelic
from .events import CardChosen, Event, RelicChosen
from .evolve import GameStory
from .model import State, View
from .options import Options


class Tides(TitleRules[Options, State, Action, Event, View]):
    title = "tides"
    name = "Tides of Time"
    summary = "Two players draft five cards in each of three rounds and keep a relic of every tide."
    version = 1
    seats = range(2, 3)
    options = Options
    actions: tuple[type, ...] = get_args(Action)
    events: tuple[type, ...] = get_args(Event)
    views = View
    texts: Mapping[str, str] = describe.TEXTS
    blank = State()
    final: frozenset[type] = frozenset({CardChosen, RelicChosen})  # TT-4

    decisions = staticmethod(legal.decisions)
    legal_actions = staticmethod(legal.legal_actions)
    refusal = staticmethod(legal.refusal)
    evolve = staticmethod(evolve.evolve)
    witness = staticmethod(view.witness)
    view = staticmethod(view.view)
    imagine = staticmethod(imagine.imagine)
    outcome = staticmethod(scoring.outcome)
    describe = staticmethod(describe.describe)

    def begin(self, story: GameStory, options: Options, seats: int) -> None:
        setup.set_up(story, options)

    def act(self, story: GameStory, seat: Seat, action: Action) -> None:
        match action:
            case ChooseCard(card):
                rounds.choose_card(story, seat, card)
            case ChooseRelic():
                rounds.choose_relic(story, seat, action)


TIDES: Final = Tides()
