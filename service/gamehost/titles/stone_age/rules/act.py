"""Carries out an action, and all forced answers after it, until a seat has a choice."""

from __future__ import annotations

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
from .decisions import asked
from .events import AnyTwoTaken, PeopleFed, PeoplePlaced
from .evolve import GameStory
from .goods import Resources
from .legal import answers, forced
from .model import AddingTools, BuildingTile, BuyingCard, Resolving, Task
from .places import count_roll, resolve
from .rounds import feed, go_hungry, pass_actions, pass_placing, seats_after


def act(story: GameStory, seat: Seat, action: Action) -> None:
    """Carries out the action, and then answers every question that has only one answer."""
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
    """SA-26: takes the resources; the open question stays open."""
    story.tell(AnyTwoTaken(seat, resources))
