"""The state of a game, and the view of a seat."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Seat

from .material import DECK, Card
from .options import Options


@dataclass(frozen=True, slots=True)
class SeatState:
    """The complete state of one seat."""

    hand: frozenset[Card] = frozenset()
    chosen: Card | None = None  # no longer in the hand
    points: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """The complete state of a game."""

    options: Options = Options()  # noqa: RUF009  it is frozen
    seats: tuple[SeatState, ...] = ()
    deck: frozenset[Card] = DECK  # a set: no order exists before a draw, so none can leak
    played: tuple[Card, ...] = ()
    over: bool = False


@dataclass(frozen=True, slots=True)
class SeatView:
    """The public information about one seat."""

    hand_size: int
    has_chosen: bool
    points: int


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat, or a spectator, sees it."""

    seat: Seat | None
    options: Options
    hand: frozenset[Card]
    chosen: Card | None
    seats: tuple[SeatView, ...]
    deck_size: int
    played: tuple[Card, ...]
    over: bool
