"""The open decision: which seat is asked which question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from gamehost.rules.kit import Decision, Text, text

from .actions import (
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
from .model import (
    AddingTools,
    BuildingTile,
    BuyingCard,
    Feeding,
    Placing,
    Resolving,
    State,
    TakingDice,
    Task,
)
from .payments import (
    bill_of,
    can_pay,
)

KINDS: Final[dict[type, tuple[type, ...]]] = {
    Placing: (PlacePeople,),
    Resolving: (ResolvePlace,),
    AddingTools: (AddTools,),
    BuyingCard: (Pay, Decline),
    BuildingTile: (Pay, Decline),
    TakingDice: (TakeDie,),
    Feeding: (Feed, GoHungry),
}
PROMPTS: Final = {
    "place": "Put people on a place; {people} left to place.",
    "resolve": "Choose which of your places comes next.",
    "add_tools": "You rolled {sum} for {good}: choose the tools to add.",
    "buy_card": "Buy the card at the cost of {cost}, or leave it.",
    "build_tile": "Pay for the tile on stack {stack}, or leave it.",
    "take_die": "Take one of the dice.",
    "feed": "Food is short by {missing}: feed your people with resources, or go hungry.",
}
PAYING: Final = (BuyingCard, BuildingTile, Feeding)


def asked(state: State) -> Task | None:
    return state.agenda[-1] if state.agenda else None


def decisions(state: State) -> Sequence[Decision]:
    """Returns the open decision: one player decides at a time (SA-20)."""
    task = asked(state)
    if task is None:
        return ()
    return (Decision(f"question.{state.told}", task.seat, kinds_of(state, task), prompt(state, task)),)


def kinds_of(state: State, task: Task) -> tuple[type, ...]:
    """Returns the kinds of action with which the task can be answered now."""
    kinds, player = KINDS[type(task)], state.players[task.seat]
    if isinstance(task, PAYING) and not can_pay(bill_of(state, task), player):
        kinds = kinds[1:]
    return (*kinds, TakeResources) if player.any_two else kinds


def prompt(state: State, task: Task) -> Text:
    match task:
        case Placing(seat):
            return worded("place", people=state.home(seat))
        case Resolving():
            return worded("resolve")
        case AddingTools(_, good, _, total):
            return worded("add_tools", sum=total, good=good.name.lower())
        case BuyingCard(_, slot):
            return worded("buy_card", cost=slot)
        case BuildingTile(_, stack):
            return worded("build_tile", stack=stack)
        case TakingDice():
            return worded("take_die")
        case Feeding():
            return worded("feed", missing=bill_of(state, task).least)


@lru_cache(maxsize=1024)
def worded(name: str, **arguments: int | str) -> Text:
    return text(f"stone_age.prompt.{name}", PROMPTS[name], **arguments)
