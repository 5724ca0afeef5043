"""The heuristic for the Tigris & Euphrates card game: place leaders, then lay pairs where they score.

A point costs two cards of a colour, one laid and one kept, and needs an own leader of that colour, or the
king, in the kingdom. A ship gives points for no cards. Red is the most common colour and is worth least.
A view does not show what lies in a pile, so weights treat all colours alike. A search, which is given the
witnessed events, evaluates positions by the colour that is likely to be the weakest in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Any, Final

from gamehost.rules.kit import Seat

from .rules.actions import (
    Action,
    BuildShip,
    ChooseConflict,
    CommitCards,
    Decline,
    EndTurn,
    ExchangeTreasure,
    LayCard,
    LayLink,
    PlaceLeader,
    PlayCalamity,
    TakeIncome,
    TakePoint,
    WithdrawLeader,
)
from .rules.material import COLOUR_OF, COLOURS, COLUMN, RUN, SHOWN, Colour, Ship
from .rules.model import Conflict, Leader, Place, State
from .rules.regions import (
    Region,
    card_at,
    cards_in,
    find,
    regions,
    strength,
    treasures_in,
)
from .rules.scoring import balanced
from .rules.turn import income_due

POINT: Final = (1.0, 0.6, 1.0, 1.0)  # by colour
TREASURE: Final = 2.5
LEADER: Final = 1.2  # on the table rather than in the supply
RESERVE: Final = 2.5  # cards of a colour that opponents are assumed to hold
SPARE: Final = 0.12  # cost of laying a card that scores nothing
SHIP: Final = 4.0
PAIR: Final = 0.5  # two cards in hand of a colour that can score, in points
SINGLE: Final = 0.15

# Averages over whole games of greedy bots
DRAWN: Final = 4.2  # cards drawn per turn
HARVEST: Final = (0.54, 0.76, 0.54, 0.58)  # points per own turn, by colour
INCOME: Final = 0.7  # points per own turn of a leader with a ship
SETTLING_TURNS: Final = 3.0  # own turns until a leader has its full value
TIE: Final = 0.01  # value of a point in the next weakest colour, which breaks ties in the weakest


class TigrisCardsHeuristic:
    """Weights are about points. They read no opponent's hand, so one world is enough."""

    worlds = 1
    lead_scale = 2.0
    temperature = 0.4

    def weigh(self, world: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float]:
        evaluator = TigrisCardsEvaluator(world, seat)
        return [evaluator.weight(action) for action in actions]

    weigh_fast = weigh

    def settled(self, start: State, world: State) -> bool:
        """A rollout stops at the seat's next turn."""
        return world.turn >= start.turn + len(start.hands)

    def leads(self, world: State) -> Sequence[float]:
        worths = [worth_of(world, Seat(seat)) for seat in range(len(world.hands))]
        return [own - max(worths[:seat] + worths[seat + 1 :]) for seat, own in enumerate(worths)]


def worth_of(world: State, seat: Seat) -> float:
    """Return four times the expected points of the weakest colour, so that a point in every colour counts
    as four points."""
    counts = world.piles[seat].counts
    if world.ending is not None:
        return len(COLOURS) * sum(points * TIE**place for place, points in enumerate(balanced(counts)))
    turns = turns_left(world)
    expected_points = TigrisCardsEvaluator(world, seat).expected_points(turns)
    *colours, treasures = counts
    likely = [count + expected for count, expected in zip(colours, expected_points, strict=True)]
    for _ in range(treasures):
        likely[likely.index(min(likely))] += 1
    return len(COLOURS) * weakest(likely, min(2.0, 0.3 + 1.5 / turns))


def turns_left(world: State) -> float:
    """Estimate each seat's turns until the deck is exhausted."""
    return max(0.5, (sum(world.deck) - world.set_aside) / DRAWN / len(world.hands))


def weakest(points: Sequence[float], certainty: float) -> float:
    """Return a soft minimum: between the average (certainty near 0) and the least (high certainty).

    Early in the game it is open which colour will be the weakest.
    """
    least = min(points)
    shares = [exp(certainty * (least - each)) for each in points]
    return least - log(sum(shares) / len(shares)) / certainty


class TigrisCardsEvaluator:
    """Weighs the actions of one seat in one world."""

    def __init__(self, world: State, seat: Seat) -> None:
        self.world, self.seat, self.hand = world, seat, world.hands[seat]
        self.task: Any = world.agenda[-1] if world.agenda else None
        self.region_at: dict[int, Region] = {}
        self.leaders: dict[Region, dict[Colour, Seat]] = {}
        self.own: dict[Colour, Region] = {}
        for region in regions(world.table):
            self._survey(region)

    def _survey(self, region: Region) -> None:
        found = [card.leader for card in cards_in(self.world.table, region) if card.leader is not None]
        self.leaders[region] = {leader.colour: leader.seat for leader in found}
        for leader in found:
            if leader.seat == self.seat:
                self.own[leader.colour] = region
        for column in range(region.first, region.last + 1):
            self.region_at[column] = region

    def weight(self, action: Action) -> float:
        match action:
            case LayCard(colour, column):
                return self.laying(colour, column)
            case LayLink(colour, gap):
                return self.linking(colour, gap)
            case PlaceLeader(colour, place):
                return self.entering(colour, place)
            case CommitCards(_, count):
                return self.committing(self.task, count)
            case ChooseConflict(colour):
                return self.advantage(colour, self.task.gap)
            case BuildShip(ship):
                return self.ship(ship, self.task.column)
            case WithdrawLeader() | PlayCalamity():
                return -1.0
            case TakePoint() | ExchangeTreasure():
                return 1.0
            case TakeIncome(colour):
                return POINT[colour]
            case EndTurn() | Decline():
                return 0.0

    def entitled(self, region: Region, colour: Colour) -> Seat | None:
        """Return the seat that scores a card of the colour laid in the region."""
        leaders = self.leaders[region]
        return leaders.get(colour, leaders.get(Colour.BLACK))

    def standing(self, colour: Colour, region: Region) -> float:
        """Value a leader in a region: more with room to lay cards and with support."""
        columns = self.world.table.columns[region.first : region.last + 1]
        room = sum([COLUMN + 1 - len(column) for column in columns])
        support = strength(self.world.table, region, colour)
        return LEADER * POINT[colour] * (1.0 if room > 1 else 0.3) + 0.1 * min(4, support)

    def expected_points(self, turns: float) -> list[float]:
        """Estimate the points still to come by colour: the average, plus leaders, ships and cards in hand."""
        income = income_due(self.world, self.seat)
        expected_points = [
            turns * (harvest + INCOME * due) for harvest, due in zip(HARVEST, income, strict=True)
        ]
        for colour, region in self.own.items():
            expected_points[colour] += min(1.0, turns / SETTLING_TURNS) * self.standing(colour, region)
        for colour in COLOURS:
            if self.hand[colour] and (colour in self.own or Colour.BLACK in self.own):
                expected_points[colour] += PAIR if self.hand[colour] > 1 else SINGLE
        return expected_points

    # Turns

    def laying(self, colour: Colour, column: int) -> float:
        region, held = self.region_at[column], self.hand[colour]
        owner = self.entitled(region, colour)
        bonus = self.ship_bonus(colour, column)
        if owner is None:
            return bonus + 0.05 - SPARE
        if owner != self.seat:
            return bonus - 0.6 * POINT[colour]
        support = 0.1 if self.own.get(colour) == region else 0.0
        if held < 2:
            return bonus + 0.1 + support - SPARE
        return bonus + POINT[colour] + support + 0.05 * held

    def ship_bonus(self, colour: Colour, column: int) -> float:
        """Value the best ship that the card would complete: a run of three becomes a ship."""
        below = self.world.table.columns[column][1:][1 - RUN :]
        if len(below) < RUN - 1 or any(COLOUR_OF[card.face] is not colour for card in below):
            return 0.0
        return max(
            [self.ship(ship, column) for ship in self.world.ships if colour in SHOWN[ship]], default=0.0
        )

    def ship(self, ship: Ship, column: int) -> float:
        """Value the income for leaders of its colours, less own leaders on the cards of the run."""
        leaders = self.leaders[self.region_at[column]]
        served = [leaders[colour] for colour in SHOWN[ship] if colour in leaders]
        mine = served.count(self.seat)
        run = self.world.table.columns[column][-RUN:]
        lost = sum(card.leader is not None and card.leader.seat == self.seat for card in run)
        return SHIP * (2 * mine - len(served)) - LEADER * lost + 0.1

    def linking(self, colour: Colour, gap: int) -> float:
        """Value the wars that the link causes and the treasure that the trader may take."""
        left, right = self.region_at[gap], self.region_at[gap + 1]
        clashes = [each for each in COLOURS if each in self.leaders[left] and each in self.leaders[right]]
        gain = sum(self.advantage(each, gap) for each in clashes)
        table = self.world.table
        if len(treasures_in(table, left)) + len(treasures_in(table, right)) >= 2:
            traders = [self.leaders[side].get(Colour.GREEN) for side in (left, right)]
            gain += self.treasure(traders, colour)
        return gain - POINT[colour] * (0.5 if self.hand[colour] > 1 else 0.3)

    def treasure(self, traders: Sequence[Seat | None], colour: Colour) -> float:
        """Value the treasure, which costs a red card in hand besides the link."""
        owners = {trader for trader in traders if trader is not None}
        if owners != {self.seat}:
            return -0.8 * TREASURE if owners else 0.0
        return TREASURE if self.hand[Colour.RED] > (colour is Colour.RED) else 0.0

    def advantage(self, colour: Colour, gap: int) -> float:
        """Value a war of this colour: the loser removes its cards and its leader."""
        table = self.world.table
        sides = (self.region_at[gap], self.region_at[gap + 1])
        owners = [self.leaders[side].get(colour) for side in sides]
        if self.seat not in owners or owners[0] == owners[1]:
            return 0.0
        mine, theirs = sides if owners[0] == self.seat else (sides[1], sides[0])
        own, other = strength(table, mine, colour), strength(table, theirs, colour)
        ahead = own + self.hand[colour] - other - RESERVE
        if ahead > 0:
            return POINT[colour] * (1 + other) + LEADER if ahead > 1 else 0.3
        return -POINT[colour] * own - LEADER

    def entering(self, colour: Colour, place: Place) -> float:
        region = self.region_at[place.column]
        card = card_at(self.world.table, place)
        temple = card is not None and COLOUR_OF[card.face] is Colour.RED
        rival = self.leaders[region].get(colour)
        there = self.standing(colour, region) + 0.05 * temple + self.hand[colour] * 0.08
        if rival is not None and rival != self.seat:
            there += self.revolt(colour, region, temple)
        elif set(self.leaders[region].values()) - {self.seat}:
            there -= 0.15
        now = self.own.get(colour)
        return there - 0.3 if now is None else there - self.standing(colour, now) - LEADER

    def revolt(self, colour: Colour, region: Region, temple: bool) -> float:
        """Value a revolt: red cards decide it, and the winner keeps one of them."""
        rival = Leader(self.leaders[region][colour], colour)
        place = find(self.world.table, rival)
        card = None if place is None else card_at(self.world.table, place)
        defence = RESERVE + (card is not None and COLOUR_OF[card.face] is Colour.RED)
        ahead = self.hand[Colour.RED] + temple - defence
        return POINT[Colour.RED] + 0.6 * LEADER if ahead > 1 else -LEADER * 1.5

    def committing(self, conflict: Conflict, count: int) -> float:
        """Prefer the fewest cards that win, and none if the conflict cannot be won."""
        stake = 2.0 + (2.0 if conflict.external else 0.0)
        cost = 0.35 * count
        if self.seat == conflict.defender:
            attack = conflict.attacker_strength + (conflict.attacker_cards or 0)
            return stake * (conflict.defender_strength + count >= attack) - cost
        ahead = conflict.attacker_strength + count - conflict.defender_strength
        return stake * min(1.0, max(0.0, ahead / (RESERVE + 1.5))) - cost


HEURISTIC: Final = TigrisCardsHeuristic()
