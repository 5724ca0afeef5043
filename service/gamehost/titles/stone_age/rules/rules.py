"""The rules of Stone Age."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from gamehost.rules.kit import TitleRules

from . import act, decisions, describe, evolve, imagine, legal, refusals, scoring, setup, view
from .actions import Action
from .events import (
    CardDrawn,
    CardRevealed,
    DiceForAllRolled,
    DiceRolled,
    Event,
    GameEnded,
    SeatScored,
    TileRevealed,
)
from .model import State, View
from .options import Options


class StoneAge(TitleRules[Options, State, Action, Event, View]):
    title = "stone_age"
    name = "Stone Age"
    summary = "Two to four tribes place people, gather and build, and feed everyone at the end of each round."
    version = 1
    seats = range(2, 5)
    options = Options
    actions: tuple[type, ...] = get_args(Action)
    events: tuple[type, ...] = get_args(Event)
    views = View
    texts: Mapping[str, str] = describe.TEXTS
    blank = State()
    # Events that give or reveal something random, and the end.
    final: frozenset[type] = frozenset(
        {CardRevealed, TileRevealed, DiceRolled, DiceForAllRolled, CardDrawn, SeatScored, GameEnded}
    )

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


STONE_AGE: Final = StoneAge()
