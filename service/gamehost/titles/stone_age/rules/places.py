"""The effects of places when people are taken back from them (SA-20 to SA-23)."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .actions import AddTools
from .events import (
    CardOffered,
    DiceRolled,
    FoodTrackRaised,
    PeopleReturned,
    PersonBorn,
    RollCounted,
    TileOffered,
    ToolMade,
)
from .evolve import GameStory
from .goods import Good
from .material import BEST_TOOL, CARD_PLACES, DIVISOR, MOST_PEOPLE, ROLLS, TILE_PLACES, TRACK_END, Place
from .model import AddingTools


def resolve(story: GameStory, seat: Seat, place: Place) -> None:
    people = story.state.at(place)[seat]
    story.tell(PeopleReturned(seat, place, people))
    if place in ROLLS:
        roll(story, seat, ROLLS[place], people)
    elif place is Place.TOOL_MAKER:
        make_tool(story, seat)
    elif place is Place.HUT:
        grow(story, seat)
    elif place is Place.FIELD:
        farm(story, seat)
    elif place in CARD_PLACES:
        offer_card(story, seat, 1 + CARD_PLACES.index(place))
    else:
        offer_tile(story, seat, 1 + TILE_PLACES.index(place))


def make_tool(story: GameStory, seat: Seat) -> None:
    """SA-21: raises the lowest tool, preferably an unused one. SA-13: does nothing at the limit."""
    tools = story.state.players[seat].tools
    space = min(range(len(tools)), key=lambda at: (tools[at].value, tools[at].used, at))
    if tools[space].value < BEST_TOOL:
        story.tell(ToolMade(seat, space, tools[space].value + 1))


def grow(story: GameStory, seat: Seat) -> None:
    """SA-22: adds a person. SA-13: does nothing at the limit."""
    people = story.state.players[seat].people
    if people < MOST_PEOPLE:
        story.tell(PersonBorn(seat, people + 1))


def farm(story: GameStory, seat: Seat) -> None:
    """SA-22: raises the food track. SA-13: does nothing at its end."""
    track = story.state.players[seat].food_track
    if track < TRACK_END:
        story.tell(FoodTrackRaised(seat, track + 1))


def roll(story: GameStory, seat: Seat, good: Good, dice: int) -> None:
    """SA-23: rolls the dice; the seat chooses its tools afterwards."""
    faces = story.chance.roll(dice)
    story.tell(DiceRolled(seat, good, faces, sum(faces)))


def count_roll(story: GameStory, task: AddingTools, action: AddTools) -> None:
    """SA-23: gives the sum of dice and tools, divided by the divisor of the good and rounded down."""
    tools = story.state.players[task.seat].tools
    total = task.sum + sum([tools[space].value for space in action.tools]) + sum(action.one_use_tools)
    divisor = DIVISOR[task.good]
    story.tell(
        RollCounted(
            seat=task.seat,
            good=task.good,
            sum=task.sum,
            tools=tuple(sorted(action.tools)),
            one_use_tools=tuple(sorted(action.one_use_tools)),
            total=total,
            divisor=divisor,
            gained=total // divisor,
        )
    )


def offer_card(story: GameStory, seat: Seat, slot: int) -> None:
    """SA-24: offers the card, whose cost is the number of its slot."""
    card = story.state.market.display[slot - 1]
    assert card is not None
    story.tell(CardOffered(seat, slot, card, cost=slot))


def offer_tile(story: GameStory, seat: Seat, stack: int) -> None:
    """SA-25: offers the face-up tile of the stack."""
    tile = story.state.market.open_tiles[stack - 1]
    assert tile is not None
    story.tell(TileOffered(seat, stack, tile))
