"""Boards of Tigris & Euphrates drawn as text, and helpers to play on them.

A drawing is a window of the board, its north-west space named beside it. A cell is

    .  ~      empty land, empty river
    r b g k   a face-up tile: temple, farm, market, settlement
    x W #     a face-down tile, a part of the wonder, a catastrophe
    K1        a leader, by colour, and its seat

with `*` for a treasure, `^` for a building and `?` for the unification marker behind it.
"""

from __future__ import annotations

from dataclasses import replace

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import Seat, put
from gamehost.titles.tigris.rules import TIGRIS
from gamehost.titles.tigris.rules.actions import Action, ChooseSpace, PlaceLeader, PlaceTile, PlayCatastrophe
from gamehost.titles.tigris.rules.events import Event, PointsScored
from gamehost.titles.tigris.rules.evolve import counted, minus
from gamehost.titles.tigris.rules.material import CATASTROPHES, COLOURS, TILES, BoardSide, Colour, Monument
from gamehost.titles.tigris.rules.model import NOTHING, Board, BuiltMonument, State
from gamehost.titles.tigris.rules.options import Options
from gamehost.titles.tigris.rules.phases import Acting
from gamehost.titles.tigris.rules.spaces import (
    ALL_SPACES,
    EVERYWHERE,
    RIVER,
    START_TEMPLES,
    Mask,
    Space,
    bit,
    mask_of,
)

RED, BLUE, GREEN, BLACK = COLOURS
LETTERS = "rbgk"
WIDTH = 4
EXAMPLE_HAND = "rrbgkk"


def at(name: str) -> Space:
    return Space(int(name[1:]) - 1, ord(name[0]) - ord("A"))


def cells(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def tidy(text: str) -> str:
    """Returns the drawing as `draw` would print it."""
    return "\n".join("".join(f"{cell:{WIDTH}}" for cell in row).rstrip() for row in cells(text))


def parse(text: str, corner: str, seats: int, side: BoardSide = BoardSide.STANDARD) -> Board:
    """Returns a board with exactly what is drawn."""
    board = Board(leaders=((Mask(0),) * 4,) * seats)
    for down, row in enumerate(cells(text)):
        for right, cell in enumerate(row):
            space = Space(at(corner).row + down, at(corner).column + right)
            board = with_cell(board, space, cell, side)
    return board


def with_cell(board: Board, space: Space, cell: str, side: BoardSide) -> Board:
    here, kind, marks = bit(space), cell.rstrip("*^?"), cell[len(cell.rstrip("*^?")) :]
    if kind in (".", "~"):
        assert (kind == "~") == bool(here & RIVER[side]), f"{space.name} is not {kind}"
    elif kind in LETTERS:
        colour = LETTERS.index(kind)
        board = replace(board, tiles=put(board.tiles, colour, Mask(board.tiles[colour] | here)))
    elif kind in ("x", "W", "#"):
        name = {"x": "face_down", "W": "wonder", "#": "catastrophes"}[kind]
        board = replace(board, **{name: Mask(getattr(board, name) | here)})
    else:
        seat, colour = int(kind[1]), LETTERS.index(kind[0].lower())
        board = replace(board, leaders=put(board.leaders, seat, put(board.leaders[seat], colour, here)))
    if "*" in marks:
        board = replace(board, treasures=Mask(board.treasures | here))
    if "^" in marks:
        board = replace(board, buildings=put(board.buildings, LETTERS.index(kind), here))
    return replace(board, covered=here) if "?" in marks else board


def cell_at(board: Board, space: Space, side: BoardSide) -> str:
    here = bit(space)
    kinds = ["~" if here & RIVER[side] else "."]
    kinds += [letter for letter, tiles in zip(LETTERS, board.tiles, strict=True) if tiles & here]
    named = {"x": board.face_down, "W": board.wonder, "#": board.catastrophes}
    kinds += [letter for letter, mask in named.items() if mask & here]
    for seat, row in enumerate(board.leaders):
        kinds += [f"{letter.upper()}{seat}" for letter, one in zip(LETTERS, row, strict=True) if one & here]
    marks = "*" * bool(board.treasures & here) + "^" * any(one & here for one in board.buildings)
    return kinds[-1] + marks + "?" * bool(board.covered & here)


def draw(
    board: Board, corner: str = "A1", rows: int = 11, columns: int = 16, side: BoardSide | None = None
) -> str:
    first = at(corner)
    lines = [
        "".join(
            f"{cell_at(board, Space(row, column), side or BoardSide.STANDARD):{WIDTH}}"
            for column in range(first.column, first.column + columns)
        ).rstrip()
        for row in range(first.row, first.row + rows)
    ]
    return "\n".join(lines)


def drawn_like(state: State, text: str, corner: str) -> str:
    """Draws the same window of the current board."""
    rows = cells(text)
    return draw(state.board, corner, len(rows), len(rows[0]), state.options.board)


def window(text: str, corner: str) -> Mask:
    rows, first = cells(text), at(corner)
    return mask_of(
        space
        for space in ALL_SPACES
        if 0 <= space.row - first.row < len(rows) and 0 <= space.column - first.column < len(rows[0])
    )


def table(
    text: str,
    corner: str,
    *hands: str,
    left: int = 2,
    options: Options | None = None,
    active: int = 0,
    monuments: tuple[tuple[Monument, str], ...] = (),
) -> State:
    """Returns a state in the middle of a turn; outside of the drawing are the temples of the setup."""
    options, hands = options or Options(), hands or (EXAMPLE_HAND, EXAMPLE_HAND)
    board = parse(text, corner, len(hands), options.board)
    temples = START_TEMPLES[options.board] & EVERYWHERE & ~window(text, corner)
    board = replace(
        board,
        tiles=put(board.tiles, RED, Mask(board.tiles[RED] | temples)),
        treasures=Mask(board.treasures | temples),
        monuments=tuple(BuiltMonument(monument, at(name)) for monument, name in monuments),
    )
    held = tuple(counted(tuple(COLOURS[LETTERS.index(letter)] for letter in hand)) for hand in hands)
    bag = minus(TILES, tuple(tiles.bit_count() for tiles in board.tiles))
    for hand in held:
        bag = minus(bag, hand)
    return State(
        options=options,
        board=board,
        hands=held,
        points=(NOTHING,) * len(hands),
        treasures=(0,) * len(hands),
        catastrophes=(CATASTROPHES,) * len(hands),
        bag=bag,
        swapped=(NOTHING,) * len(hands),
        active=Seat(active),
        turn=1,
        busy_turn=1,
        agenda=(Acting(left),),
    )


def asked(state: State) -> Seat:
    (decision,) = TIGRIS.decisions(state)
    return decision.seat


def legal(state: State) -> list[Action]:
    return list(TIGRIS.legal_actions(state, asked(state)))


def told(state: State, *answers: Action) -> list[Event]:
    """Returns the events of these answers, given one after the other by the seat that decides."""
    events: list[Event] = []
    for answer in answers:
        new = TIGRIS.decide(state, asked(state), answer, SeededChance(b"table", len(events)))
        events.extend(new)
        for event in new:
            state = TIGRIS.evolve(state, event)
    return events


def after(state: State, *answers: Action) -> State:
    for event in told(state, *answers):
        state = TIGRIS.evolve(state, event)
    return state


def tile(letter: str, name: str) -> tuple[Action, Action]:
    return PlaceTile(COLOURS[LETTERS.index(letter)]), ChooseSpace(at(name))


def leader(letter: str, name: str) -> tuple[Action, Action]:
    return PlaceLeader(COLOURS[LETTERS.index(letter)]), ChooseSpace(at(name))


def catastrophe(name: str) -> tuple[Action, Action]:
    return PlayCatastrophe(), ChooseSpace(at(name))


def spaces_listed(state: State) -> set[str]:
    """Returns the spaces where the chosen piece may go."""
    return {action.space.name for action in legal(state) if isinstance(action, ChooseSpace)}


def gains(events: list[Event]) -> list[tuple[int, Colour, int]]:
    return [(event.seat, event.colour, event.points) for event in events if isinstance(event, PointsScored)]
