"""Random states that are consistent with what a seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from gamehost.rules.kit import Chance, Hidden

from .events import Event, PointsScored, TreasureTaken
from .evolve import counted, minus
from .material import COLOURS, TILES, Colour
from .model import NOTHING, Board, BoardView, Counts, State, View
from .phases import PlacingTile
from .spaces import NOWHERE, START_TEMPLES, Mask, bit, mask_of, neighbours
from .turn import listed


def imagine(view: View, chance: Chance, seen: Sequence[Event] = ()) -> State:
    """Returns a state with this view. Unseen tiles are dealt at random to other hands, swaps and the bag.

    A view hides the points of others, but every gain was public: with `seen` the exact sums are used.
    """
    board = board_of(view.board, len(view.players))
    hands, rest = imagined_hands(view, chance)
    swapped = tuple(counted(dealt(player.swapped, rest)) for player in view.players)
    points, treasures = recalled_gains(view, seen) if seen else imagined_gains(view, chance)
    return State(
        options=view.options,
        board=board,
        hands=hands,
        points=points,
        treasures=treasures,
        catastrophes=tuple(player.catastrophes for player in view.players),
        bag=counted(tuple(rest)),
        removed=openly_removed(view, board),
        swapped=swapped,
        active=view.active,
        turn=view.turn,
        busy_turn=view.busy_turn,
        draw_failed=view.draw_failed,
        agenda=view.agenda,
        asked=view.asked,
        ended=view.ended,
    )


def board_of(seen: BoardView, seats: int) -> Board:
    leaders = [[NOWHERE] * len(COLOURS) for _ in range(seats)]
    for standing in seen.leaders:
        leaders[standing.seat][standing.leader] = bit(standing.space)
    tiles = [mask_of(tile.space for tile in seen.tiles if tile.colour is colour) for colour in COLOURS]
    buildings = [mask_of(one.space for one in seen.buildings if one.colour is colour) for colour in COLOURS]
    wonder = NOWHERE if seen.wonder is None else bit(seen.wonder)
    return Board(
        tiles=tuple(tiles),
        face_down=mask_of(seen.face_down),
        leaders=tuple(tuple(row) for row in leaders),
        catastrophes=mask_of(seen.catastrophes),
        treasures=mask_of(seen.treasures),
        buildings=tuple(buildings),
        monuments=seen.monuments,
        wonder=Mask(wonder | neighbours(wonder)),
        covered=NOWHERE if seen.covered is None else bit(seen.covered),
    )


def imagined_hands(view: View, chance: Chance) -> tuple[tuple[Counts, ...], list[Colour]]:
    """Returns the hands and the remaining unseen tiles. An announced tile is still in its owner's hand."""
    announced = tile_announced(view)
    pool = listed(minus(view.unseen, counted(announced)))
    rest = list(chance.draw(pool, len(pool)))
    hands = []
    for seat, player in enumerate(view.players):
        shown = announced if seat == view.active and seat != view.seat else ()
        hands.append(counted(shown + dealt(player.hand, rest, len(shown))))
    return tuple(hands), rest


def dealt(tiles: tuple[Colour, ...] | Hidden, rest: list[Colour], known: int = 0) -> tuple[Colour, ...]:
    """Returns the tiles, or if they are hidden that many of `rest`, less those that are `known`."""
    if isinstance(tiles, Hidden):
        return tuple(rest.pop() for _ in range(tiles.count - known))
    return tiles


def tile_announced(view: View) -> tuple[Colour, ...]:
    match view.agenda:
        case (*_, PlacingTile(colour)) if view.active != view.seat:
            return (colour,)
        case _:
            return ()


def recalled_gains(view: View, seen: Sequence[Event]) -> tuple[tuple[Counts, ...], Counts]:
    """Returns the points and treasures of each seat, summed over the witnessed events."""
    points = [list(NOTHING) for _ in view.players]
    treasures = [0 for _ in view.players]
    for event in seen:
        match event:
            case PointsScored(seat, colour, won):
                points[seat][colour] += won
            case TreasureTaken(seat):
                treasures[seat] += 1
            case _:
                pass
    return tuple(map(tuple, points)), tuple(treasures)


def imagined_gains(view: View, chance: Chance) -> tuple[tuple[Counts, ...], Counts]:
    return imagined_points(view, chance), imagined_treasures(view, chance)


def imagined_points(view: View, chance: Chance) -> tuple[Counts, ...]:
    """Returns points for each seat. Hidden ones are the viewer's own in random order: a plausible amount."""
    own = NOTHING if view.seat is None else view.players[view.seat].points
    assert not isinstance(own, Hidden)
    return tuple(
        chance.draw(own, len(own)) if isinstance(player.points, Hidden) else player.points
        for player in view.players
    )


def imagined_treasures(view: View, chance: Chance) -> Counts:
    """Returns the treasures of each seat; those whose owner is hidden are given to random seats."""
    known = [0 if isinstance(player.treasures, Hidden) else player.treasures for player in view.players]
    hiding = [seat for seat, player in enumerate(view.players) if isinstance(player.treasures, Hidden)]
    won = START_TEMPLES[view.options.board].bit_count() - len(view.board.treasures)
    if hiding:
        for face in chance.roll(won - sum(known), len(hiding)):
            known[hiding[face - 1]] += 1
    return tuple(known)


def openly_removed(view: View, board: Board) -> Counts:
    """Returns the tiles that were removed face up: neither unseen, nor on the board, nor the viewer's."""
    on_board = tuple(tiles.bit_count() for tiles in board.tiles)
    own = () if view.seat is None else (view.players[view.seat].hand, view.players[view.seat].swapped)
    return reduce(minus, (on_board, view.unseen, *map(counted, own)), TILES)
