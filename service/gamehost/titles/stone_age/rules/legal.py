"""Who is asked what, and why an answer is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import Any, Final

from gamehost.rules.kit import Decision, IllegalAction, Seat, Text, text

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
from .goods import mixes
from .material import PLACE_NAMES, Place
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
    as_feedings,
    as_payments,
    bill_of,
    can_pay,
    could_pay_with_any_two,
    fitting,
    refusal_of_payment,
)
from .placing import placings, refusal_of_placing

KINDS: Final[dict[type, tuple[type, ...]]] = {
    Placing: (PlacePeople,),
    Resolving: (ResolvePlace,),
    AddingTools: (AddTools,),
    BuyingCard: (Pay, Decline),
    BuildingTile: (Pay, Decline),
    TakingDice: (TakeDie,),
    Feeding: (Feed, GoHungry),
}
RULE: Final[dict[type, str]] = {
    Placing: "SA-10",
    Resolving: "SA-20",
    AddingTools: "SA-23",
    BuyingCard: "SA-24",
    BuildingTile: "SA-25",
    TakingDice: "SA-26",
    Feeding: "SA-31",
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
DECLINE: Final = Decline()
GO_HUNGRY: Final = GoHungry()
RESOLVE: Final = tuple(ResolvePlace(place) for place in Place)
DICE: Final = tuple(TakeDie(face) for face in range(7))
TAKE_TWO: Final = tuple(TakeResources(two) for two in mixes(2))


def asked(state: State) -> Task | None:
    return state.agenda[-1] if state.agenda else None


def decisions(state: State) -> Sequence[Decision]:
    """SA-20: one player at a time."""
    task = asked(state)
    if task is None:
        return ()
    return (Decision(f"question.{state.told}", task.seat, kinds_of(state, task), prompt(state, task)),)


def kinds_of(state: State, task: Task) -> tuple[type, ...]:
    """Those that have a legal action now."""
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


def legal_actions(state: State, seat: Seat) -> Iterator[Action]:
    task = asked(state)
    if task is None or task.seat != seat:
        return iter(())
    if state.players[seat].any_two:
        return chain(answers(state, task), TAKE_TWO)
    return iter(answers(state, task))


def answers(state: State, task: Task) -> Sequence[Action]:
    """Everything that `refusal` lets pass, the any-two-resources card left out."""
    match task:
        case Placing(seat):
            return placings(state, seat)
        case Resolving(seat):
            return [RESOLVE[at] for at, there in enumerate(state.people) if there[seat]]
        case AddingTools(seat):
            return tool_choices(ready_tools(state.players[seat]), state.players[seat].one_use_tools)
        case TakingDice(_, faces):
            return [DICE[face] for face in sorted(set(faces))]
        case BuyingCard(seat) | BuildingTile(seat):
            return (*as_payments(fitting(bill_of(state, task), state.players[seat].resources)), DECLINE)
        case Feeding(seat):
            return (*as_feedings(fitting(bill_of(state, task), state.players[seat].resources)), GO_HUNGRY)


def ready_tools(player: Player) -> frozenset[int]:
    """Spaces with a tool not used this round."""
    return frozenset([space for space, tool in enumerate(player.tools) if tool.value and not tool.used])


@lru_cache(maxsize=64)
def tool_choices(ready: frozenset[int], one_use: frozenset[int]) -> tuple[AddTools, ...]:
    return tuple(AddTools(tools, spent) for tools in subsets(ready) for spent in subsets(one_use))


def subsets(items: frozenset[int]) -> list[frozenset[int]]:
    counts = range(len(items) + 1)
    return [frozenset(chosen) for count in counts for chosen in combinations(sorted(items), count)]


def forced(state: State, task: Task) -> Action | None:
    """The only answer there is, if public things alone leave but one.

    SA-26: it is asked all the same if the any-two-resources card would open another.
    """
    found = placings(state, task.seat, enough=2) if isinstance(task, Placing) else answers(state, task)
    return found[0] if len(found) == 1 and not card_would_help(state, task) else None


def card_would_help(state: State, task: Task) -> bool:
    player = state.players[task.seat]
    if not player.any_two or not isinstance(task, PAYING):
        return False
    bill = bill_of(state, task)
    return not can_pay(bill, player) and could_pay_with_any_two(bill, player)


def refusal(state: State, seat: Seat, action: Action) -> IllegalAction | None:
    """Why the rules say no, or None."""
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
    """SA-26."""
    if not player.any_two:
        return "CARD_NOT_HELD", "SA-26", "you have no any-two-resources card to use"
    if action not in TAKE_TWO:
        return "WRONG_NUMBER_OF_RESOURCES", "SA-26", "take exactly two resources"
    return None


def refusal_of_people(state: State, task: Placing, action: PlacePeople) -> Refusal | None:
    return refusal_of_placing(state, task.seat, action.place, action.people)


def refusal_of_resolving(state: State, task: Resolving, action: ResolvePlace) -> Refusal | None:
    """SA-20."""
    if not state.at(action.place)[task.seat]:
        return "NO_PEOPLE_THERE", "SA-20", f"you have nobody on {PLACE_NAMES[action.place]}"
    return None


def refusal_of_tools(state: State, task: AddingTools, action: AddTools) -> Refusal | None:
    """SA-23."""
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
    """SA-26."""
    if action.face not in task.faces:
        return "DIE_NOT_THERE", "SA-26", f"no die shows {action.face}, or it is taken"
    return None


def refusal_of_feeding(state: State, task: Feeding, action: Feed) -> Refusal | None:
    """SA-31."""
    bill = bill_of(state, task)
    if action.resources.total < bill.least:
        return "PARTIAL_PAYMENT", "SA-31", f"{bill.least} resources are needed, or none"
    return refusal_of_payment(bill, state.players[task.seat].resources, action.resources)


def never_refused(state: State, task: Task, action: Decline | GoHungry) -> Refusal | None:
    """SA-24, SA-25, SA-31: nobody must buy or pay in resources."""
    return None


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
