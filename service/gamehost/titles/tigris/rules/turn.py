"""The turn: two actions, income, refill, end."""

from __future__ import annotations

from functools import lru_cache

from gamehost.rules.kit import Seat

from .events import (
    DrawFailed,
    EndReason,
    GameEnded,
    PointReason,
    PointsScored,
    TilesDrawn,
    TilesSwapped,
    TurnBegun,
    TurnEnded,
    WonderOffered,
)
from .evolve import GameStory
from .kingdoms import kingdom_of, monuments_showing
from .material import COLOURS, HAND, Colour
from .model import Counts, State
from .options import BagExhaustion
from .phases import Acting
from .scoring import end_reason, standings


@lru_cache
def order(first: Seat, seats: int) -> tuple[Seat, ...]:
    return tuple(Seat((first + step) % seats) for step in range(seats))


def clockwise(state: State) -> tuple[Seat, ...]:
    """Returns every seat in turn order, beginning with the active one."""
    return order(state.active, len(state.hands))


def listed(counts: Counts) -> tuple[Colour, ...]:
    red, blue, green, black = counts
    return (Colour.RED,) * red + (Colour.BLUE,) * blue + (Colour.GREEN,) * green + (Colour.BLACK,) * black


def draw(story: GameStory, seat: Seat, count: int) -> None:
    """TE-71: draws tiles from the bag. The draw fails if the bag has fewer than `count`."""
    bag = listed(story.state.bag)
    drawn = min(count, len(bag))
    if drawn:
        story.tell(TilesDrawn(seat, tuple(sorted(story.chance.draw(bag, drawn)))))
    if drawn < count:
        story.tell(DrawFailed(seat))


def swap(story: GameStory, tiles: tuple[Colour, ...]) -> bool:
    """TE-35: discards tiles and draws as many. Returns False if that ended the game (TE-71)."""
    seat = story.state.active
    story.tell(TilesSwapped(seat, tiles))
    draw(story, seat, len(tiles))
    if story.state.draw_failed and story.state.options.bag_exhaustion is BagExhaustion.IMMEDIATE:
        end_game(story, EndReason.BAG_EXHAUSTED)
        return False
    return True


def end_action(story: GameStory) -> None:
    acting = story.state.agenda[-1]
    if isinstance(acting, Acting) and acting.left == 0:
        end_turn(story)


def end_turn(story: GameStory) -> None:
    """TE-70: gives the income of monuments, then offers that of the wonder or refills the hands."""
    active = story.state.active
    story.tell(TurnEnded(active))
    earn_monument_income(story, active)
    if wonder_pays(story.state):
        story.tell(WonderOffered(active))
    else:
        refill_and_pass_on(story)


def earn_monument_income(story: GameStory, seat: Seat) -> None:
    """TE-52: scores a point for each leader of the seat and each monument of its colour in its kingdom."""
    board = story.state.board
    for colour in COLOURS if board.monuments else ():
        if standing := board.leaders[seat][colour]:
            points = monuments_showing(board, kingdom_of(board, standing), colour)
            if points:
                story.tell(PointsScored(seat, colour, points, PointReason.MONUMENT))


def wonder_pays(state: State) -> bool:
    """TE-54: whether the active player's king is in the wonder's kingdom."""
    king = state.board.leaders[state.active][Colour.BLACK]
    return bool(king and state.board.wonder and kingdom_of(state.board, king) & state.board.wonder)


def earn_wonder_income(story: GameStory, colour: Colour) -> None:
    story.tell(PointsScored(story.state.active, colour, 1, PointReason.WONDER))
    refill_and_pass_on(story)


def refill_and_pass_on(story: GameStory) -> None:
    """TE-70: refills all hands, the active player's first, and begins the next turn or ends the game."""
    for seat in clockwise(story.state):
        if missing := HAND - sum(story.state.hands[seat]):
            draw(story, seat, missing)
    if (reason := end_reason(story.state)) is not None:
        end_game(story, reason)
    else:
        story.tell(TurnBegun(clockwise(story.state)[1], story.state.turn + 1))


def end_game(story: GameStory, reason: EndReason) -> None:
    story.tell(GameEnded(reason, standings(story.state)))
