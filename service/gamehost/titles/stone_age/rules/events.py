"""The events of Stone Age. Slots and stacks are counted from 1; slot 1 is the rightmost card."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .final_score import FinalScore
from .goods import Good, Resources
from .material import Card, EndReason, Phase, Place, Tile
from .options import Options


@dataclass(frozen=True, slots=True)
class GameBegun:
    """The game began. Every seat has five people and twelve food."""

    options: Options
    seats: int
    """The number of seats."""
    start_player: Seat
    """The seat that places first."""


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """A round began. All tools can be used again."""

    round: int
    """The round, from 1."""
    start_player: Seat
    """The seat that places first this round."""


@dataclass(frozen=True, slots=True)
class CardSlid:
    """A card that nobody bought moved to the right."""

    card: Card
    from_slot: int
    """1 to 4; slot 1 is the rightmost."""
    to_slot: int
    """1 to 4."""


@dataclass(frozen=True, slots=True)
class CardRevealed:
    """A card of the deck was put into a free slot."""

    slot: int
    """1 to 4; slot 1 is the rightmost and costs one resource."""
    card: Card


@dataclass(frozen=True, slots=True)
class TileRevealed:
    """The next tile of a stack was turned up."""

    stack: int
    """From 1."""
    tile: Tile


@dataclass(frozen=True, slots=True)
class TurnBegun:
    """A seat began its turn in a phase of the round."""

    seat: Seat
    phase: Phase


@dataclass(frozen=True, slots=True)
class PeoplePlaced:
    """A seat put people on a place."""

    seat: Seat
    place: Place
    people: int
    """The number of people."""


@dataclass(frozen=True, slots=True)
class PeopleReturned:
    """A seat took its people back from a place. The events for what the place gives follow."""

    seat: Seat
    place: Place
    people: int
    """The number of people."""


@dataclass(frozen=True, slots=True)
class ToolMade:
    """A seat gained a tool, or the value of one of its tools increased."""

    seat: Seat
    space: int
    """The space of the tool, 0 to 2."""
    value: int
    """Its value now, 1 to 4."""


@dataclass(frozen=True, slots=True)
class PersonBorn:
    """A seat gained a person, who must be fed this round and can be placed from the next round on."""

    seat: Seat
    people: int
    """The number of people of the seat now."""


@dataclass(frozen=True, slots=True)
class FoodTrackRaised:
    """A seat moved up on the food track."""

    seat: Seat
    food_track: int
    """Its position now."""


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """A seat rolled dice for a good. It can add tools next."""

    seat: Seat
    good: Good
    faces: tuple[int, ...]
    """The numbers on the dice."""
    sum: int
    """The sum of the numbers."""


@dataclass(frozen=True, slots=True)
class RollCounted:
    """A roll was evaluated, and the seat gained the good."""

    seat: Seat
    good: Good
    sum: int
    """The sum of the dice."""
    tools: tuple[int, ...]
    """The spaces of the tools that were used, in ascending order."""
    one_use_tools: tuple[int, ...]
    """The values of the one-use tools that were used up, in ascending order."""
    total: int
    """The sum of dice and tools."""
    divisor: int
    """The amount of `total` that one unit of the good costs."""
    gained: int
    """The amount gained: `total` divided by `divisor`, rounded down."""


@dataclass(frozen=True, slots=True)
class CardOffered:
    """A seat can buy the card on which its person stood."""

    seat: Seat
    slot: int
    """1 to 4; slot 1 is the rightmost."""
    card: Card
    cost: int
    """The number of resources, of any kind."""


@dataclass(frozen=True, slots=True)
class CardBought:
    """A seat bought a card. The events for the effect of its upper half follow."""

    seat: Seat
    slot: int
    """1 to 4; slot 1 is the rightmost."""
    card: Card
    paid: Resources


@dataclass(frozen=True, slots=True)
class CardDeclined:
    """A seat did not buy a card."""

    seat: Seat
    slot: int
    """1 to 4; slot 1 is the rightmost."""


@dataclass(frozen=True, slots=True)
class TileOffered:
    """A seat can build the tile on which its person stood."""

    seat: Seat
    stack: int
    """From 1."""
    tile: Tile


@dataclass(frozen=True, slots=True)
class TileBuilt:
    """A seat built a tile and scored its points."""

    seat: Seat
    stack: int
    """From 1."""
    tile: Tile
    paid: Resources
    points: int


@dataclass(frozen=True, slots=True)
class TileDeclined:
    """A seat did not build a tile."""

    seat: Seat
    stack: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class FoodGained:
    """A seat gained food from a card."""

    seat: Seat
    food: int


@dataclass(frozen=True, slots=True)
class ResourcesGained:
    """A seat gained resources from a card or a die."""

    seat: Seat
    resources: Resources


@dataclass(frozen=True, slots=True)
class PointsGained:
    """A seat gained points from a card."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class OneUseToolGained:
    """A seat gained a one-use tool from a card."""

    seat: Seat
    value: int


@dataclass(frozen=True, slots=True)
class AnyTwoGained:
    """A seat gained a card for any two resources, which it can use later."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AnyTwoTaken:
    """A seat used its card for any two resources."""

    seat: Seat
    resources: Resources


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew a card of the deck. Only its lower half counts."""

    seat: Seat
    card: Card | Hidden
    """Absent unless the receiver is the seat that drew."""


@dataclass(frozen=True, slots=True)
class DiceForAllRolled:
    """One die per seat was rolled. Each seat takes one."""

    seats: tuple[Seat, ...]
    """The seats in the order in which they take a die. The buyer of the card is first."""
    faces: tuple[int, ...]
    """The numbers on the dice."""


@dataclass(frozen=True, slots=True)
class DieTaken:
    """A seat took a die. The event for what it gives follows, unless the seat is at its limit."""

    seat: Seat
    face: int
    """The number on the die, 1 to 6."""


@dataclass(frozen=True, slots=True)
class FoodProduced:
    """A seat gained food from its food track, before feeding."""

    seat: Seat
    food: int


@dataclass(frozen=True, slots=True)
class PeopleFed:
    """A seat fed all its people."""

    seat: Seat
    food: int
    """The food that was paid."""
    resources: Resources
    """The resources that were paid."""


@dataclass(frozen=True, slots=True)
class WentHungry:
    """A seat did not feed all its people."""

    seat: Seat
    food: int
    """All food of the seat, which was paid nevertheless."""
    points_lost: int
    """The points lost, as a positive number."""


@dataclass(frozen=True, slots=True)
class SeatScored:
    """A seat was scored at the end of the game."""

    seat: Seat
    drawn: tuple[Card, ...]
    """The cards that the seat drew from the deck. They are public now."""
    score: FinalScore


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over."""

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
"""An event of the game."""
