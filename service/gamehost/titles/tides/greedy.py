"""The heuristic for Tides of Time: it simulates the draft of the round, both seats picking by expected score.

The expected score of a kingdom assumes that each card still to come is an average card of the pool. The end
of the simulated round is scored exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import copysign, exp, prod
from typing import Final

from gamehost.rules.kit import Seat

from .rules.actions import Action, ChooseCard, ChooseRelic
from .rules.material import (
    HAND,
    PRINTS,
    ROUNDS,
    AllSuits,
    BestCard,
    Card,
    EachMissingSuit,
    EachOfSuit,
    EachSet,
    Majority,
    MostSingles,
    Suit,
)
from .rules.model import Phase, SeatState, State
from .rules.options import Options
from .rules.scoring import score

Cards = tuple[Card, ...]
Amounts = tuple[float, ...]
"""Expected cards of each suit, in the order of the suits."""

Points = Callable[[Amounts, Amounts, float], float]

SUITS: Final = tuple(Suit)
DRAFTED: Final = 1.5  # a player drafts cards that fit the relics, so those count as more than an average card
DENIED: Final = 0.3  # weight of what a removed card would have been worth to the opponent
LATER: Final = 0.5  # weight of the relics' expected score in each later round
PORT: Final = 0.5  # probability that the Sapphire Port scores
NEST: Final = 0.5  # value of winning ties in a comparison, in cards of a suit


class TidesHeuristic:
    """Weights are the margin of the simulated round. The opponent's hand is hidden, hence 16 worlds."""

    worlds = 16
    lead_scale = 12.0
    temperature = 4.0

    def weigh(self, world: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float]:
        mine, theirs = world.seats[seat], world.seats[1 - seat]
        return [weight(mine, theirs, action, world.options) for action in actions]

    def weigh_fast(self, world: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float]:
        mine, theirs = world.seats[seat], world.seats[1 - seat]
        pool = tuple(sorted(mine.hand | theirs.hand))
        return [
            promise(action.card, mine.hand, mine.kingdom, theirs.kingdom, pool)
            if isinstance(action, ChooseCard)
            else weight_of_relic(mine, theirs, action)
            for action in actions
        ]

    def settled(self, start: State, world: State) -> bool:
        """A rollout stops when the next hands are dealt: `leads` can simulate the draft of any hands."""
        return world.phase is Phase.DRAFTING and world.round > start.round

    def leads(self, world: State) -> Sequence[float]:
        """Points so far, plus the margin of the simulated round and the value of relics in later rounds."""
        lead = float(sum(each.scores[0].points - each.scores[1].points for each in world.scored))
        if world.phase is Phase.DRAFTING:
            first, second = world.seats
            lead += draft_out(first, second, None, world.options)
            lead += LATER * (ROUNDS - world.round) * advantage(first.relics, second.relics)
            if world.round == ROUNDS:
                lead += copysign(self.lead_scale, lead) if lead else 0.0
        return lead, -lead


def advantage(mine: Cards, theirs: Cards) -> float:
    """Return how much more the own relics are expected to score in a future round than the opponent's."""
    if not mine:
        return 0.0
    pool = tuple(sorted(set(Card) - {*mine, *theirs}))
    slots = HAND * DRAFTED
    return prospects(mine, theirs, slots, pool) - prospects(theirs, mine, slots, pool)


def weight(mine: SeatState, theirs: SeatState, action: Action, options: Options) -> float:
    match action:
        case ChooseRelic():
            return weight_of_relic(mine, theirs, action)
        case ChooseCard(card):
            return draft_out(mine, theirs, card, options)


def weight_of_relic(mine: SeatState, theirs: SeatState, choice: ChooseRelic) -> float:
    """Weigh a relic by its expected score with unknown cards, and the removed card by what it would have
    been worth to the opponent."""
    relics, gone = (*mine.relics, choice.relic), choice.removed
    pool = tuple(sorted(set(Card) - {*relics, gone, *theirs.relics}))
    slots = HAND * DRAFTED
    kept = prospects(relics, theirs.relics, slots, pool)
    lost = prospects((*relics, gone), theirs.relics, HAND, pool) - kept
    without = prospects(theirs.relics, relics, HAND, pool)
    denied = prospects((*theirs.relics, gone), relics, HAND, pool) - without
    return kept + DENIED * (denied - lost)


def draft_out(mine: SeatState, theirs: SeatState, first: Card | None, options: Options) -> float:
    """Simulate the round from the card `first` (None: the best one) and return the margin at its end."""
    kingdoms, hands = [mine.kingdom, theirs.kingdom], [hand_of(mine), hand_of(theirs)]
    while hands[0]:
        pool = tuple(sorted(hands[0] | hands[1]))
        taken = first or favourite(hands[0], kingdoms[0], kingdoms[1], pool)
        given = favourite(hands[1], kingdoms[1], kingdoms[0], pool)
        kingdoms = [(*kingdoms[0], taken), (*kingdoms[1], given)]
        hands, first = [hands[1] - {given}, hands[0] - {taken}], None
    return margin(frozenset(kingdoms[0]), frozenset(kingdoms[1]), options)


def hand_of(seat: SeatState) -> frozenset[Card]:
    """The hand, including a card that is chosen but not yet revealed."""
    return seat.hand if seat.chosen_card is None else seat.hand | {seat.chosen_card}


# The caches below hold across decisions and games: simulated drafts reach the same kingdoms again and again.
# They are bounded because a bot process lives as long as the service.
@lru_cache(maxsize=1 << 14)
def favourite(hand: frozenset[Card], mine: Cards, theirs: Cards, pool: Cards) -> Card:
    if len(hand) == 1:
        return next(iter(hand))
    return max(sorted(hand), key=lambda card: promise(card, hand, mine, theirs, pool))


def promise(card: Card, hand: frozenset[Card], mine: Cards, theirs: Cards, pool: Cards) -> float:
    """Return the expected score with the card, less that of the opponent with the best card passed on."""
    slots, kingdom = len(hand) - 1, (*mine, card)
    passed = [prospects((*theirs, other), kingdom, slots, pool) for other in hand if other is not card]
    return prospects(kingdom, theirs, slots, pool) - max(passed, default=0.0)


@lru_cache(maxsize=1 << 15)
def margin(mine: frozenset[Card], theirs: frozenset[Card], options: Options) -> float:
    own, other = score((tuple(mine), tuple(theirs)), options)
    return own.points - other.points


@lru_cache(maxsize=1 << 16)
def prospects(mine: Cards, theirs: Cards, slots: float, pool: Cards) -> float:
    """Return the expected score of a kingdom with `slots` more cards, each an average card of the pool."""
    shares = shares_of(pool)
    own, other = amounts(mine, slots, shares), amounts(theirs, slots, shares)
    edge = NEST * ((Card.KINGS_NEST in mine) - (Card.KINGS_NEST in theirs))
    return sum([POINTS[card](own, other, edge) for card in mine])


@lru_cache(maxsize=1 << 14)
def shares_of(pool: Cards) -> Amounts:
    """Return the share of each suit in the pool."""
    suits = [PRINTS[card].suit for card in pool]
    return tuple(suits.count(suit) / max(1, len(suits)) for suit in SUITS)


@lru_cache(maxsize=1 << 14)
def amounts(cards: Cards, slots: float, shares: Amounts) -> Amounts:
    found = [slots * share for share in shares]
    for card in cards:
        if (suit := PRINTS[card].suit) is not None:
            found[suit - 1] += 1
    if Card.ROOF_OF_THE_WORLD in cards:
        most = max(found)
        return tuple([amount * 2 if amount == most else amount for amount in found])
    return tuple(found)


def points_of(card: Card) -> Points:
    """Return a function from the expected suits of both kingdoms, and an edge in comparisons, to the card's
    expected score."""
    match PRINTS[card].ability:
        case EachOfSuit(suit, worth):
            return lambda own, other, edge: worth * own[suit - 1]
        case Majority(suit, worth):
            return lambda own, other, edge: worth * likely(own[suit - 1] - other[suit - 1] + edge)
        case EachSet(suits, worth):
            return lambda own, other, edge: worth * min([own[suit - 1] for suit in suits])
        case AllSuits(worth):
            return lambda own, other, edge: worth * prod([min(1.0, amount) for amount in own])
        case EachMissingSuit(worth):
            return lambda own, other, edge: worth * sum([max(0.0, 1 - amount) for amount in own])
        case MostSingles(worth):
            return lambda own, other, edge: worth * likely(singles(own) - singles(other) + edge)
        case BestCard(worth):
            return lambda own, other, edge: worth * PORT
        case _:
            return lambda own, other, edge: 0.0


def singles(suits: Amounts) -> float:
    return sum([max(0.0, 1 - abs(amount - 1)) for amount in suits])


def likely(ahead: float) -> float:
    """Return the probability to win a comparison with an expected lead of `ahead` cards."""
    return 1 / (1 + exp(-2 * (ahead - 0.4)))


POINTS: Final = {card: points_of(card) for card in Card}


HEURISTIC: Final = TidesHeuristic()
