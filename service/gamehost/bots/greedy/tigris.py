"""Tigris & Euphrates: leaders beside temples, tiles for the weakest spheres, wars that are won.

What a space is worth is told in layers: a set of spaces and what each of them adds. The value of announcing
a tile or a leader is that of its best space.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

from gamehost.rules.kit import Seat
from gamehost.rules.tigris.actions import (
    Action,
    BuildMonument,
    BuildWonder,
    ChooseColour,
    ChooseSpace,
    ChooseWar,
    CommitSupport,
    DeclineBuild,
    DiscardTiles,
    EndTurn,
    PlaceLeader,
    PlaceTile,
    PlayCatastrophe,
    RaiseBuilding,
    SwapTiles,
    TakeTreasure,
    WithdrawLeader,
)
from gamehost.rules.tigris.agenda import Conflict, ConflictKind, PlacingLeader, PlacingTile
from gamehost.rules.tigris.builds import colour_at, unused_monuments
from gamehost.rules.tigris.kingdoms import kingdom_of, kingdoms, leader_in, monuments_showing
from gamehost.rules.tigris.material import COLOURS, MONUMENT_COLOURS, Colour, Monument
from gamehost.rules.tigris.model import State, square
from gamehost.rules.tigris.placement import leader_targets, tile_spaces
from gamehost.rules.tigris.scoring import spheres
from gamehost.rules.tigris.spaces import STRIDE, Mask, Space, bit, linked, neighbours

Layers = list[tuple[int, float]]

TREASURE: Final = 1.8
LEADER: Final = 1.6  # on the board rather than at home
MONUMENT: Final = 2.2  # for each own leader it will pay
RESERVE: Final = 1.7  # tiles of a colour that others are thought to hold
PACE: Final = 0.3  # points that a leader brings its sphere in a turn
DRAWN: Final = 2.2  # tiles in a turn
FORESIGHT: Final = 6.0  # turns that one can count on
TEMPLE: Final = 0.15  # beside a leader
HABIT: Final = 1.5  # what a move must gain over staying
RELIEF: Final = 6.0  # points ahead of the weakest sphere at which another point is worth half


class TigrisInstinct:
    worlds = 1
    steady = 2.0
    doubt = 0.4

    def weigh(self, world: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float]:
        outlook = Outlook(world, seat)
        return [outlook.weight(action) for action in actions]

    glance = weigh

    def settled(self, start: State, world: State) -> bool:
        """Up to the seat's next turn."""
        return world.turn >= start.turn + len(start.hands)

    def leads(self, world: State) -> Sequence[float]:
        worths = [worth_of(world, Seat(seat)) for seat in range(len(world.hands))]
        return [own - max(worths[:seat] + worths[seat + 1 :]) for seat, own in enumerate(worths)]


def worth_of(world: State, seat: Seat) -> float:
    """The weakest spheres count most, once leaders and monuments have brought what they will."""
    won = spheres(world.points[seat], world.treasures[seat])
    if world.ended is not None:
        return worth_of_spheres(won)
    board, turns = world.board, turns_left(world)
    incomes = [
        PACE + monuments_showing(board, kingdom_of(board, standing), colour) if standing else 0.0
        for colour, standing in zip(COLOURS, board.leaders[seat], strict=True)
    ]
    return worth_of_spheres([now + turns * income for now, income in zip(won, incomes, strict=True)])


def worth_of_spheres(points: Sequence[float]) -> float:
    weakest, second, third, most = sorted(points)
    return weakest + 0.3 * second + 0.15 * third + 0.05 * most


def turns_left(world: State) -> float:
    """Of each seat, until the bag is empty or the treasures are gone."""
    tiles = sum(world.bag) / (DRAWN * len(world.hands))
    treasures = 2.0 * (world.board.treasures.bit_count() - 2)
    return max(1.0, min(tiles, treasures, FORESIGHT))


class Outlook:
    """The board as one seat sees it."""

    def __init__(self, world: State, seat: Seat) -> None:
        self.world, self.seat, self.board = world, seat, world.board
        self.hand = world.hands[seat]
        self.task: Any = world.agenda[-1] if world.agenda else None
        points = spheres(world.points[seat], world.treasures[seat])
        least = min(points)
        self.need = [1 / (1 + (each - least) / RELIEF) for each in points]

    @cached_property
    def realms(self) -> list[tuple[Mask, dict[Colour, Seat]]]:
        """The kingdoms, each with whose leaders it has."""
        found = []
        for kingdom in kingdoms(self.board):
            owners = {colour: leader_in(self.board, kingdom, colour) for colour in COLOURS}
            leaders = {colour: owner for colour, owner in owners.items() if owner is not None}
            found.append((kingdom, leaders))
        return found

    def weight(self, action: Action) -> float:
        match action:
            case ChooseSpace(space):
                return value_at(self.layers, space)
            case PlaceTile(colour):
                return best(self.tile_layers(colour), tile_spaces(self.world, colour))
            case PlaceLeader(leader):
                return best(self.leader_layers(leader), leader_targets(self.world, self.seat, leader))
            case CommitSupport(tiles):
                return self.committing(self.task, tiles)
            case ChooseWar(colour):
                return self.war(colour, self.board.leaders)
            case BuildMonument(monument, corner):
                return self.monument(monument, corner)
            case DiscardTiles():
                return self.discarding(action)
            case ChooseColour(colour):
                return self.need[colour]
            case RaiseBuilding(space):
                return self.building(space)
            case BuildWonder(center):
                king = self.board.leaders[self.seat][Colour.BLACK]
                return 1.0 if king & kingdom_of(self.board, bit(center)) else -1.0
            case SwapTiles():
                return 0.2
            case WithdrawLeader() | PlayCatastrophe():
                return -1.0
            case TakeTreasure() | EndTurn() | DeclineBuild():
                return 0.0

    @cached_property
    def layers(self) -> Layers:
        match self.task:
            case PlacingTile(colour):
                return self.tile_layers(colour)
            case PlacingLeader(leader):
                return self.leader_layers(leader)
            case _:
                return []

    # Tiles

    def tile_layers(self, colour: Colour) -> Layers:
        layers: Layers = [(neighbours(self.board.tiles[colour]), 0.08)]
        claimed, joining = 0, 0
        for kingdom, _ in self.realms:
            around = neighbours(kingdom)
            joining |= claimed & around
            claimed |= around
        for number, (kingdom, leaders) in enumerate(self.realms):
            around = neighbours(kingdom)
            layers.append((around & ~joining, self.tile_point(kingdom, leaders, colour)))
            layers += self.free_treasures(kingdom, leaders, around & ~joining)
            for other, rivals in self.realms[number + 1 :]:
                if both := around & neighbours(other):
                    layers.append((both, self.union(kingdom, leaders, other, rivals)))
        if unused_monuments(self.board):
            layers.append((self.squares(colour), self.square_worth(colour)))
        return layers

    def tile_point(self, kingdom: Mask, leaders: dict[Colour, Seat], colour: Colour) -> float:
        owner = leaders.get(colour, leaders.get(Colour.BLACK))
        points = 2 if self.board.buildings[colour] & kingdom else 1
        if owner is None:
            return 0.0
        if owner != self.seat:
            return -0.4 * points
        return self.need[colour] * points + (0.15 if colour in leaders else 0.0) + 0.03 * self.hand[colour]

    def free_treasures(self, kingdom: Mask, leaders: dict[Colour, Seat], around: int) -> Layers:
        """A tile beside both joins a lonely treasure to the kingdom, whose trader takes all but one."""
        trader = leaders.get(Colour.GREEN)
        ruled = sum(other for other, _ in self.realms)
        lonely = self.board.treasures & ~ruled
        if trader is None or not lonely:
            return []
        enough = bool(self.board.treasures & kingdom)
        worth = TREASURE if enough else 0.3
        return [(around & neighbours(lonely), worth if trader == self.seat else -worth)]

    def union(
        self, kingdom: Mask, leaders: dict[Colour, Seat], other: Mask, rivals: dict[Colour, Seat]
    ) -> float:
        """Joining two kingdoms gives no point, but wars, and treasures to the trader that is left."""
        wars = [colour for colour in COLOURS if colour in leaders and colour in rivals]
        value = sum(self.war_between(colour, kingdom, leaders, other, rivals) for colour in wars) - 0.2
        traders = {side.get(Colour.GREEN) for side in (leaders, rivals)} - {None}
        treasures = (self.board.treasures & (kingdom | other)).bit_count()
        if treasures > 1 and Colour.GREEN not in wars and traders:
            value += TREASURE * (treasures - 1) * (1 if traders == {self.seat} else -1)
        return value

    def war_between(
        self,
        colour: Colour,
        kingdom: Mask,
        leaders: dict[Colour, Seat],
        other: Mask,
        rivals: dict[Colour, Seat],
    ) -> float:
        if self.seat not in (leaders[colour], rivals[colour]):
            return 0.0
        mine, theirs = (kingdom, other) if leaders[colour] == self.seat else (other, kingdom)
        tiles = self.board.tiles[colour]
        return self.war_worth(colour, (tiles & mine).bit_count(), (tiles & theirs).bit_count())

    def war_worth(self, colour: Colour, own: int, other: int) -> float:
        """The winner scores the loser's leader and supporters."""
        ahead = own + self.hand[colour] - other - RESERVE
        if ahead > 0:
            return (self.need[colour] * (1 + other) + LEADER / 2) * min(1.0, 0.4 + 0.3 * ahead)
        return -(LEADER + 0.6 * own)

    def squares(self, colour: Colour) -> int:
        """Spaces where a tile would complete a square."""
        t = self.board.tiles[colour]
        north, south, west, east = t << STRIDE, t >> STRIDE, t << 1, t >> 1
        return (
            east & south & t >> STRIDE + 1
            | west & south & t >> STRIDE - 1
            | east & north & t << STRIDE - 1
            | west & north & t << STRIDE + 1
        )

    def square_worth(self, colour: Colour) -> float:
        return MONUMENT if self.board.leaders[self.seat][colour] else 0.3

    # Leaders

    def leader_layers(self, leader: Colour) -> Layers:
        standing = self.board.leaders[self.seat][leader]
        temples = self.board.tiles[Colour.RED]
        base = LEADER * (0.5 + 0.5 * self.need[leader]) + 0.05 * self.hand[leader]
        beside = by_neighbours(temples)
        layers: Layers = [(each, TEMPLE * number) for number, each in enumerate(beside)]
        if standing:
            base = -HABIT - TEMPLE * (neighbours(standing) & temples).bit_count()
        for kingdom, leaders in self.realms:
            rival = leaders.get(leader)
            if standing & kingdom:
                base -= self.ruling(leader, kingdom)
            elif rival is None or rival == self.seat:
                crowd = 0.2 if set(leaders.values()) - {self.seat} else 0.0
                layers.append((neighbours(kingdom), self.ruling(leader, kingdom) - crowd))
            else:
                layers += self.revolts(leader, rival, kingdom, beside)
        return [(Mask(-1), base), *layers]

    def ruling(self, leader: Colour, kingdom: Mask) -> float:
        """What this kingdom has for a leader."""
        worth = 0.06 * min(5, (self.board.tiles[leader] & kingdom).bit_count())
        worth += MONUMENT * self.need[leader] * monuments_showing(self.board, kingdom, leader)
        if leader is Colour.GREEN:
            worth += TREASURE * max(0, (self.board.treasures & kingdom).bit_count() - 1)
        return worth

    def revolts(self, leader: Colour, rival: Seat, kingdom: Mask, beside: Sequence[int]) -> Layers:
        """By the number of temples beside the space: the more, the likelier the rival has to go."""
        temples = self.board.tiles[Colour.RED]
        defence = (neighbours(self.board.leaders[rival][leader]) & temples).bit_count() + RESERVE
        prize = self.need[Colour.RED] + self.ruling(leader, kingdom) + LEADER / 2
        layers: Layers = []
        for number, spaces in enumerate(beside):
            likely = min(1.0, max(0.0, 0.4 + 0.3 * (self.hand[Colour.RED] + number - defence)))
            layers.append((neighbours(kingdom) & spaces, likely * prize - (1 - likely) * 2 * LEADER))
        return layers

    # Answers

    def war(self, colour: Colour, leaders: tuple[tuple[Mask, ...], ...]) -> float:
        """How welcome this war is next, the covered tile crossing nothing."""
        if not leaders[self.seat][colour]:
            return 0.0
        connected = kingdom_of(self.board, self.board.covered) & ~self.board.covered
        own = linked(leaders[self.seat][colour], connected | leaders[self.seat][colour])
        other = connected & ~own
        tiles = self.board.tiles[colour]
        return self.war_worth(colour, (tiles & own).bit_count(), (tiles & other).bit_count())

    def committing(self, conflict: Conflict, tiles: int) -> float:
        """As few as win; if nothing wins, nothing."""
        war = conflict.kind is ConflictKind.WAR
        mine = self.seat == conflict.attacker
        loot = conflict.defender_strength if mine else conflict.attacker_strength
        stake = LEADER + 1.0 + (loot if war else 0)
        if mine:
            ahead = conflict.attacker_strength + tiles - conflict.defender_strength
            return stake * min(1.0, max(0.0, ahead / (RESERVE + 1.3))) - 0.3 * tiles
        return stake * (conflict.defender_strength + tiles >= conflict.attacker_total) - 0.3 * tiles

    def monument(self, monument: Monument, corner: Space) -> float:
        """Income for whoever has leaders of its colours there, paid with four tiles of support."""
        kingdom = kingdom_of(self.board, bit(corner))
        value = 0.3
        for colour in MONUMENT_COLOURS[monument]:
            owner = leader_in(self.board, kingdom, colour)
            if owner is not None:
                value += MONUMENT * (0.5 + 0.5 * self.need[colour]) * (1 if owner == self.seat else -1)
        return value - self.toppled(square(corner))

    def toppled(self, flipped: Mask) -> float:
        """Own leaders that would lose their last temple."""
        temples = neighbours(self.board.tiles[Colour.RED] & ~flipped)
        return LEADER * sum(bool(each & ~temples) for each in self.board.leaders[self.seat])

    def building(self, space: Space) -> float:
        kingdom, colour = kingdom_of(self.board, bit(space)), colour_at(self.board, space)
        owner = leader_in(self.board, kingdom, colour)
        return 1.0 if owner == self.seat else 0.1 if owner is None else -1.0

    def discarding(self, given: DiscardTiles) -> float:
        """Give away what no leader on the board can use, but keep temples for revolts."""
        standing = self.board.leaders[self.seat]
        counts = (given.red, given.blue, given.green, given.black)
        wanted = [0.2 if standing[colour] else -0.2 for colour in COLOURS]
        wanted[Colour.RED] = 0.1 if self.hand[Colour.RED] <= 3 else -0.1
        return -sum(count * each for count, each in zip(counts, wanted, strict=True))


def by_neighbours(mask: int) -> list[int]:
    """The spaces with exactly 0, 1, 2, 3 and 4 of these beside them."""
    exactly = [-1, 0, 0, 0, 0]
    for beside in (mask << 1, mask >> 1, mask << STRIDE, mask >> STRIDE):
        more = [0, *(each & beside for each in exactly[:-1])]
        exactly = [each & ~beside | gained for each, gained in zip(exactly, more, strict=True)]
    return exactly


def value_at(layers: Layers, space: Space) -> float:
    here = bit(space)
    return sum([worth for mask, worth in layers if mask & here])


def best(layers: Layers, spaces: Mask) -> float:
    """The value of the best of the spaces: where layers overlap their worths add up."""
    groups: list[tuple[int, float]] = [(spaces, 0.0)]
    for mask, worth in layers:
        split = []
        for group, value in groups:
            if inside := group & mask:
                split.append((inside, value + worth))
            if outside := group & ~mask:
                split.append((outside, value))
        groups = split
    return max([value for _, value in groups], default=-LEADER)
