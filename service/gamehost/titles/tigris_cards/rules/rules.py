"""The rules of the Euphrates & Tigris card game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from gamehost.rules.kit import TitleRules

from . import act, decisions, describe, evolve, imagine, legal, refusals, scoring, setup, view
from .actions import Action
from .events import CardsDrawn, Event, GameEnded, LinkTurnedUp
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

    begin = staticmethod(setup.set_up)
    decisions = staticmethod(decisions.decisions)
    refusal = staticmethod(refusals.refusal)
    legal_actions = staticmethod(legal.legal_actions)
    act = staticmethod(act.act)
    outcome = staticmethod(scoring.outcome)
    evolve = staticmethod(evolve.evolve)
    witness = staticmethod(view.witness)
    view = staticmethod(view.view)
    imagine = staticmethod(imagine.imagine)
    describe = staticmethod(describe.describe)


TIGRIS_CARDS: Final = TigrisCards()
