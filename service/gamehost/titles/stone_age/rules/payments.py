"""The combinations of resources with which a bill can be paid."""

from __future__ import annotations

from functools import lru_cache

from gamehost.rules.kit import span

from .actions import Feed, Pay
from .goods import Bill, Resources, mixes
from .material import CARD_BILL, TILE_BILL
from .model import BuildingTile, BuyingCard, Feeding, Player, State

Refusal = tuple[str, str, str]
"""Reason, rule and detail."""

PAIRS = mixes(2)
PayingTask = BuyingCard | BuildingTile | Feeding


def bill_of(state: State, task: PayingTask) -> Bill:
    match task:
        case BuyingCard(_, slot):
            return CARD_BILL[slot - 1]
        case BuildingTile(_, stack):
            tile = state.market.open_tiles[stack - 1]
            assert tile is not None
            return TILE_BILL[tile]
        case Feeding(seat):
            return feeding_bill(state.players[seat])


def feeding_bill(player: Player) -> Bill:
    """SA-31: returns the bill for the people without food, one resource for each."""
    missing = player.people - player.food
    return Bill("SA-31", missing, missing)


def refusal_of_payment(bill: Bill, held: Resources, paid: Resources) -> Refusal | None:
    """Returns why the payment is refused, or None (SA-24, SA-25, SA-31)."""
    if paid.least < 0 or (held - paid).least < 0:
        return "RESOURCES_NOT_OWNED", bill.rule, f"you hold {held}"
    if not bill.least <= paid.total <= bill.most:
        return "WRONG_NUMBER_OF_RESOURCES", bill.rule, f"pay {span(bill.least, bill.most)}, not {paid.total}"
    if bill.kinds is not None and paid.kinds != bill.kinds:
        return "WRONG_KINDS_OF_RESOURCES", bill.rule, f"pay exactly {bill.kinds} kinds, not {paid.kinds}"
    if bill.exactly is not None and paid != bill.exactly:
        return "WRONG_KINDS_OF_RESOURCES", bill.rule, f"pay exactly {bill.exactly}"
    return None


def fitting(bill: Bill, held: Resources) -> tuple[Resources, ...]:
    return _fitting(bill, held.at_most(bill.most))


@lru_cache(maxsize=4096)
def _fitting(bill: Bill, held: Resources) -> tuple[Resources, ...]:
    counts = range(bill.least, min(bill.most, held.total) + 1)
    return tuple(
        paid
        for count in counts
        for paid in mixes(count, held)
        if refusal_of_payment(bill, held, paid) is None
    )


def can_pay(bill: Bill, player: Player) -> bool:
    return bool(fitting(bill, player.resources))


def could_pay_with_any_two(bill: Bill, player: Player) -> bool:
    """SA-26: whether the player could pay after using the any-two-resources card."""
    return any(fitting(bill, player.resources + two) for two in PAIRS)


@lru_cache(maxsize=4096)
def as_payments(handfuls: tuple[Resources, ...]) -> tuple[Pay, ...]:
    return tuple(map(Pay, handfuls))


@lru_cache(maxsize=4096)
def as_feedings(handfuls: tuple[Resources, ...]) -> tuple[Feed, ...]:
    return tuple(map(Feed, handfuls))
