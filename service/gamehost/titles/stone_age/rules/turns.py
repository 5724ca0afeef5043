"""The order of play: rounds of placing, actions and feeding, until the end.

Every answer is performed and what follows from it told, up to the next question
that leaves a choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.rules.kit import Seat

from .actions import (
    Action,
    AddTools,
    Decline,
    Feed,
    GoHungry,
    Pay,
    PlacePeople,
    ResolvePlace,
    TakeDie,
    TakeResources,
)
from .cards import build_tile, buy_card, decline, take_die
from .events import (
    AnyTwoTaken,
    CardRevealed,
    CardSlid,
    FoodProduced,
    GameEnded,
    PeopleFed,
    PeoplePlaced,
    RoundBegun,
    SeatScored,
    TurnBegun,
    WentHungry,
)
from .evolve import GameStory
from .goods import NOTHING, Resources
from .legal import answers, asked, forced
from .material import HUNGER, EndReason, Phase
from .model import AddingTools, BuildingTile, BuyingCard, Resolving, State, Task
from .places import count_roll, resolve
from .placing import can_place
from .scoring import final_score


def begin_round(story: GameStory, number: int, start_player: Seat) -> None:
    story.tell(RoundBegun(number, start_player), TurnBegun(start_player, Phase.PLACING))


def answer(story: GameStory, seat: Seat, action: Action) -> None:
    """The answer given, then every answer that leaves no choice."""
    task = asked(story.state)
    assert task is not None
    perform(story, task, seat, action)
    while (task := asked(story.state)) is not None:
        if (only := forced(story.state, task)) is not None:
            perform(story, task, task.seat, only)
        elif isinstance(task, Resolving) and not answers(story.state, task):
            pass_actions(story, task.seat)
        else:
            return


def perform(story: GameStory, task: Task, seat: Seat, action: Action) -> None:
    match action, task:
        case PlacePeople(place, people), _:
            story.tell(PeoplePlaced(seat, place, people))
            pass_placing(story, seat)
        case ResolvePlace(place), _:
            resolve(story, seat, place)
        case AddTools(), AddingTools():
            count_roll(story, task, action)
        case Pay(resources), BuyingCard():
            buy_card(story, task, resources)
        case Pay(resources), BuildingTile():
            build_tile(story, task, resources)
        case Decline(), BuyingCard() | BuildingTile():
            decline(story, task)
        case TakeDie(face), _:
            take_die(story, seat, face)
        case Feed(resources), _:
            story.tell(PeopleFed(seat, story.state.players[seat].food, resources))
            feed(story, seats_after(story.state, seat))
        case GoHungry(), _:
            go_hungry(story, seat)
            feed(story, seats_after(story.state, seat))
        case TakeResources(resources), _:
            take_any_two(story, seat, resources)


def take_any_two(story: GameStory, seat: Seat, resources: Resources) -> None:
    """SA-26: the question asked stays."""
    story.tell(AnyTwoTaken(seat, resources))


def seats_after(state: State, seat: Seat) -> Sequence[Seat]:
    """Those whose turn comes after `seat` this round."""
    order = state.clockwise(state.start_player)
    return order[order.index(seat) + 1 :]


def pass_placing(story: GameStory, seat: Seat) -> None:
    """SA-11: who cannot place is skipped; when no one can, the actions begin."""
    for following in (*story.state.clockwise(seat)[1:], seat):
        if can_place(story.state, following):
            story.tell(TurnBegun(following, Phase.PLACING))
            return
    story.tell(TurnBegun(story.state.start_player, Phase.ACTIONS))


def pass_actions(story: GameStory, seat: Seat) -> None:
    """SA-20."""
    if waiting := seats_after(story.state, seat):
        story.tell(TurnBegun(waiting[0], Phase.ACTIONS))
    else:
        feed(story, story.state.clockwise(story.state.start_player))


def feed(story: GameStory, seats: Sequence[Seat]) -> None:
    """SA-30: whoever has enough food pays it; SA-31: the first who has not is asked."""
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
    """SA-31."""
    story.tell(WentHungry(seat, story.state.players[seat].food, HUNGER))


def end_round(story: GameStory) -> None:
    """SA-40, unless the game is over."""
    if (reason := end_reason(story.state)) is not None:
        end_game(story, reason)
        return
    slide_cards(story)
    reveal_cards(story)
    begin_round(story, story.state.round + 1, story.state.clockwise(story.state.start_player)[1])


def end_reason(state: State) -> EndReason | None:
    """SA-41, SA-42."""
    if None in state.market.open_tiles:
        return EndReason.STACK_EMPTIED
    if state.round >= state.options.max_rounds:
        return EndReason.ROUNDS_PLAYED
    if state.market.display.count(None) > len(state.market.deck):
        return EndReason.DECK_EXHAUSTED
    return None


def slide_cards(story: GameStory) -> None:
    """SA-40: to the right, order kept."""
    left = [(slot, card) for slot, card in enumerate(story.state.market.display, start=1) if card is not None]
    for to_slot, (from_slot, card) in enumerate(left, start=1):
        if to_slot != from_slot:
            story.tell(CardSlid(card, from_slot, to_slot))


def reveal_cards(story: GameStory) -> None:
    """SA-2, SA-40: right to left."""
    free = [slot for slot, card in enumerate(story.state.market.display, start=1) if card is None]
    cards = story.chance.draw(sorted(story.state.market.deck), len(free)) if free else ()
    for slot, card in zip(free, cards, strict=True):
        story.tell(CardRevealed(slot, card))


def end_game(story: GameStory, reason: EndReason) -> None:
    """SA-43: drawn cards are shown and everything is counted."""
    for seat in story.state.clockwise(Seat(0)):
        player = story.state.players[seat]
        story.tell(SeatScored(seat, player.drawn, final_score(player)))
    story.tell(GameEnded(reason))
