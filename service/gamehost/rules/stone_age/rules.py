"""Stone Age as the kit wants it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..kit import Chance, Decision, Outcome, Seat, Story, Text
from . import legal, scoring, texts, turns, view
from .actions import ACTIONS, Action
from .events import FINAL, Event
from .evolve import evolve
from .model import State, View
from .options import Options


class StoneAge:
    title = "stone_age"
    name = "Stone Age"
    summary = "Two to four tribes place people, gather and build, and feed everyone at the end of each round."
    version = 1
    seats = range(2, 5)
    options = Options
    actions = ACTIONS
    texts = texts.TEXTS
    blank = State()
    final: frozenset[type] = FINAL

    def setup(self, options: Options, seats: int, chance: Chance) -> Sequence[Event]:
        if seats not in self.seats:
            raise ValueError(f"{self.name} is for two to four, not {seats}")
        if options.max_rounds < 1:
            raise ValueError("a game has at least one round")
        story = Story(evolve, self.blank)
        turns.set_up(story, options, seats, chance)
        return story.events

    def decisions(self, state: State) -> Sequence[Decision]:
        return legal.decisions(state)

    def legal_actions(self, state: State, seat: Seat) -> Iterator[Action]:
        return legal.legal_actions(state, seat)

    def decide(self, state: State, seat: Seat, action: Action, chance: Chance) -> Sequence[Event]:
        if (refusal := legal.refusal(state, seat, action)) is not None:
            raise refusal
        story = Story(evolve, state)
        turns.answer(story, seat, action, chance)
        return story.events

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def view(self, state: State, seat: Seat | None) -> View:
        return view.view(state, seat)

    def witness(self, event: Event, seat: Seat | None) -> Event:
        return view.witness(event, seat)

    def imagine(self, known: View, chance: Chance, seen: Sequence[Event] = ()) -> State:
        """A view carries all that was ever seen and still matters, so there is nothing to remember."""
        return view.imagine(known, chance)

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state)

    def describe(self, action: Action) -> Text:
        return texts.describe(action)


STONE_AGE: Final = StoneAge()
