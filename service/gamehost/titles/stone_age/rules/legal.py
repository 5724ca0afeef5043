"""The legal actions of a seat, and the forced action if there is only one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import Final

from gamehost.rules.kit import Seat

from .actions import (
    Action,
    AddTools,
    Decline,
    GoHungry,
    ResolvePlace,
    TakeDie,
)
from .decisions import PAYING, asked
from .material import Place
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
    as_feedings,
    as_payments,
    bill_of,
    can_pay,
    could_pay_with_any_two,
    fitting,
)
from .placing import placings
from .refusals import TAKE_TWO, ready_tools

DECLINE: Final = Decline()
GO_HUNGRY: Final = GoHungry()
RESOLVE: Final = tuple(ResolvePlace(place) for place in Place)
DICE: Final = tuple(TakeDie(face) for face in range(7))


def legal_actions(state: State, seat: Seat) -> Iterator[Action]:
    task = asked(state)
    if task is None or task.seat != seat:
        return iter(())
    if state.players[seat].any_two:
        return chain(answers(state, task), TAKE_TWO)
    return iter(answers(state, task))


def answers(state: State, task: Task) -> Sequence[Action]:
    """Returns every action that `refusal` does not refuse, without those of the any-two-resources card."""
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


@lru_cache(maxsize=64)
def tool_choices(ready: frozenset[int], one_use: frozenset[int]) -> tuple[AddTools, ...]:
    return tuple(AddTools(tools, spent) for tools in subsets(ready) for spent in subsets(one_use))


def subsets(items: frozenset[int]) -> list[frozenset[int]]:
    counts = range(len(items) + 1)
    return [frozenset(chosen) for count in counts for chosen in combinations(sorted(items), count)]


def forced(state: State, task: Task) -> Action | None:
    """Returns the only answer if there is exactly one, else None; everything it depends on is public.

    SA-26: the seat is still asked if its any-two-resources card would allow another answer.
    """
    found = placings(state, task.seat, enough=2) if isinstance(task, Placing) else answers(state, task)
    return found[0] if len(found) == 1 and not card_would_help(state, task) else None


def card_would_help(state: State, task: Task) -> bool:
    player = state.players[task.seat]
    if not player.any_two or not isinstance(task, PAYING):
        return False
    bill = bill_of(state, task)
    return not can_pay(bill, player) and could_pay_with_any_two(bill, player)
