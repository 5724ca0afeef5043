"""The encoding of Tigris & Euphrates. The first slices are planes of the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Final

from gamehost.learning.encoding import (
    SEATS,
    Array,
    Block,
    Encoding,
    Fill,
    Slice,
    Viewer,
    by_seat,
    flags,
    one_hot,
    one_hot_seat,
    squashed,
)
from gamehost.rules.kit import Hidden

from .rules.actions import (
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
from .rules.material import ACTIONS, CATASTROPHES, COLOURS, HAND, TILES, BoardSide, Monument
from .rules.model import BoardView, View
from .rules.options import BagExhaustion
from .rules.phases import (
    Acting,
    ChoosingColour,
    Conflict,
    OfferingBuilding,
    OfferingMonument,
    PlacingCatastrophe,
    PlacingLeader,
    PlacingTile,
    Swapping,
    TakingTreasure,
    Unifying,
)
from .rules.spaces import ALL_SPACES, COLUMNS, ROWS, Space

ENCODING_VERSION: Final = 1
PHASES: Final = (
    Acting,
    PlacingTile,
    PlacingLeader,
    PlacingCatastrophe,
    Swapping,
    Unifying,
    Conflict,
    OfferingBuilding,
    OfferingMonument,
    TakingTreasure,
    ChoosingColour,
)


def plane(read: Callable[[BoardView], Iterable[Space | None]]) -> Fill:
    """Fill one plane with a 1 on each space that `read` returns."""

    def fill(part: Array, viewer: Viewer) -> None:
        for space in read(viewer.view.board):
            if space is not None:
                part[0, space.row, space.column] = 1

    return fill


def tiles(part: Array, viewer: Viewer) -> None:
    for tile in viewer.view.board.tiles:
        part[tile.colour, tile.space.row, tile.space.column] = 1


def leaders(part: Array, viewer: Viewer) -> None:
    for standing in viewer.view.board.leaders:
        number = len(COLOURS) * viewer.offset(standing.seat) + standing.leader
        part[number, standing.space.row, standing.space.column] = 1


def buildings(part: Array, viewer: Viewer) -> None:
    for building in viewer.view.board.buildings:
        part[building.colour, building.space.row, building.space.column] = 1


def monuments(part: Array, viewer: Viewer) -> None:
    for built in viewer.view.board.monuments:
        row, column = built.corner.row, built.corner.column
        part[built.monument.value - 1, row : row + 2, column : column + 2] = 1


def question(part: Array, viewer: Viewer) -> None:
    match viewer.view.agenda:
        case (*_, (Unifying(space) | OfferingBuilding(space) | OfferingMonument(space))):
            part[0, space.row, space.column] = 1


def present(part: Array, viewer: Viewer) -> None:
    part[: len(viewer.order)] = 1


def options(view: View) -> list[bool]:
    chosen = view.options
    return [
        chosen.board is BoardSide.ADVANCED,
        chosen.civilization_buildings,
        chosen.english_variant,
        chosen.wonder,
        chosen.bag_exhaustion is BagExhaustion.IMMEDIATE,
        chosen.open_information,
    ]


def course(view: View) -> list[float]:
    left = next((acting.left for acting in view.agenda if isinstance(acting, Acting)), 0)
    known = not isinstance(view.bag, Hidden)
    return [
        left / ACTIONS,
        squashed(view.turn, 40),
        squashed(view.turn - view.busy_turn, SEATS),
        view.draw_failed,
        known,
        view.bag / sum(TILES) if not isinstance(view.bag, Hidden) else 0.0,
    ]


def phase(view: View) -> int | None:
    return PHASES.index(type(view.agenda[-1])) if view.agenda else None


def asked(view: View) -> int | None:
    match view.agenda:
        case (*_, Conflict() as conflict):
            return conflict.asked
        case (*_, TakingTreasure(seat)):
            return seat
        case ():
            return None
    return view.active


def piece(view: View) -> int | None:
    """Return the colour of the tile or leader whose space is to be chosen."""
    match view.agenda:
        case (*_, (PlacingTile(colour) | PlacingLeader(colour))):
            return colour
    return None


def conflict(part: Array, viewer: Viewer) -> None:
    totals = viewer.view.conflict
    if totals is not None:
        part[totals.kind.value - 1] = 1
        part[2] = squashed(totals.attacker_total, 5)
        part[3] = squashed(totals.defender_total, 5)
        part[4] = viewer.view.agenda[-1].attacker_committed is not None
        part[5 + totals.colour] = 1
        part[9 + viewer.offset(totals.attacker)] = 1
        part[13 + viewer.offset(totals.defender)] = 1


def hand(part: Array, viewer: Viewer) -> None:
    for colour in viewer.view.players[viewer.seat].hand:
        part[0, colour] += 1 / HAND
    for colour in COLOURS:
        swapped = viewer.view.players[viewer.seat].swapped.count(colour)
        part[1, colour] = squashed(swapped, 5)
        part[2, colour] = viewer.view.unseen[colour] / TILES[colour]


def players(row: Array, view: View, seat: int) -> None:
    """Fill a player's row. Hidden points and treasures are 0; row[3] is 1 if they are known."""
    player = view.players[seat]
    row[0] = count(player.hand) / HAND
    row[1] = squashed(count(player.swapped), 5)
    row[2] = player.catastrophes / CATASTROPHES
    if not isinstance(player.points, Hidden) and not isinstance(player.treasures, Hidden):
        row[3] = 1
        row[4] = squashed(player.treasures, 3)
        row[5:] = [squashed(points, 8) for points in player.points]


def count(tiles: tuple[object, ...] | Hidden) -> int:
    return tiles.count if isinstance(tiles, Hidden) else len(tiles)


def standing(part: Array, viewer: Viewer) -> None:
    for kingdom in viewer.view.kingdoms:
        for leader in kingdom.leaders:
            row = part[viewer.offset(leader.seat), leader.leader]
            row[:] = 1, squashed(leader.supporters, 5), leader.temples / 4


BOARD: Final = (ROWS, COLUMNS)
SLICES: Final = (
    Slice("tiles", (4, *BOARD), "planes: face-up tiles, by colour", tiles),
    Slice("face_down", (1, *BOARD), "plane: face-down tiles", plane(lambda board: board.face_down)),
    Slice("leaders", (4 * SEATS, *BOARD), "planes: leaders, by seat, then colour", leaders),
    Slice("catastrophes", (1, *BOARD), "plane: catastrophes", plane(lambda board: board.catastrophes)),
    Slice("treasures", (1, *BOARD), "plane: treasures", plane(lambda board: board.treasures)),
    Slice("buildings", (4, *BOARD), "planes: buildings, by colour", buildings),
    Slice("monuments", (6, *BOARD), "planes: the four spaces of each monument", monuments),
    Slice("wonder", (1, *BOARD), "plane: centre of the wonder", plane(lambda board: [board.wonder])),
    Slice(
        "covered", (1, *BOARD), "plane: under the unification marker", plane(lambda board: [board.covered])
    ),
    Slice("river", (1, *BOARD), "plane: river", plane(lambda board: board.river)),
    Slice("special", (1, *BOARD), "plane: bordered spaces", plane(lambda board: board.special)),
    Slice("question", (1, *BOARD), "plane: the space that a war or an offer is about", question),
    Slice("present", (SEATS,), "1 for each seat of the game, in the viewer's order", present),
    Slice(
        "options",
        (6,),
        "advanced board; buildings; English variant; wonder; end when the bag is empty; open information",
        flags(options),
    ),
    Slice(
        "course",
        (6,),
        "actions left / 2; turn squashed by 40; quiet turns squashed by 4; a draw failed; bag known; "
        "bag / 153",
        flags(course),
    ),
    Slice("ended", (3,), "one-hot: why the game is over", one_hot(3, lambda v: v.ended and v.ended.value, 1)),
    Slice("active", (SEATS,), "one-hot: whose turn it is", one_hot_seat(lambda view: view.active)),
    Slice("asked", (SEATS,), "one-hot: who is asked", one_hot_seat(asked)),
    Slice(
        "phase",
        (len(PHASES),),
        "one-hot: act, place tile, place leader, catastrophe, swap, unify, conflict, building, monument, "
        "treasure, colour",
        one_hot(len(PHASES), phase),
    ),
    Slice("piece", (4,), "one-hot: colour of the tile or leader to be placed", one_hot(4, piece)),
    Slice(
        "conflict",
        (17,),
        "revolt; war; totals of attacker and defender squashed by 5; attacker has committed; colour (4); "
        "attacker (4); defender (4)",
        conflict,
    ),
    Slice(
        "own",
        (3, 4),
        "by colour: own hand / 6; own tiles swapped, squashed by 5; unseen tiles, as a part of all",
        hand,
    ),
    Slice(
        "players",
        (SEATS, 9),
        "by seat: hand / 6; swapped squashed by 5; catastrophes / 2; whether the rest is known; treasures "
        "squashed by 3; points of each colour squashed by 8",
        by_seat(players),
    ),
    Slice(
        "standing",
        (SEATS, 4, 3),
        "by seat and leader: on the board; supporters squashed by 5; temples beside it / 4",
        standing,
    ),
)

CORNERS: Final = tuple(space for space in ALL_SPACES if space.row < ROWS - 1 and space.column < COLUMNS - 1)
CENTERS: Final = tuple(space for space in CORNERS if space.row and space.column)
HANDFULS: Final = tuple(
    handful for handful in product(range(HAND + 1), repeat=4) if 1 <= sum(handful) <= HAND
)
BLOCKS: Final = (
    Block("PlaceTile", "colour", tuple(map(PlaceTile, COLOURS))),
    Block("PlaceLeader", "colour", tuple(map(PlaceLeader, COLOURS))),
    Block("WithdrawLeader", "colour", tuple(map(WithdrawLeader, COLOURS))),
    Block("PlayCatastrophe", "", (PlayCatastrophe(),)),
    Block("SwapTiles", "", (SwapTiles(),)),
    Block("EndTurn", "", (EndTurn(),)),
    Block("ChooseSpace", "space, row by row", tuple(map(ChooseSpace, ALL_SPACES))),
    Block(
        "DiscardTiles",
        "red, blue, green, black: all with a sum of 1 to 6, in the order of numbers",
        tuple(DiscardTiles(*handful) for handful in HANDFULS),
    ),
    Block("CommitSupport", "tiles from 0 to 6", tuple(map(CommitSupport, range(HAND + 1)))),
    Block("ChooseWar", "colour", tuple(map(ChooseWar, COLOURS))),
    Block("RaiseBuilding", "space, row by row", tuple(map(RaiseBuilding, ALL_SPACES))),
    Block(
        "BuildMonument",
        "monument, then north-west corner, row by row",
        tuple(BuildMonument(*at) for at in product(Monument, CORNERS)),
    ),
    Block("BuildWonder", "centre, row by row, never at the edge", tuple(map(BuildWonder, CENTERS))),
    Block("DeclineBuild", "", (DeclineBuild(),)),
    Block("TakeTreasure", "space, row by row", tuple(map(TakeTreasure, ALL_SPACES))),
    Block("ChooseColour", "colour", tuple(map(ChooseColour, COLOURS))),
)
ENCODING: Final = Encoding("tigris", ENCODING_VERSION, lambda view: len(view.players), SLICES, BLOCKS)
encode_view, index, action = ENCODING.encode_view, ENCODING.index, ENCODING.action
