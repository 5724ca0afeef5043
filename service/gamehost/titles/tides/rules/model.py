"""The state of a game of Tides of Time, and the view of a seat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gamehost.rules.kit import Seat

from .actions import ChooseRelic
from .events import RoundScored, Score
from .material import Card
from .options import Options


class Phase(Enum):
    """The stage of a game."""

    SETTING_UP = 1
    """Before the first round. No seat acts in this phase."""
    DRAFTING = 2
    """Both seats choose a card of their hand."""
    CHOOSING_RELICS = 3
    """Both seats choose a relic and a card to remove among the five cards that they played this round."""
    FINISHED = 4
    """The game is over."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """The complete state of one seat."""

    hand: frozenset[Card] = frozenset()
    relics: tuple[Card, ...] = ()
    """In the order gained."""
    played: tuple[Card, ...] = ()
    """The cards played this round, in the order played."""
    chosen_card: Card | None = None
    """The card that was chosen and not yet revealed. It is no longer in the hand. Absent if there is none."""
    chosen_relic: ChooseRelic | None = None
    """The choice that was made and not yet revealed. Absent if there is none."""

    @property
    def kingdom(self) -> tuple[Card, ...]:
        return self.relics + self.played

    @property
    def has_chosen(self) -> bool:
        return self.chosen_card is not None or self.chosen_relic is not None


@dataclass(frozen=True, slots=True)
class State:
    """The complete state of a game, including hidden information. Stored in snapshots."""

    options: Options = Options()  # noqa: RUF009  it is frozen
    phase: Phase = Phase.SETTING_UP
    round: int = 0
    """The round, 1 to 3. 0 before the first."""
    pile: frozenset[Card] = frozenset(Card)  # a set: no order exists before a draw, so none can leak
    """The cards that were not drawn yet, in no particular order: a random card is chosen when one is drawn.
    """
    removed: tuple[Card, ...] = ()
    """The cards that are out of the game, in the order removed. Everyone sees them."""
    seats: tuple[SeatState, ...] = (SeatState(), SeatState())
    """The state of each seat."""
    scored: tuple[RoundScored, ...] = ()
    """The scores of the finished rounds."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """The public information about one seat."""

    hand_size: int
    has_chosen: bool
    """True if the seat has made its choice. The choice itself is hidden."""
    relics: tuple[Card, ...]
    """In the order gained."""
    played: tuple[Card, ...]
    """The cards played this round, in the order played."""
    standing: Score
    """The score that the kingdom would have if the round ended now."""
    round_points: tuple[int, ...]
    """The points of each finished round."""
    total: int
    """The points of all finished rounds."""


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat, or a spectator, sees it."""

    seat: Seat | None
    """The seat of the viewer. Absent for a spectator."""
    options: Options
    phase: Phase
    round: int
    """The round, 1 to 3."""
    pick: int | None
    """The number of the card of the round that is being chosen, 1 to 4. Absent outside of drafting."""
    hand: frozenset[Card]
    """The viewer's hand. Empty for a spectator."""
    chosen_card: Card | None
    """The card that the viewer has chosen and that is not yet revealed. Absent if there is none."""
    chosen_relic: ChooseRelic | None
    """The choice that the viewer has made and that is not yet revealed. Absent if there is none."""
    seats: tuple[SeatView, ...]
    """The public information about each seat."""
    pile_size: int
    """The number of cards that were not drawn yet."""
    removed: tuple[Card, ...]
    """The cards that are out of the game, in the order removed."""
    unseen: frozenset[Card]
    """Every card that the viewer cannot see: in the pile, in other hands, or chosen face down by another
    seat.
    """
    scored: tuple[RoundScored, ...]
    """The scores of the finished rounds, card by card."""
