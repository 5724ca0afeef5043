"""The events of one decision, with the luck they may need."""

from __future__ import annotations

from functools import reduce

from ..kit import Chance
from .events import Event
from .evolve import evolve
from .model import State


class Course:
    """Like the kit's Story, but works out the state only when someone looks at it."""

    __slots__ = ("_seen", "_state", "chance", "events")

    def __init__(self, state: State, chance: Chance) -> None:
        self._state, self._seen = state, 0
        self.chance = chance
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        self.events.append(event)

    @property
    def state(self) -> State:
        if self._seen < len(self.events):
            self._state = reduce(evolve, self.events[self._seen :], self._state)
            self._seen = len(self.events)
        return self._state
