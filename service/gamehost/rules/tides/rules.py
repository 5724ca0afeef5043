"""Tides of Time as the kit wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..kit import Chance, Outcome, Seat, Story, ranks
from . import evolve, legal, tide
from . import texts as wording
from . import view as sight
from .actions import Action, ChooseCard, ChooseRelic
from .events import CardChosen, Event, RelicChosen
from .model import Phase, State
from .options import Options


class Tides:
    title = "tides"
    name = "Tides of Time"
    summary = "Two players draft five cards in each of three rounds and keep a relic of every tide."
    version = 1
    seats = range(2, 3)
    options = Options
    actions: tuple[type, ...] = (ChooseCard, ChooseRelic)
    texts: Mapping[str, str] = wording.TEXTS
    blank = State()
    final: frozenset[type] = frozenset({CardChosen, RelicChosen})  # TT-4

    decisions = staticmethod(legal.decisions)
    legal_actions = staticmethod(legal.legal_actions)
    evolve = staticmethod(evolve.evolve)
    view = staticmethod(sight.view)
    witness = staticmethod(sight.witness)
    imagine = staticmethod(sight.imagine)
    describe = staticmethod(wording.describe)

    def setup(self, options: Options, seats: int, chance: Chance) -> Sequence[Event]:
        """TT-1: a game for two."""
        if seats not in self.seats:
            raise ValueError(f"{self.name} is for two, not {seats}")
        story = Story(self.evolve, self.blank)
        tide.set_up(story, options, chance)
        return story.events

    def decide(self, state: State, seat: Seat, action: Action, chance: Chance) -> Sequence[Event]:
        if (refusal := legal.refusal(state, seat, action)) is not None:
            raise refusal
        story = Story(self.evolve, state)
        match action:
            case ChooseCard(card):
                tide.choose_card(story, seat, card)
            case ChooseRelic():
                tide.choose_relic(story, seat, action, chance)
        return story.events

    def outcome(self, state: State) -> Outcome | None:
        """TT-8: equal totals share the win."""
        if state.phase is not Phase.FINISHED:
            return None
        scores = tide.totals(state)
        return Outcome(ranks(scores), scores, "ROUNDS_PLAYED")


TIDES: Final = Tides()
