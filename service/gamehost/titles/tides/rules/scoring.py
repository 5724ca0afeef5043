"""The scores of kingdoms, and the outcome (TT-5, TT-8, TT-10 to TT-14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from gamehost.rules.kit import Outcome, ranks

from .events import CardPoints, Score, SuitCount
from .material import (
    PRINTS,
    AllSuits,
    BestCard,
    Card,
    DoublesMost,
    EachMissingSuit,
    EachOfSuit,
    EachSet,
    Majority,
    MostSingles,
    Suit,
    WinsTies,
)
from .model import Phase, State
from .options import Options

Amounts = Mapping[Suit, int]
SUITS = tuple(Suit)


@dataclass(frozen=True, slots=True)
class Kingdom:
    """The cards of a kingdom, and the number of cards of each suit: as printed, and as counted (TT-11)."""

    cards: tuple[Card, ...]
    printed: Amounts
    counted: Amounts


@lru_cache(maxsize=4096)  # every view has the score, and most kingdoms have not changed since the last one
def score(kingdoms: tuple[tuple[Card, ...], ...], options: Options) -> tuple[Score, ...]:
    """Returns the scores of both kingdoms. The Sapphire Port comes last: it compares the other cards."""
    ours, theirs = (count(cards) for cards in kingdoms)
    our_points, their_points = (card_points(*pair, options) for pair in ((ours, theirs), (theirs, ours)))
    return (
        tally(ours, our_points | port_points(ours, our_points, their_points, options)),
        tally(theirs, their_points | port_points(theirs, their_points, our_points, options)),
    )


# Most counts and points are those of the last move, and equal ones are one object: so what they are encoded
# to is found by its identity.
suit_count = lru_cache(maxsize=1024)(SuitCount)
points_of_card = lru_cache(maxsize=1024)(CardPoints)


def tally(kingdom: Kingdom, points: Mapping[Card, int]) -> Score:
    return Score(
        suits=tuple([suit_count(suit, kingdom.printed[suit], kingdom.counted[suit]) for suit in SUITS]),
        cards=tuple([points_of_card(card, points[card]) for card in kingdom.cards]),
        points=sum(points.values()),
    )


def count(cards: tuple[Card, ...]) -> Kingdom:
    """TT-10: counts the printed suits of all cards, relics included, and doubles some if a card says so."""
    printed = dict.fromkeys(SUITS, 0)
    for card in cards:
        if (suit := PRINTS[card].suit) is not None:
            printed[suit] += 1
    return Kingdom(cards, printed, doubled(printed) if Card.ROOF_OF_THE_WORLD in cards else printed)


def doubled(amounts: Amounts) -> Amounts:
    """TT-11: returns the numbers with the greatest one doubled; if several are equal, all of them."""
    most = max(amounts.values())
    return {suit: amount * 2 if amount == most else amount for suit, amount in amounts.items()}


def card_points(own: Kingdom, other: Kingdom, options: Options) -> dict[Card, int]:
    """TT-12: returns the points of each card for its owner, without those of the Sapphire Port."""
    return {card: points_of(card, own, other, options) for card in own.cards}


def points_of(card: Card, own: Kingdom, other: Kingdom, options: Options) -> int:
    match PRINTS[card].ability:
        case Majority(suit, points):
            return points * wins(own, own.counted[suit], other.counted[suit], options)
        case EachOfSuit(suit, points):
            return points * own.counted[suit]
        case EachSet(suits, points):
            amounts = own.counted if options.sets_use_doubled_amounts else own.printed
            return points * min(amounts[suit] for suit in suits)
        case AllSuits(points):
            sets = min(own.counted.values())
            return points * (min(sets, 1) if options.maze_scores_once else sets)
        case EachMissingSuit(points):
            return points * list(own.printed.values()).count(0)
        case MostSingles(points):
            return points * wins(own, singles(own, options), singles(other, options), options)
        case WinsTies() | DoublesMost() | BestCard():
            return 0


def singles(kingdom: Kingdom, options: Options) -> int:
    """Returns the number of suits with exactly one card."""
    amounts = kingdom.printed if options.molehill_counts_printed_cards else kingdom.counted
    return list(amounts.values()).count(1)


def port_points(
    own: Kingdom, own_points: Mapping[Card, int], other_points: Mapping[Card, int], options: Options
) -> dict[Card, int]:
    """TT-13: returns the points of the Sapphire Port, which compares the best other card of each side."""
    if Card.SAPPHIRE_PORT not in own.cards:
        return {}
    best, rival = max(own_points.values()), max(other_points.values(), default=0)
    lacks_a_scoring_card = best == 0 and options.port_needs_a_scoring_card
    won = wins(own, best, rival, options) and not lacks_a_scoring_card
    return {Card.SAPPHIRE_PORT: BestCard().points * won}


def wins(own: Kingdom, mine: int, theirs: int, options: Options) -> bool:
    """TT-14: whether `mine` is more than `theirs`, or equal and King's Nest is in the kingdom."""
    if mine != theirs or Card.KINGS_NEST not in own.cards:
        return mine > theirs
    return mine > 0 or options.nest_wins_zero_zero


def totals(state: State) -> tuple[int, ...]:
    """TT-5: returns the sum of the points of all rounds, by seat."""
    return tuple([sum(points_by_round(state, seat)) for seat in range(len(state.seats))])


def points_by_round(state: State, seat: int) -> tuple[int, ...]:
    """Returns the points of each finished round for a seat."""
    return tuple([scored.scores[seat].points for scored in state.scored])


def outcome(state: State) -> Outcome | None:
    """TT-8: returns the outcome once the game is over; equal totals share the win."""
    if state.phase is not Phase.FINISHED:
        return None
    scores = totals(state)
    return Outcome(ranks(scores), scores, "ROUNDS_PLAYED")
