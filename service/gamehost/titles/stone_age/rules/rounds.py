"""The order of play: rounds of placing, actions and feeding, until the end."""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.rules.kit import Seat

from .events import (
    CardRevealed,
    CardSlid,
    FoodProduced,
    GameEnded,
    PeopleFed,
    RoundBegun,
    SeatScored,
    TurnBegun,
    WentHungry,
)
from .evolve import GameStory
from .goods import NOTHING
from .material import HUNGER, EndReason, Phase
from .model import State
from .placing import can_place
from .scoring import final_score


def begin_round(story: GameStory, number: int, start_player: Seat) -> None:
    story.tell(RoundBegun(number, start_player), TurnBegun(start_player, Phase.PLACING))


def seats_after(state: State, seat: Seat) -> Sequence[Seat]:
    """Returns the seats whose turn comes after `seat` this round."""
    order = state.clockwise(state.start_player)
    return order[order.index(seat) + 1 :]


def pass_placing(story: GameStory, seat: Seat) -> None:
    """SA-11: begins the turn of the next seat that can place people, or the actions if none can."""
    for following in (*story.state.clockwise(seat)[1:], seat):
        if can_place(story.state, following):
            story.tell(TurnBegun(following, Phase.PLACING))
            return
    story.tell(TurnBegun(story.state.start_player, Phase.ACTIONS))


def pass_actions(story: GameStory, seat: Seat) -> None:
    """SA-20: begins the actions of the next seat, or the feeding after the last one."""
    if waiting := seats_after(story.state, seat):
        story.tell(TurnBegun(waiting[0], Phase.ACTIONS))
    else:
        feed(story, story.state.clockwise(story.state.start_player))


def feed(story: GameStory, seats: Sequence[Seat]) -> None:
    """SA-30: feeds the people of each seat with enough food; SA-31: stops at the first without, to ask it."""
    for seat in seats:
        if produced := story.state.players[seat].food_track:
            story.tell(FoodProduced(seat, produced))
        player = story.state.players[seat]
        if player.food < player.people:
            story.tell(TurnBegun(seat, Phase.FEEDING))
            return
        story.tell(PeopleFed(seat, player.people, NOTHING))
    end_round(story)


def go_hungry(story: GameStory, seat: Seat) -> None:
    """SA-31: the seat pays all its food and loses points."""
    story.tell(WentHungry(seat, story.state.players[seat].food, HUNGER))


def end_round(story: GameStory) -> None:
    """SA-40: prepares the next round, or ends the game."""
    if (reason := end_reason(story.state)) is not None:
        end_game(story, reason)
        return
    slide_cards(story)
    reveal_cards(story)
    begin_round(story, story.state.round + 1, story.state.clockwise(story.state.start_player)[1])


def end_reason(state: State) -> EndReason | None:
    """Returns why the game ends after this round, or None (SA-41, SA-42)."""
    if None in state.market.open_tiles:
        return EndReason.STACK_EMPTIED
    if state.round >= state.options.max_rounds:
        return EndReason.ROUNDS_PLAYED
    if state.market.display.count(None) > len(state.market.deck):
        return EndReason.DECK_EXHAUSTED
    return None


def slide_cards(story: GameStory) -> None:
    """SA-40: moves the remaining cards to the right, in the same order."""
    left = [(slot, card) for slot, card in enumerate(story.state.market.display, start=1) if card is not None]
    for to_slot, (from_slot, card) in enumerate(left, start=1):
        if to_slot != from_slot:
            story.tell(CardSlid(card, from_slot, to_slot))


def reveal_cards(story: GameStory) -> None:
    """SA-2, SA-40: fills the free slots from right to left."""
    free = [slot for slot, card in enumerate(story.state.market.display, start=1) if card is None]
    cards = story.chance.draw(sorted(story.state.market.deck), len(free)) if free else ()
    for slot, card in zip(free, cards, strict=True):
        story.tell(CardRevealed(slot, card))


def end_game(story: GameStory, reason: EndReason) -> None:
    """SA-43: reveals the drawn cards and scores every seat."""
    for seat in story.state.clockwise(Seat(0)):
        player = story.state.players[seat]
        story.tell(SeatScored(seat, player.drawn, final_score(player)))
    story.tell(GameEnded(reason))
