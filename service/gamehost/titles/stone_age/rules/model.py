"""The whole truth of a game of Stone Age, and what one seat knows of it."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter

from gamehost.rules.kit import Hidden, Seat

from .events import FinalScore
from .goods import NOTHING, Good, Resources
from .material import DECK, FIRST_FOOD, FIRST_PEOPLE, SLOTS, TILES, TOOL_SPACES, Card, EndReason, Place, Tile
from .options import Options

FIRST_SEAT = Seat(0)


@dataclass(frozen=True, slots=True)
class Tool:
    value: int = 0  # 0 is an empty space
    used: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """SA-1."""

    people: int = FIRST_PEOPLE
    food: int = FIRST_FOOD
    food_track: int = 0
    resources: Resources = NOTHING
    tools: tuple[Tool, ...] = (Tool(),) * TOOL_SPACES
    one_use_tools: frozenset[int] = frozenset()
    any_two: bool = False
    cards: tuple[Card, ...] = ()
    drawn: tuple[Card, ...] = ()
    tiles: tuple[Tile, ...] = ()
    tile_points: int = 0
    card_points: int = 0
    hunger: int = 0
    final_score: FinalScore | None = None

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
    seat: Seat


@dataclass(frozen=True, slots=True)
class Resolving:
    seat: Seat


@dataclass(frozen=True, slots=True)
class AddingTools:
    seat: Seat
    good: Good
    faces: tuple[int, ...]
    sum: int


@dataclass(frozen=True, slots=True)
class BuyingCard:
    seat: Seat
    slot: int


@dataclass(frozen=True, slots=True)
class BuildingTile:
    seat: Seat
    stack: int


@dataclass(frozen=True, slots=True)
class TakingDice:
    """The first of `seats` takes one of `faces` now."""

    seats: tuple[Seat, ...]
    faces: tuple[int, ...]

    @property
    def seat(self) -> Seat:
        return self.seats[0]


@dataclass(frozen=True, slots=True)
class Feeding:
    seat: Seat


Task = Placing | Resolving | AddingTools | BuyingCard | BuildingTile | TakingDice | Feeding


@dataclass(frozen=True, slots=True)
class Market:
    """The cards and tiles nobody has yet."""

    display: tuple[Card | None, ...] = (None,) * SLOTS  # rightmost first
    deck: frozenset[Card] = frozenset(DECK)  # a set: no order exists before a draw, so none can leak
    open_tiles: tuple[Tile | None, ...] = ()  # by stack
    stacks: tuple[int, ...] = ()  # face down, by stack
    unseen_tiles: frozenset[Tile] = frozenset(TILES)  # in the stacks or out of the game


@dataclass(frozen=True, slots=True)
class State:
    options: Options = Options()  # noqa: RUF009  it is frozen
    round: int = 0
    start_player: Seat = FIRST_SEAT
    told: int = 0  # events so far; names the question asked now
    agenda: tuple[Task, ...] = ()  # the last is asked, those before it wait
    players: tuple[Player, ...] = ()
    people: tuple[tuple[int, ...], ...] = ()  # by place, then by seat
    market: Market = Market()
    ended: EndReason | None = None

    def at(self, place: Place) -> tuple[int, ...]:
        """The people there, by seat."""
        return self.people[place - 1]

    def home(self, seat: Seat) -> int:
        """People not placed."""
        placed: int = sum(map(itemgetter(seat), self.people))
        return self.players[seat].people - placed

    def clockwise(self, first: Seat) -> tuple[Seat, ...]:
        """Every seat, from `first`."""
        seats = len(self.players)
        return tuple(Seat((first + step) % seats) for step in range(seats))


@dataclass(frozen=True, slots=True)
class PlaceView:
    place: Place
    capacity: int | None
    people: tuple[int, ...]  # by seat
    open_to: frozenset[Seat]  # who may still place here this round


@dataclass(frozen=True, slots=True)
class CardView:
    slot: int
    cost: int
    card: Card | None
    payable_by: frozenset[Seat]  # who holds the resources


@dataclass(frozen=True, slots=True)
class TileView:
    """What the open tile of a stack asks for: from `least` to `most` resources."""

    stack: int
    face_down: int
    tile: Tile | None
    least: int
    most: int
    kinds: int | None
    exactly: Resources | None
    payable_by: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class PlayerView:
    people: int
    people_at_home: int
    food: int
    food_track: int
    food_balance: int  # after the next feeding, if it came now and only food were paid
    resources: Resources
    tools: tuple[Tool, ...]
    one_use_tools: frozenset[int]
    any_two: bool
    cards: tuple[Card, ...]
    drawn: tuple[Card, ...] | Hidden
    tiles: tuple[Tile, ...]
    tile_points: int
    card_points: int
    hunger: int
    score: int
    final_score: FinalScore | None


@dataclass(frozen=True, slots=True)
class View:
    seat: Seat | None
    options: Options
    round: int
    start_player: Seat
    told: int
    agenda: tuple[Task, ...]
    players: tuple[PlayerView, ...]
    places: tuple[PlaceView, ...]
    cards: tuple[CardView, ...]
    deck_size: int
    tiles: tuple[TileView, ...]
    ended: EndReason | None
