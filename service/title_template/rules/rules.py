"""The rules of Example Title."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from gamehost.rules.kit import TitleRules

from . import act, decisions, describe, evolve, imagine, legal, refusals, scoring, setup, view
from .actions import Action, ChooseCard
from .events import CardChosen, Event
from .model import State, View
from .options import Options


class ExampleTitle(TitleRules[Options, State, Action, Event, View]):
    title = "example_title"
    name = "Example Title"
    summary = "Everyone lays a card face down; the highest one takes a point."
    version = 1
    seats = range(2, 5)
    options = Options
    actions: tuple[type, ...] = (ChooseCard,)
    events: tuple[type, ...] = get_args(Event)
    views = View
    texts: Mapping[str, str] = describe.TEXTS
    blank = State()
    free: frozenset[type] = frozenset({CardChosen})  # until the cards are shown, a choice can be taken back
    turn_rule = "XT-2"
    end_rule = "XT-5"

    begin = staticmethod(setup.set_up)
    decisions = staticmethod(decisions.decisions)
    forbidden = staticmethod(refusals.forbidden)
    candidates = staticmethod(legal.candidates)
    act = staticmethod(act.act)
    result = staticmethod(scoring.result)
    evolve = staticmethod(evolve.evolve)
    witness = staticmethod(view.witness)
    view = staticmethod(view.view)
    imagine = staticmethod(imagine.imagine)
    describe = staticmethod(describe.describe)


EXAMPLE_TITLE: Final = ExampleTitle()
