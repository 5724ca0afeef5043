"""The heuristic for Tigris & Euphrates: leaders beside temples, tiles for the weakest spheres, wars to win.

The value of a space is a sum of layers; a layer is a set of spaces and the value that it adds to each. The
value of announcing a tile or a leader is that of its best space.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

from gamehost.rules.kit import Seat

from .rules.actions import (
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
from .rules.builds import colour_at, unused_monuments
from .rules.kingdoms import kingdom_of, kingdoms, leader_in, monuments_showing
from .rules.material import COLOURS, MONUMENT_COLOURS, Colour, Monument
from .rules.model import State, square
from .rules.phases import Conflict, ConflictKind, PlacingLeader, PlacingTile
from .rules.placement import leader_targets, tile_spaces
from .rules.scoring import spheres
from .rules.spaces import STRIDE, Mask, Space, bit, linked, neighbours

Layers = list[tuple[int, float]]

TREASURE: Final = 1.8
LEADER: Final = 1.6  # on the board rather than at home
MONUMENT: Final = 2.2  # for each own leader that it gives points to
RESERVE: Final = 1.7  # tiles of a colour that opponents are assumed to hold
PACE: Final = 0.3  # points per turn that a leader brings its sphere
DRAWN: Final = 2.2  # tiles drawn per turn
MAX_TURNS: Final = 6.0  # the horizon for income
TEMPLE: Final = 0.15  # per temple beside a leader
MOVE_COST: Final = 1.5  # what moving a leader must gain over leaving it
NEED_SCALE: Final = 6.0  # points above the weakest sphere at which another point is worth half


class TigrisHeuristic:
    """Weights are points of the weakest sphere. They read no opponent's hand, so one world is enough."""

    worlds = 1
    lead_scale = 2.0
    temperature = 0.4

    def weigh(self, world: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float]:
        evaluator = TigrisEvaluator(world, seat)
        return [evaluator.weight(action) for action in actions]

    weigh_fast = weigh

    def settled(self, start: State, world: State) -> bool:
        """A rollout stops at the seat's next turn."""
        return world.turn >= start.turn + len(start.hands)

    def leads(self, world: State) -> Sequence[float]:
        worths = [worth_of(world, Seat(seat)) for seat in range(len(world.hands))]
        return [own - max(worths[:seat] + worths[seat + 1 :]) for seat, own in enumerate(worths)]


def worth_of(world: State, seat: Seat) -> float:
    """Estimate the final value of a seat's spheres, with the expected income of leaders and monuments."""
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
    """Return the weakest sphere plus a part of the others, which break ties and may become the weakest."""
    weakest, second, third, most = sorted(points)
    return weakest + 0.3 * second + 0.15 * third + 0.05 * most


def turns_left(world: State) -> float:
    """Estimate each seat's turns until the bag is empty or the treasures are taken."""
    tiles = sum(world.bag) / (DRAWN * len(world.hands))
    treasures = 2.0 * (world.board.treasures.bit_count() - 2)
    return max(1.0, min(tiles, treasures, MAX_TURNS))


class TigrisEvaluator:
    """Weighs the actions of one seat in one world."""

    def __init__(self, world: State, seat: Seat) -> None:
        self.world, self.seat, self.board = world, seat, world.board
        self.hand = world.hands[seat]
        self.task: Any = world.agenda[-1] if world.agenda else None
        points = spheres(world.points[seat], world.treasures[seat])
        least = min(points)
        self.need = [1 / (1 + (each - least) / NEED_SCALE) for each in points]

    @cached_property
    def kingdoms_with_leaders(self) -> list[tuple[Mask, dict[Colour, Seat]]]:
        """The kingdoms, each with the owners of its leaders by colour."""
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
        for kingdom, _ in self.kingdoms_with_leaders:
            around = neighbours(kingdom)
            joining |= claimed & around
            claimed |= around
        for number, (kingdom, leaders) in enumerate(self.kingdoms_with_leaders):
            around = neighbours(kingdom)
            layers.append((around & ~joining, self.tile_point(kingdom, leaders, colour)))
            layers += self.free_treasures(kingdom, leaders, around & ~joining)
            for other, rivals in self.kingdoms_with_leaders[number + 1 :]:
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
        """Value spaces that connect a treasure outside all kingdoms to this one, whose trader takes all
        treasures but one."""
        trader = leaders.get(Colour.GREEN)
        ruled = sum(other for other, _ in self.kingdoms_with_leaders)
        lonely = self.board.treasures & ~ruled
        if trader is None or not lonely:
            return []
        enough = bool(self.board.treasures & kingdom)
        worth = TREASURE if enough else 0.3
        return [(around & neighbours(lonely), worth if trader == self.seat else -worth)]

    def union(
        self, kingdom: Mask, leaders: dict[Colour, Seat], other: Mask, rivals: dict[Colour, Seat]
    ) -> float:
        """Value joining two kingdoms: no point for the tile, but wars, and treasures for the remaining
        trader."""
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
        """Return the spaces where a tile would complete a 2 x 2 square, which allows a monument."""
        # Each line is one position of the missing tile in the square; shifts by STRIDE move one row.
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
            base = -MOVE_COST - TEMPLE * (neighbours(standing) & temples).bit_count()
        for kingdom, leaders in self.kingdoms_with_leaders:
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
        """Value the tiles, monuments and treasures that the kingdom offers to a leader."""
        worth = 0.06 * min(5, (self.board.tiles[leader] & kingdom).bit_count())
        worth += MONUMENT * self.need[leader] * monuments_showing(self.board, kingdom, leader)
        if leader is Colour.GREEN:
            worth += TREASURE * max(0, (self.board.treasures & kingdom).bit_count() - 1)
        return worth

    def revolts(self, leader: Colour, rival: Seat, kingdom: Mask, beside: Sequence[int]) -> Layers:
        """Value revolts by the number of temples beside the space: more temples make a win more likely."""
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
        """Value fighting this war first. The tile under the unification marker connects nothing."""
        if not leaders[self.seat][colour]:
            return 0.0
        connected = kingdom_of(self.board, self.board.covered) & ~self.board.covered
        own = linked(leaders[self.seat][colour], connected | leaders[self.seat][colour])
        other = connected & ~own
        tiles = self.board.tiles[colour]
        return self.war_worth(colour, (tiles & own).bit_count(), (tiles & other).bit_count())

    def committing(self, conflict: Conflict, tiles: int) -> float:
        """Prefer the fewest tiles that win, and none if the conflict cannot be won."""
        war = conflict.kind is ConflictKind.WAR
        mine = self.seat == conflict.attacker
        loot = conflict.defender_strength if mine else conflict.attacker_strength
        stake = LEADER + 1.0 + (loot if war else 0)
        if mine:
            ahead = conflict.attacker_strength + tiles - conflict.defender_strength
            return stake * min(1.0, max(0.0, ahead / (RESERVE + 1.3))) - 0.3 * tiles
        return stake * (conflict.defender_strength + tiles >= conflict.attacker_total) - 0.3 * tiles

    def monument(self, monument: Monument, corner: Space) -> float:
        """Value the income for leaders of its colours, less own leaders that lose their last temple."""
        kingdom = kingdom_of(self.board, bit(corner))
        value = 0.3
        for colour in MONUMENT_COLOURS[monument]:
            owner = leader_in(self.board, kingdom, colour)
            if owner is not None:
                value += MONUMENT * (0.5 + 0.5 * self.need[colour]) * (1 if owner == self.seat else -1)
        return value - self.leaders_lost(square(corner))

    def leaders_lost(self, flipped: Mask) -> float:
        """Value of the own leaders that would lose their last temple."""
        temples = neighbours(self.board.tiles[Colour.RED] & ~flipped)
        return LEADER * sum(bool(each & ~temples) for each in self.board.leaders[self.seat])

    def building(self, space: Space) -> float:
        kingdom, colour = kingdom_of(self.board, bit(space)), colour_at(self.board, space)
        owner = leader_in(self.board, kingdom, colour)
        return 1.0 if owner == self.seat else 0.1 if owner is None else -1.0

    def discarding(self, given: DiscardTiles) -> float:
        """Discard colours without an own leader on the board, but keep temples for revolts."""
        standing = self.board.leaders[self.seat]
        counts = (given.red, given.blue, given.green, given.black)
        wanted = [0.2 if standing[colour] else -0.2 for colour in COLOURS]
        wanted[Colour.RED] = 0.1 if self.hand[Colour.RED] <= 3 else -0.1
        return -sum(count * each for count, each in zip(counts, wanted, strict=True))


def by_neighbours(mask: int) -> list[int]:
    """Return five masks: the spaces with exactly 0, 1, 2, 3 and 4 neighbours in `mask`."""
    # Counts all spaces at once with bit operations: each direction moves its spaces one mask further.
    exactly = [-1, 0, 0, 0, 0]
    for beside in (mask << 1, mask >> 1, mask << STRIDE, mask >> STRIDE):
        more = [0, *(each & beside for each in exactly[:-1])]
        exactly = [each & ~beside | gained for each, gained in zip(exactly, more, strict=True)]
    return exactly


def value_at(layers: Layers, space: Space) -> float:
    here = bit(space)
    return sum([worth for mask, worth in layers if mask & here])


def best(layers: Layers, spaces: Mask) -> float:
    """Return the value of the best of the spaces; the values of overlapping layers add up."""
    # Splits the spaces into groups with the same layers, which are far fewer than the spaces themselves.
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


HEURISTIC: Final = TigrisHeuristic()
