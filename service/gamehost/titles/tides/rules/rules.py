"""The rules of Tides of Time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from gamehost.rules.kit import TitleRules

from . import act, decisions, describe, evolve, imagine, legal, refusals, scoring, setup, view
from .actions import Action
from .events import CardChosen, Event, RelicChosen
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


TIDES: Final = Tides()
