"""The whole truth of a game of Tides of Time, and what one seat knows of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gamehost.rules.kit import Seat

from .actions import ChooseRelic
from .events import RoundScored, Score
from .material import Card
from .options import Options


class Phase(Enum):
    SETTING_UP = 1
    DRAFTING = 2
    CHOOSING_RELICS = 3
    FINISHED = 4


@dataclass(frozen=True, slots=True)
class SeatState:
    hand: frozenset[Card] = frozenset()
    relics: tuple[Card, ...] = ()
    played: tuple[Card, ...] = ()  # this round
    chosen_card: Card | None = None  # no longer in the hand
    chosen_relic: ChooseRelic | None = None

    @property
    def kingdom(self) -> tuple[Card, ...]:
        return self.relics + self.played

    @property
    def has_chosen(self) -> bool:
        return self.chosen_card is not None or self.chosen_relic is not None


@dataclass(frozen=True, slots=True)
class State:
    options: Options = Options()  # noqa: RUF009  it is frozen
    phase: Phase = Phase.SETTING_UP
    round: int = 0
    pile: frozenset[Card] = frozenset(Card)  # a set: no order exists before a draw, so none can leak
    removed: tuple[Card, ...] = ()
    seats: tuple[SeatState, ...] = (SeatState(), SeatState())
    scored: tuple[RoundScored, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatView:
    """What anyone knows of one seat."""

    hand_size: int
    has_chosen: bool
    relics: tuple[Card, ...]
    played: tuple[Card, ...]
    standing: Score  # if the kingdom scored now
    round_points: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class View:
    seat: Seat | None
    options: Options
    phase: Phase
    round: int
    pick: int | None
    hand: frozenset[Card]
    chosen_card: Card | None
    chosen_relic: ChooseRelic | None
    seats: tuple[SeatView, ...]
    pile_size: int
    removed: tuple[Card, ...]
    unseen: frozenset[Card]  # neither face up nor before the viewer
    scored: tuple[RoundScored, ...]
