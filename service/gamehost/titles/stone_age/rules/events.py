"""What happens in Stone Age. Slots and stacks are counted from 1; slot 1 is the rightmost card."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .goods import Good, Resources
from .material import Card, EndReason, Phase, Place, Tile
from .options import Options


@dataclass(frozen=True, slots=True)
class GameBegun:
    options: Options
    seats: int
    start_player: Seat


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """The start player has moved on and every tool is ready."""

    round: int
    start_player: Seat


@dataclass(frozen=True, slots=True)
class CardSlid:
    card: Card
    from_slot: int
    to_slot: int


@dataclass(frozen=True, slots=True)
class CardRevealed:
    slot: int
    card: Card


@dataclass(frozen=True, slots=True)
class TileRevealed:
    stack: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class TurnBegun:
    seat: Seat
    phase: Phase


@dataclass(frozen=True, slots=True)
class PeoplePlaced:
    seat: Seat
    place: Place
    people: int


@dataclass(frozen=True, slots=True)
class PeopleReturned:
    """They come home; what their place gives follows."""

    seat: Seat
    place: Place
    people: int


@dataclass(frozen=True, slots=True)
class ToolMade:
    seat: Seat
    space: int  # 0 to 2
    value: int


@dataclass(frozen=True, slots=True)
class PersonBorn:
    seat: Seat
    people: int  # now


@dataclass(frozen=True, slots=True)
class FoodTrackRaised:
    seat: Seat
    food_track: int  # now


@dataclass(frozen=True, slots=True)
class DiceRolled:
    seat: Seat
    good: Good
    faces: tuple[int, ...]
    sum: int


@dataclass(frozen=True, slots=True)
class RollCounted:
    """The dice and the tools added, divided by what the good asks for."""

    seat: Seat
    good: Good
    sum: int
    tools: tuple[int, ...]  # spaces, lowest first
    one_use_tools: tuple[int, ...]  # values, lowest first
    total: int
    divisor: int
    gained: int


@dataclass(frozen=True, slots=True)
class CardOffered:
    seat: Seat
    slot: int
    card: Card
    cost: int


@dataclass(frozen=True, slots=True)
class CardBought:
    seat: Seat
    slot: int
    card: Card
    paid: Resources


@dataclass(frozen=True, slots=True)
class CardDeclined:
    seat: Seat
    slot: int


@dataclass(frozen=True, slots=True)
class TileOffered:
    seat: Seat
    stack: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class TileBuilt:
    seat: Seat
    stack: int
    tile: Tile
    paid: Resources
    points: int


@dataclass(frozen=True, slots=True)
class TileDeclined:
    seat: Seat
    stack: int


@dataclass(frozen=True, slots=True)
class FoodGained:
    seat: Seat
    food: int


@dataclass(frozen=True, slots=True)
class ResourcesGained:
    seat: Seat
    resources: Resources


@dataclass(frozen=True, slots=True)
class PointsGained:
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class OneUseToolGained:
    seat: Seat
    value: int


@dataclass(frozen=True, slots=True)
class AnyTwoGained:
    """Two resources of choice are the seat's to take later."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AnyTwoTaken:
    seat: Seat
    resources: Resources


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """Off the deck, for its lower half alone."""

    seat: Seat
    card: Card | Hidden


@dataclass(frozen=True, slots=True)
class DiceForAllRolled:
    seats: tuple[Seat, ...]  # the order in which they take a die
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DieTaken:
    seat: Seat
    face: int


@dataclass(frozen=True, slots=True)
class FoodProduced:
    """By the food track, before feeding."""

    seat: Seat
    food: int


@dataclass(frozen=True, slots=True)
class PeopleFed:
    seat: Seat
    food: int
    resources: Resources


@dataclass(frozen=True, slots=True)
class WentHungry:
    seat: Seat
    food: int  # all there was, paid in vain
    points_lost: int


@dataclass(frozen=True, slots=True)
class FinalScore:
    """Where the points of a seat come from; `total` is their sum, hunger taken off."""

    tiles: int
    cards: int  # scored when bought
    hunger: int
    cultures: int
    farmers: int
    toolmakers: int
    hut_builders: int
    shamans: int
    resources: int
    any_two: int
    total: int


@dataclass(frozen=True, slots=True)
class SeatScored:
    seat: Seat
    drawn: tuple[Card, ...]  # shown now
    score: FinalScore


@dataclass(frozen=True, slots=True)
class GameEnded:
    reason: EndReason


Event = (
    GameBegun
    | RoundBegun
    | CardSlid
    | CardRevealed
    | TileRevealed
    | TurnBegun
    | PeoplePlaced
    | PeopleReturned
    | ToolMade
    | PersonBorn
    | FoodTrackRaised
    | DiceRolled
    | RollCounted
    | CardOffered
    | CardBought
    | CardDeclined
    | TileOffered
    | TileBuilt
    | TileDeclined
    | FoodGained
    | ResourcesGained
    | PointsGained
    | OneUseToolGained
    | AnyTwoGained
    | AnyTwoTaken
    | CardDrawn
    | DiceForAllRolled
    | DieTaken
    | FoodProduced
    | PeopleFed
    | WentHungry
    | SeatScored
    | GameEnded
)

FINAL: frozenset[type] = frozenset(
    {CardRevealed, TileRevealed, DiceRolled, DiceForAllRolled, CardDrawn, SeatScored, GameEnded}
)
"""What luck gave, or uncovered."""
