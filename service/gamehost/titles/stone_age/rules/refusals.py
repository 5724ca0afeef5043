"""Checks whether an action is allowed, and gives the reason if it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from gamehost.rules.kit import IllegalAction, Seat

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
from .decisions import KINDS, asked
from .goods import mixes
from .material import PLACE_NAMES
from .model import (
    AddingTools,
    BuildingTile,
    BuyingCard,
    Feeding,
    Placing,
    Player,
    Resolving,
    State,
    TakingDice,
    Task,
)
from .payments import (
    Refusal,
    bill_of,
    refusal_of_payment,
)
from .placing import refusal_of_placing

RULE: Final[dict[type, str]] = {
    Placing: "SA-10",
    Resolving: "SA-20",
    AddingTools: "SA-23",
    BuyingCard: "SA-24",
    BuildingTile: "SA-25",
    TakingDice: "SA-26",
    Feeding: "SA-31",
}
TAKE_TWO: Final = tuple(TakeResources(two) for two in mixes(2))


def refusal(state: State, seat: Seat, action: Action) -> IllegalAction | None:
    """Returns why the rules refuse the action, or None."""
    found = find_refusal(state, seat, action)
    return None if found is None else IllegalAction(*found)


def find_refusal(state: State, seat: Seat, action: Action) -> Refusal | None:
    task = asked(state)
    if task is None:
        return "GAME_OVER", "SA-41", "the game is over"
    if task.seat != seat:
        return "NOT_YOUR_DECISION", RULE[type(task)], f"seat {task.seat} is asked"
    if isinstance(action, TakeResources):
        return refusal_of_any_two(state.players[seat], action)
    if type(action) not in KINDS[type(task)]:
        return "WRONG_KIND_OF_ACTION", RULE[type(task)], "another question is asked"
    return REFUSALS[type(action)](state, task, action)


def refusal_of_any_two(player: Player, action: TakeResources) -> Refusal | None:
    """SA-26: returns why the any-two-resources card cannot be used, or None."""
    if not player.any_two:
        return "CARD_NOT_HELD", "SA-26", "you have no any-two-resources card to use"
    if action not in TAKE_TWO:
        return "WRONG_NUMBER_OF_RESOURCES", "SA-26", "take exactly two resources"
    return None


def refusal_of_people(state: State, task: Placing, action: PlacePeople) -> Refusal | None:
    return refusal_of_placing(state, task.seat, action.place, action.people)


def refusal_of_resolving(state: State, task: Resolving, action: ResolvePlace) -> Refusal | None:
    """SA-20: returns a refusal if the seat has no people on the place."""
    if not state.at(action.place)[task.seat]:
        return "NO_PEOPLE_THERE", "SA-20", f"you have nobody on {PLACE_NAMES[action.place]}"
    return None


def refusal_of_tools(state: State, task: AddingTools, action: AddTools) -> Refusal | None:
    """SA-23: returns why these tools cannot be used, or None."""
    player = state.players[task.seat]
    if not action.tools <= ready_tools(player):
        return "TOOL_NOT_READY", "SA-23", "a tool is missing or was used this round"
    if not action.one_use_tools <= player.one_use_tools:
        return "ONE_USE_TOOL_NOT_HELD", "SA-26", "you have no such one-use tool"
    return None


def refusal_of_pay(state: State, task: BuyingCard | BuildingTile, action: Pay) -> Refusal | None:
    bill = bill_of(state, task)
    if action.food:
        return "FOOD_IS_NO_PAYMENT", bill.rule, "food never pays for cards and tiles"
    return refusal_of_payment(bill, state.players[task.seat].resources, action.resources)


def refusal_of_die(state: State, task: TakingDice, action: TakeDie) -> Refusal | None:
    """SA-26: returns a refusal if no die with that face is left."""
    if action.face not in task.faces:
        return "DIE_NOT_THERE", "SA-26", f"no die shows {action.face}, or it is taken"
    return None


def refusal_of_feeding(state: State, task: Feeding, action: Feed) -> Refusal | None:
    """SA-31: returns why the people cannot be fed with these resources, or None."""
    bill = bill_of(state, task)
    if action.resources.total < bill.least:
        return "PARTIAL_PAYMENT", "SA-31", f"{bill.least} resources are needed, or none"
    return refusal_of_payment(bill, state.players[task.seat].resources, action.resources)


def never_refused(state: State, task: Task, action: Decline | GoHungry) -> Refusal | None:
    """SA-24, SA-25, SA-31: a seat may always decline to buy or to feed with resources."""
    return None


def ready_tools(player: Player) -> frozenset[int]:
    """Returns the spaces of the tools that were not used this round."""
    return frozenset([space for space, tool in enumerate(player.tools) if tool.value and not tool.used])


REFUSALS: Final[dict[type, Callable[[State, Any, Any], Refusal | None]]] = {
    PlacePeople: refusal_of_people,
    ResolvePlace: refusal_of_resolving,
    AddTools: refusal_of_tools,
    Pay: refusal_of_pay,
    Decline: never_refused,
    TakeDie: refusal_of_die,
    Feed: refusal_of_feeding,
    GoHungry: never_refused,
}
