"""Draws Tigris & Euphrates: the map of 11 rows and 16 columns, the kingdoms and the players.

A space is four characters wide: river or face down, the piece, its seat or colour, and a treasure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from gamehost.commands.terminal.parts import (
    LEADERS,
    LETTERS,
    SPHERES,
    STYLES,
    counted,
    labelled_line,
    text_table,
    word,
)
from gamehost.commands.terminal.title import Terminal
from shedu.tigris.v1 import tigris_pb2 as pb

from .rules.material import BUILDING_NAMES, TILE_NAMES

ROWS, COLUMNS = 11, 16
TILES = {"red": "T", "blue": "F", "green": "M", "black": "S"}
RIVER, LAND, FACE_DOWN = "≈", "·", "#"
TREASURE, FIRST_TREASURE = "*", "!"
CATASTROPHE, WONDER, MARKER, BUILDING = "X", "W", "@", "+"
LEGEND = (
    "T temple (red)  F farm (blue)  M market (green)  S settlement (black)  ≈ river",
    "p0 priest  f0 farmer  t0 trader  k0 king, of seat 0    * treasure  ! goes first",
    "#RK monument, red and black  X catastrophe  + building  @ joined here  W wonder",
)
Place = tuple[int, int]


def drawn(view: pb.View, names: Sequence[str]) -> RenderableType:
    parts: list[RenderableType] = [map_of(view.board), *(Text(words, "dim") for words in LEGEND)]
    if view.kingdoms:
        parts.append(text_table(("kingdom", "leaders, and their strength", "holds"), kingdoms(view, names)))
    parts.append(text_table(("dynasty", "hand", "points", "treasures", "catastrophes"), players(view, names)))
    if view.HasField("conflict"):
        parts.append(conflict(view.conflict, names))
    return Group(*parts)


def map_of(board: pb.BoardView) -> Text:
    cells = drawn_cells(board)
    lines = [Text("   " + "".join(f" {chr(ord('A') + column)}  " for column in range(COLUMNS)).rstrip())]
    for row in range(ROWS):
        spaces = (cells[row, column] for column in range(COLUMNS))
        lines.append(Text.assemble((f"{row + 1:>2} ", "dim"), *spaces))
    return Text("\n").join(lines)


def drawn_cells(board: pb.BoardView) -> dict[Place, Text]:
    river = set(map(at, board.river))
    special, treasures = set(map(at, board.special)), set(map(at, board.treasures))
    things = lying(board)
    cells = {}
    for place in ((row, column) for row in range(ROWS) for column in range(COLUMNS)):
        what, style = things.get(place, (LAND, "dim"))
        ground = RIVER if place in river else " "
        if place not in things and place in river:
            ground, what, style = " ", RIVER, "cyan"
        if what.startswith(FACE_DOWN):
            ground, what = FACE_DOWN, what[1:]
        mark = (FIRST_TREASURE if place in special else TREASURE) if place in treasures else " "
        cells[place] = Text.assemble((ground, "cyan"), (f"{what:<2}", style), (mark, "bold yellow"))
    return cells


def lying(board: pb.BoardView) -> dict[Place, tuple[str, str]]:
    """Return the text and style of the piece on each space. Later layers cover earlier ones."""
    found: dict[Place, tuple[str, str]] = {}
    for tile in board.tiles:
        sphere = word(pb.Colour, tile.colour)
        found[at(tile.space)] = TILES[sphere], STYLES[sphere]
    for building in board.buildings:
        letter, style = found.get(at(building.space), (" ", "bold"))
        found[at(building.space)] = letter + BUILDING, f"{style} underline"
    found |= {at(space): (FACE_DOWN, "dim") for space in board.face_down}
    for monument in board.monuments:
        colours = "".join(LETTERS[sphere] for sphere in word(pb.Monument, monument.monument).split())
        row, column = at(monument.corner)
        square = ((row + down, column + right) for down in (0, 1) for right in (0, 1))
        found |= dict.fromkeys(square, (FACE_DOWN + colours, "bold"))
    if board.HasField("wonder"):
        row, column = at(board.wonder)
        cross = ((row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        found |= dict.fromkeys(cross, (WONDER, "bold magenta"))
    found |= {at(space): (CATASTROPHE, "bold red") for space in board.catastrophes}
    if board.HasField("covered"):
        found[at(board.covered)] = (MARKER, "bold magenta")
    for leader in board.leaders:
        sphere = word(pb.Colour, leader.leader)
        found[at(leader.space)] = f"{LEADERS[sphere][0]}{leader.seat}", f"{STYLES[sphere]} reverse"
    return found


def at(space: pb.Space) -> Place:
    return space.row, space.column


def name_of(space: pb.Space) -> str:
    return f"{chr(ord('A') + space.column)}{space.row + 1}"


def kingdoms(view: pb.View, names: Sequence[str]) -> Iterator[Sequence[str]]:
    for kingdom in view.kingdoms:
        leaders = "\n".join(
            f"{LEADERS[word(pb.Colour, each.leader)]} of {names[each.seat]} at {name_of(each.space)}: "
            f"{each.supporters} in a war, {each.temples} in a revolt"
            for each in kingdom.leaders
        )
        holds = [f"treasure {name_of(space)}" for space in kingdom.treasures]
        holds += [f"{word(pb.Monument, each)} monument" for each in kingdom.monuments]
        holds += [f"{word(pb.Colour, each)} building" for each in kingdom.buildings]
        holds += ["wonder"] if kingdom.wonder else []
        yield name_of(kingdom.spaces[0]), leaders, "\n".join(holds) or "–"


def players(view: pb.View, names: Sequence[str]) -> Iterator[Sequence[str]]:
    for seat, player in enumerate(view.players):
        hand = [word(pb.Colour, colour) for colour in player.hand]
        tiles = counted([*TILES.values()], [hand.count(sphere) for sphere in SPHERES])
        points = counted([LETTERS[sphere] for sphere in SPHERES], player.points)
        yield (
            f"{seat} {names[seat]}{' (active)' if seat == view.active else ''}",
            f"{player.hidden_hand} tiles" if player.HasField("hidden_hand") else tiles,
            "hidden" if player.HasField("hidden_points") else points,
            str(player.treasures) if player.HasField("treasures") else "hidden",
            f"{player.catastrophes} left",
        )


def conflict(found: pb.ConflictTotals, names: Sequence[str]) -> Text:
    leader, support = LEADERS[word(pb.Colour, found.colour)], TILES[word(pb.Colour, found.support)]
    sides = f"{names[found.attacker]} {found.attacker_total}, {names[found.defender]} {found.defender_total}"
    label = f"{word(pb.ConflictKind, found.kind).capitalize()} of the {leader}s, with {support}"
    return labelled_line(label, f"{sides}; ahead: {names[found.leading]}")


SENTENCES: Mapping[str, str] = {
    "game_begun": "{first} began.",
    "tiles_drawn": "{seat} drew {tiles!tile}.",
    "draw_failed": "The bag held too little for {seat}.",
    "turn_begun": "Turn {turn}: {seat}.",
    "leader_placed": "{seat} placed the {leader:leader} at {space}.",
    "leader_withdrawn": "{seat} withdrew the {leader:leader} from {space}.",
    "leader_sent_home": "The {leader:leader} of {seat} left {space}: {reason}.",
    "tile_placed": "{seat} placed a {colour:tile} at {space}.",
    "points_scored": "{seat} scored {points} of {colour} ({reason}).",
    "catastrophe_played": "{seat} played a catastrophe at {space}.",
    "tiles_swapped": "{seat} swapped {tiles!tile}.",
    "kingdoms_joined": "Two kingdoms were joined at {space}.",
    "conflict_begun": "{conflict.attacker} attacked {conflict.defender}, {conflict.colour:leader} against "
    "{conflict.colour:leader}: {conflict.attacker_strength} to {conflict.defender_strength} on the board.",
    "support_committed": "{seat} committed {tiles} ({colour:tile}).",
    "conflict_won": "{winner} won the {kind} against {loser}, {winner_total} to {loser_total}.",
    "building_raised": "{seat} raised the {colour:building} at {space}.",
    "building_returned": "The {colour:building} at {space} returned to the supply.",
    "monument_built": "{seat} built the {monument} monument at {corner}.",
    "wonder_built": "{seat} built the wonder around {center}.",
    "build_declined": "{seat} built nothing.",
    "treasure_taken": "{seat} took the treasure at {space}.",
    "game_ended": "The game ended: {reason}.",
}

TERMINAL: Final = Terminal(
    drawn,
    SENTENCES,
    forms={
        "tile": lambda colour: TILE_NAMES[colour - 1],
        "building": lambda colour: BUILDING_NAMES[colour - 1],
    },
    words={"leader": LEADERS},
    messages={"Space": name_of},
)
