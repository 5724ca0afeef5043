"""The state of a game of Stone Age, and the view of a seat."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter

from gamehost.rules.kit import Hidden, Seat, SignedInt

from .final_score import FinalScore
from .goods import NOTHING, Good, Resources
from .material import DECK, FIRST_FOOD, FIRST_PEOPLE, SLOTS, TILES, TOOL_SPACES, Card, EndReason, Place, Tile
from .options import Options

FIRST_SEAT = Seat(0)


@dataclass(frozen=True, slots=True)
class Tool:
    """A space for a tool."""

    value: int = 0
    """1 to 4. 0 if the space is empty."""
    used: bool = False
    """True if the tool was used this round."""


@dataclass(frozen=True, slots=True)
class Player:
    """The complete state of one seat."""

    # The defaults are those of the set-up (SA-1).
    people: int = FIRST_PEOPLE
    food: int = FIRST_FOOD
    food_track: int = 0
    """The position on the food track."""
    resources: Resources = NOTHING
    tools: tuple[Tool, ...] = (Tool(),) * TOOL_SPACES
    one_use_tools: frozenset[int] = frozenset()
    any_two: bool = False
    """True if the seat has a card for any two resources that it has not used."""
    cards: tuple[Card, ...] = ()
    """The cards bought."""
    drawn: tuple[Card, ...] = ()
    """The cards drawn from the deck, which only their owner knows."""
    tiles: tuple[Tile, ...] = ()
    tile_points: int = 0
    """Points scored by building tiles."""
    card_points: int = 0
    """Points scored by buying cards."""
    hunger: int = 0
    """Points lost by not feeding people, as a positive number."""
    final_score: FinalScore | None = None
    """Absent until the game is over."""

    @property
    def score(self) -> int:
        if self.final_score is not None:
            return self.final_score.total
        return self.tile_points + self.card_points - self.hunger

    @property
    def tool_sum(self) -> int:
        return sum(tool.value for tool in self.tools)


@dataclass(frozen=True, slots=True)
class Placing:
    """The seat puts people on a place."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Resolving:
    """The seat chooses which of its places it uses next."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AddingTools:
    """The seat has rolled dice and chooses tools."""

    seat: Seat
    good: Good
    faces: tuple[int, ...]
    """The numbers on the dice."""
    sum: int
    """The sum of the numbers."""


@dataclass(frozen=True, slots=True)
class BuyingCard:
    """The seat pays for a card or declines."""

    seat: Seat
    slot: int
    """1 to 4; slot 1 is the rightmost."""


@dataclass(frozen=True, slots=True)
class BuildingTile:
    """The seat pays for a tile or declines."""

    seat: Seat
    stack: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class TakingDice:
    """The first seat of the list takes a die."""

    seats: tuple[Seat, ...]
    """The seats that have not taken a die yet, in order."""
    faces: tuple[int, ...]
    """The numbers on the dice that were not taken yet."""

    @property
    def seat(self) -> Seat:
        return self.seats[0]


@dataclass(frozen=True, slots=True)
class Feeding:
    """The seat has too little food. It pays resources or goes hungry."""

    seat: Seat


Task = Placing | Resolving | AddingTools | BuyingCard | BuildingTile | TakingDice | Feeding
"""A step that is not finished."""


@dataclass(frozen=True, slots=True)
class Market:
    """The cards and tiles that no seat has."""

    display: tuple[Card | None, ...] = (None,) * SLOTS
    """The slots for cards, rightmost first."""
    deck: frozenset[Card] = frozenset(DECK)  # a set: no order exists before a draw, so none can leak
    """The cards of the deck, in no particular order: a random card is chosen when one is drawn."""
    open_tiles: tuple[Tile | None, ...] = ()
    """The face-up tile of each stack."""
    stacks: tuple[int, ...] = ()
    """The number of face-down tiles of each stack."""
    unseen_tiles: frozenset[Tile] = frozenset(TILES)
    """The tiles that are face down in a stack or out of the game."""


@dataclass(frozen=True, slots=True)
class State:
    """The complete state of a game, including hidden information. Stored in snapshots."""

    options: Options = Options()  # noqa: RUF009  it is frozen
    round: int = 0
    """The round, from 1."""
    start_player: Seat = FIRST_SEAT
    """The seat that places first this round."""
    told: int = 0
    """The number of events so far. It makes decision ids unique."""
    agenda: tuple[Task, ...] = ()
    """A stack of unfinished steps. The last entry is the one that is asked now."""
    players: tuple[Player, ...] = ()
    """The seats, in turn order."""
    people: tuple[tuple[int, ...], ...] = ()  # by place, then by seat
    """One entry per place, in the order of the enum Place."""
    market: Market = Market()
    ended: EndReason | None = None
    """Absent until the game is over."""

    def at(self, place: Place) -> tuple[int, ...]:
        """Returns the number of people on a place, by seat."""
        return self.people[place - 1]

    def home(self, seat: Seat) -> int:
        """Returns how many people of the seat are not placed."""
        placed: int = sum(map(itemgetter(seat), self.people))
        return self.players[seat].people - placed

    def clockwise(self, first: Seat) -> tuple[Seat, ...]:
        """Returns every seat in turn order, beginning with `first`."""
        seats = len(self.players)
        return tuple(Seat((first + step) % seats) for step in range(seats))


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place on which people can be put."""

    place: Place
    capacity: int | None
    """The number of people that fit on the place. Absent if there is no limit."""
    people: tuple[int, ...]
    """The number of people of each seat."""
    open_to: frozenset[Seat]
    """The seats that can still put people here this round."""


@dataclass(frozen=True, slots=True)
class CardView:
    """A slot for a card."""

    slot: int
    """1 to 4; slot 1 is the rightmost."""
    cost: int
    """The number of resources, of any kind."""
    card: Card | None
    """Absent if the card was bought."""
    payable_by: frozenset[Seat]
    """The seats that have enough resources, without their card for any two resources."""


@dataclass(frozen=True, slots=True)
class TileView:
    """A stack of tiles and the cost of its face-up tile."""

    stack: int
    """From 1."""
    face_down: int
    """The number of face-down tiles."""
    tile: Tile | None
    """The face-up tile. Absent if the stack is empty."""
    least: int
    """The smallest number of resources to pay."""
    most: int
    """The largest number of resources to pay."""
    kinds: int | None
    """The exact number of different resources to pay. Absent if any number is allowed."""
    exactly: Resources | None
    """The exact resources to pay. Absent if the seat has a choice."""
    payable_by: frozenset[Seat]
    """The seats that have these resources, without their card for any two resources."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One seat as the viewer sees it."""

    people: int
    people_at_home: int
    """The number of people that are not on a place."""
    food: int
    food_track: int
    """The position on the food track."""
    food_balance: SignedInt
    """The food that would be left after feeding now with food only. Negative if food is lacking."""
    resources: Resources
    tools: tuple[Tool, ...]
    one_use_tools: frozenset[int]
    any_two: bool
    """True if the seat has a card for any two resources that it has not used."""
    cards: tuple[Card, ...]
    """The cards bought."""
    drawn: tuple[Card, ...] | Hidden
    """The cards drawn from the deck. Empty unless this is the viewer's seat or the game is over."""
    tiles: tuple[Tile, ...]
    tile_points: int
    """Points scored by building tiles."""
    card_points: int
    """Points scored by buying cards."""
    hunger: int
    """Points lost by not feeding people, as a positive number."""
    score: SignedInt
    """The points so far."""
    final_score: FinalScore | None
    """Absent until the game is over."""


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat, or a spectator, sees it."""

    seat: Seat | None
    """The seat of the viewer. Absent for a spectator."""
    options: Options
    round: int
    """The round, from 1."""
    start_player: Seat
    """The seat that places first this round."""
    told: int
    """The number of events so far."""
    agenda: tuple[Task, ...]
    """A stack of unfinished steps. The last entry is the one that is asked now."""
    players: tuple[PlayerView, ...]
    """The seats, in turn order."""
    places: tuple[PlaceView, ...]
    """One entry per place."""
    cards: tuple[CardView, ...]
    """The slots for cards, rightmost first."""
    deck_size: int
    """The number of cards in the deck."""
    tiles: tuple[TileView, ...]
    """The stacks of tiles."""
    ended: EndReason | None
    """Absent until the game is over."""
