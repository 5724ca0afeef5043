"""Buying cards and tiles, and the effects of cards (SA-24 to SA-26)."""

from __future__ import annotations

from typing import assert_never

from gamehost.rules.kit import Seat

from .events import (
    AnyTwoGained,
    CardBought,
    CardDeclined,
    CardDrawn,
    DiceForAllRolled,
    DieTaken,
    FoodGained,
    OneUseToolGained,
    PointsGained,
    ResourcesGained,
    TileBuilt,
    TileDeclined,
    TileRevealed,
)
from .evolve import GameStory
from .goods import ONE, Good, Resources
from .material import (
    UPPER,
    AnyTwo,
    DiceForAll,
    DrawCard,
    FieldStep,
    Food,
    Gift,
    NewTool,
    OneUseTool,
    Points,
    TwoDice,
    Upper,
)
from .model import BuildingTile, BuyingCard
from .places import farm, make_tool, roll

RESOURCE_DICE = {1: Good.WOOD, 2: Good.BRICK, 3: Good.STONE, 4: Good.GOLD}
TOOL_DIE = 5


def buy_card(story: GameStory, task: BuyingCard, paid: Resources) -> None:
    """SA-24: pays for the card and applies its upper half."""
    card = story.state.market.display[task.slot - 1]
    assert card is not None
    story.tell(CardBought(task.seat, task.slot, card, paid))
    give(story, task.seat, UPPER[card])


def build_tile(story: GameStory, task: BuildingTile, paid: Resources) -> None:
    """SA-25: scores the value of what was paid, and reveals the next tile of the stack."""
    tile = story.state.market.open_tiles[task.stack - 1]
    assert tile is not None
    story.tell(TileBuilt(task.seat, task.stack, tile, paid, paid.value))
    if story.state.market.stacks[task.stack - 1]:
        reveal_tile(story, task.stack)


def reveal_tile(story: GameStory, stack: int) -> None:
    """SA-2: draws from all unseen tiles, since nobody knows which of them are out of the game."""
    [tile] = story.chance.draw(sorted(story.state.market.unseen_tiles), 1)
    story.tell(TileRevealed(stack, tile))


def decline(story: GameStory, task: BuyingCard | BuildingTile) -> None:
    match task:
        case BuyingCard(seat, slot):
            story.tell(CardDeclined(seat, slot))
        case BuildingTile(seat, stack):
            story.tell(TileDeclined(seat, stack))


def give(story: GameStory, seat: Seat, upper: Upper) -> None:
    """SA-26: applies the upper half of a card."""
    match upper:
        case DiceForAll():
            roll_for_all(story, seat)
        case Food(amount):
            story.tell(FoodGained(seat, amount))
        case Gift(resources):
            story.tell(ResourcesGained(seat, resources))
        case Points(amount):
            story.tell(PointsGained(seat, amount))
        case NewTool():
            make_tool(story, seat)
        case FieldStep():
            farm(story, seat)
        case TwoDice(good):
            roll(story, seat, good, 2)
        case DrawCard():
            draw_card(story, seat)
        case OneUseTool(value):
            story.tell(OneUseToolGained(seat, value))
        case AnyTwo():
            story.tell(AnyTwoGained(seat))
        case _:
            assert_never(upper)


def draw_card(story: GameStory, seat: Seat) -> None:
    """SA-26: draws a card; nothing happens if the deck is empty."""
    if story.state.market.deck:
        [card] = story.chance.draw(sorted(story.state.market.deck), 1)
        story.tell(CardDrawn(seat, card))


def roll_for_all(story: GameStory, buyer: Seat) -> None:
    """SA-26: rolls one die per player; the buyer chooses first."""
    seats = story.state.clockwise(buyer)
    story.tell(DiceForAllRolled(seats, story.chance.roll(len(seats))))


def take_die(story: GameStory, seat: Seat, face: int) -> None:
    """SA-26: gives the seat the resource (1 to 4), tool (5) or step on the food track (6) of the die."""
    story.tell(DieTaken(seat, face))
    if face in RESOURCE_DICE:
        story.tell(ResourcesGained(seat, ONE[RESOURCE_DICE[face]]))
    elif face == TOOL_DIE:
        make_tool(story, seat)
    else:
        farm(story, seat)
