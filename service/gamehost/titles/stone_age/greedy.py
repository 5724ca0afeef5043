"""The heuristic for Stone Age: everything is priced in points, and people go where they earn the most.

Lasting assets (people, fields, tools) yield points in each of the rounds still expected. Resources are worth
a part of the points that they pay for. Placing a person costs what that person could earn elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gamehost.rules.kit import Seat

from .rules.actions import (
    Action,
    AddTools,
    Decline,
    Feed,
    GoHungry,
    Pay,
    PlacePeople,
    ResolvePlace,
    TakeDie,
    TakeResources,
)
from .rules.goods import Bill, Good, Resources
from .rules.material import (
    CARD_BILL,
    CARD_PLACES,
    DIVISOR,
    HUNGER,
    LOWER,
    MOST_PEOPLE,
    ROLLS,
    TILE_BILL,
    TILE_PLACES,
    TRACK_END,
    UPPER,
    AnyTwo,
    Card,
    DiceForAll,
    DrawCard,
    FieldStep,
    Figures,
    Food,
    Gift,
    NewTool,
    OneUseTool,
    Person,
    Place,
    Points,
    Tile,
    TwoDice,
)
from .rules.model import AddingTools, BuildingTile, BuyingCard, Feeding, Player, State
from .rules.payments import bill_of, fitting
from .rules.scoring import culture_points, figures, final_score

PRICE: Final = {Good.FOOD: 0.8, Good.WOOD: 2.0, Good.BRICK: 2.7, Good.STONE: 3.3, Good.GOLD: 4.0}
KINDS: Final = (Good.WOOD, Good.BRICK, Good.STONE, Good.GOLD)
MEAN_DIE: Final = 3.5
PERSON_COST: Final = 1.7  # what a placed person could have earned elsewhere
PERSON_YIELD: Final = 1.8  # points per round, food deducted
FIELD_YIELD: Final = 1.2
TOOL_YIELD: Final = 0.9
CULTURE_BONUS: Final = 3.0  # a culture symbol makes later ones worth more
MAX_ROUNDS: Final = 9.0
USE_COST: Final = 0.5  # for using up a card that could be used later
ORDER: Final = {  # in which places are resolved: first those that help the others
    Place.TOOL_MAKER: 90,
    Place.FIELD: 85,
    Place.HUT: 84,
    Place.RIVER: 70,
    Place.QUARRY: 69,
    Place.CLAY_PIT: 68,
    Place.FOREST: 67,
    Place.HUNTING: 66,
}


class StoneAgeHeuristic:
    """Weights are points that an action gains. They read nothing that is hidden, so one world is enough."""

    worlds = 1
    lead_scale = 12.0
    temperature = 2.0

    def weigh(self, world: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float]:
        evaluator = StoneAgeEvaluator(world, seat)
        return [evaluator.weight(action) for action in actions]

    weigh_fast = weigh

    def settled(self, start: State, world: State) -> bool:
        """A rollout stops at the next round."""
        return world.round > start.round

    def leads(self, world: State) -> Sequence[float]:
        rounds = rounds_left(world)
        worths = [worth_of(player, rounds, world.ended is not None) for player in world.players]
        return [own - max(worths[:seat] + worths[seat + 1 :]) for seat, own in enumerate(worths)]


def rounds_left(world: State) -> float:
    """Estimate the rounds left: the game ends when the deck or the lowest stack of tiles runs out."""
    market, seats = world.market, len(world.players)
    cards = len(market.deck) / seats
    tiles = 1.5 * min(
        [left + (tile is not None) for left, tile in zip(market.stacks, market.open_tiles, strict=True)]
    )
    return max(0.5, min(cards, tiles, MAX_ROUNDS, world.options.max_rounds - world.round + 1))


def worth_of(player: Player, rounds: float, over: bool) -> float:
    """Estimate the final points of a player."""
    points = float(final_score(player).total)
    if over:
        return points
    lasting = PERSON_YIELD * player.people + FIELD_YIELD * player.food_track + TOOL_YIELD * player.tool_sum
    held = price_of(player.resources) - player.resources.total
    short = min(0.0, player.food + player.food_track - player.people) * PRICE[Good.WOOD]
    small = sum(player.one_use_tools) * 0.5 + 4 * player.any_two
    return points + lasting * rounds + held + PRICE[Good.FOOD] * player.food + max(short, -HUNGER) + small


def price_of(resources: Resources) -> float:
    return (
        PRICE[Good.WOOD] * resources.wood
        + PRICE[Good.BRICK] * resources.brick
        + PRICE[Good.STONE] * resources.stone
        + PRICE[Good.GOLD] * resources.gold
    )


class StoneAgeEvaluator:
    """Weighs the actions of one seat in one world."""

    def __init__(self, world: State, seat: Seat) -> None:
        self.world, self.seat = world, seat
        self.player = world.players[seat]
        self.rounds = rounds_left(world)
        self.task: Any = world.agenda[-1]
        cards = (*self.player.cards, *self.player.drawn)
        self.figures, self.cultures = figures(cards), culture_points(cards)

    def weight(self, action: Action) -> float:
        match action:
            case PlacePeople(place, people):
                return self.placing(place, people) - PERSON_COST * people
            case ResolvePlace(place):
                return self.resolving(place)
            case AddTools():
                return self.tools(self.task, action)
            case Pay(resources):
                return self.bought() + self.points_for(resources) - price_of(resources)
            case Feed(resources):
                return -price_of(resources)
            case TakeDie(face):
                return self.die(face)
            case TakeResources(resources):
                return self.after(resources) - USE_COST
            case GoHungry():
                return -float(HUNGER)
            case Decline():
                return 0.0

    # Lasting things

    def tool(self) -> float:
        return TOOL_YIELD * self.rounds + self.figures[Person.TOOLMAKER] if self.player.tool_sum < 12 else 0.0

    def field(self) -> float:
        if self.player.food_track >= TRACK_END:
            return 0.0
        return FIELD_YIELD * self.rounds + self.figures[Person.FARMER]

    def person(self) -> float:
        if self.player.people >= MOST_PEOPLE:
            return 0.0
        return PERSON_YIELD * (self.rounds - 1) + self.figures[Person.SHAMAN]

    # Placing

    def placing(self, place: Place, people: int) -> float:
        if place is Place.HUNTING:
            return self.hunting(people)
        if place in ROLLS:
            return self.gathering(ROLLS[place], people)
        if place is Place.TOOL_MAKER:
            return self.tool()
        if place is Place.FIELD:
            return self.field()
        if place is Place.HUT:
            return self.person()
        return self.bidding(place)

    def hunting(self, people: int) -> float:
        """Food that is needed this round saves resources; the rest is only kept for later."""
        food = MEAN_DIE * people / DIVISOR[Good.FOOD]
        missing = max(0, self.player.people - self.player.food - self.player.food_track)
        needed = min(food, missing)
        return 1.4 * PRICE[Good.WOOD] * needed + PRICE[Good.FOOD] * (food - needed)

    def gathering(self, good: Good, people: int) -> float:
        divisor = DIVISOR[good]
        expected = MEAN_DIE * people / divisor - (divisor - 1) / (2 * divisor)
        held = self.holding(good)
        return expected * PRICE[good] * (1.15 if held == 0 else 0.8 if held > 5 else 1.0)

    def holding(self, good: Good) -> int:
        resources = self.player.resources
        return (resources.wood, resources.brick, resources.stone, resources.gold)[KINDS.index(good)]

    def bidding(self, place: Place) -> float:
        """Value a place at a card or a tile, reduced by the risk that it cannot be paid."""
        if place in CARD_PLACES:
            slot = CARD_PLACES.index(place)
            gain, bill = self.card_in(slot) - PRICE[Good.WOOD] * (slot + 1), CARD_BILL[slot]
        else:
            tile = self.world.market.open_tiles[TILE_PLACES.index(place)]
            assert tile is not None
            gain, bill = self.tile(tile), TILE_BILL[tile]
        return gain * self.confidence(bill) if gain > 0 else gain

    def confidence(self, bill: Bill) -> float:
        """Estimate the probability that the bill can be paid after all earlier bids of this round."""
        spare = self.expected_resources() - self.reserved()
        if bill.exactly is None:
            return 1.0 if spare.total >= bill.least and spare.kinds >= (bill.kinds or 1) else 0.1
        lacking = sum(max(0, need) for need in counts(bill.exactly - spare))
        return (1.0, 0.4, 0.1, 0.0)[min(3, lacking)]

    def expected_resources(self) -> Resources:
        """The resources held, plus the mean yield of the people already placed."""
        brought = []
        for place in (Place.FOREST, Place.CLAY_PIT, Place.QUARRY, Place.RIVER):
            people = self.world.at(place)[self.seat]
            brought.append(int(MEAN_DIE * people / DIVISOR[ROLLS[place]]))
        return self.player.resources + Resources(*brought)

    def reserved(self) -> Resources:
        """The resources that earlier bids will cost: the exact price of a tile, wood for cards."""
        total = Resources()
        for at, tile in zip(TILE_PLACES, self.world.market.open_tiles, strict=False):
            if tile is not None and self.world.at(at)[self.seat]:
                total += TILE_BILL[tile].exactly or Resources(1, 1, 1, 1)
        for cost, at in enumerate(CARD_PLACES, start=1):
            if self.world.at(at)[self.seat]:
                total += Resources(wood=cost)
        return total

    # Cards and tiles

    def card_in(self, slot: int) -> float:
        card = self.world.market.display[slot]
        return 0.0 if card is None else self.upper(card) + self.lower(card)

    def lower(self, card: Card) -> float:
        half = LOWER[card]
        if isinstance(half, Figures):
            return half.count * self.multiplier(half.person)
        cards = (*self.player.cards, *self.player.drawn)
        return culture_points((*cards, card)) - self.cultures + min(CULTURE_BONUS, self.rounds)

    def multiplier(self, person: Person) -> float:
        """Estimate what one figure of this kind scores at the end."""
        player, rounds = self.player, self.rounds
        match person:
            case Person.FARMER:
                return min(TRACK_END, player.food_track + 0.3 * rounds)
            case Person.TOOLMAKER:
                return min(12, player.tool_sum + 0.3 * rounds)
            case Person.HUT_BUILDER:
                return len(player.tiles) + 0.5 * rounds
            case Person.SHAMAN:
                return min(MOST_PEOPLE, player.people + 0.2 * rounds)

    def upper(self, card: Card) -> float:
        match UPPER[card]:
            case DiceForAll():
                return 3.0
            case Food(amount):
                return PRICE[Good.FOOD] * amount
            case Gift(resources):
                return price_of(resources)
            case Points(amount):
                return float(amount)
            case NewTool():
                return self.tool()
            case FieldStep():
                return self.field()
            case TwoDice(good):
                return self.gathering(good, 2)
            case DrawCard():
                return 5.0
            case OneUseTool(value):
                return 0.7 * value
            case AnyTwo():
                return 2 * PRICE[Good.GOLD]

    def tile(self, tile: Tile) -> float:
        bill = TILE_BILL[tile]
        paid = bill.exactly.value if bill.exactly else 4.2 * (4.5 if bill.kinds is None else bill.least)
        return 0.35 * paid + self.figures[Person.HUT_BUILDER] + 1

    def resolving(self, place: Place) -> float:
        if place in ORDER:
            return ORDER[place]
        return self.bidding(place) + (20 if place in TILE_PLACES else 10)

    # Answers

    def tools(self, task: AddingTools, action: AddTools) -> float:
        """Tools are nearly free at the last roll of the round, and cost a little while another may need
        them."""
        values = [self.player.tools[space].value for space in action.tools]
        divisor = DIVISOR[task.good]
        gained = (task.sum + sum(values) + sum(action.one_use_tools)) // divisor
        others = any(self.world.at(place)[self.seat] for place in ROLLS)
        wear = sum(values) * (0.4 if others else 0.01)
        return gained * PRICE[task.good] - wear - 0.9 * sum(action.one_use_tools)

    def bought(self) -> float:
        match self.task:
            case BuyingCard(_, slot):
                return self.card_in(slot - 1)
            case _:
                return float(self.figures[Person.HUT_BUILDER])

    def points_for(self, paid: Resources) -> float:
        return paid.value if isinstance(self.task, BuildingTile) else 0

    def die(self, face: int) -> float:
        if face <= len(KINDS):
            return PRICE[KINDS[face - 1]]
        return self.tool() if face == 5 else self.field()

    def after(self, two: Resources) -> float:
        """Return the weight of the best payment that the two resources allow."""
        if not isinstance(self.task, BuyingCard | BuildingTile | Feeding):
            return -float(HUNGER)
        handfuls = fitting(bill_of(self.world, self.task), self.player.resources + two)
        feeding = isinstance(self.task, Feeding)
        gains = [self.weight(Feed(paid) if feeding else Pay(paid)) for paid in handfuls]
        return max(gains, default=-float(HUNGER))


def counts(resources: Resources) -> tuple[int, int, int, int]:
    return resources.wood, resources.brick, resources.stone, resources.gold


HEURISTIC: Final = StoneAgeHeuristic()
