"""Random states that are consistent with what a seat knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gamehost.rules.kit import Chance, Hidden

from .events import CalamityPlayed, ConflictWon, Event, IncomeTaken, PointTaken, ShipBuilt, TreasureExchanged
from .material import CARDS, COLOURS, FIRST_SHIP, RUN, TREASURES, Colour, Face
from .model import Conflict, Pile, State, View
from .regions import WHOLE, cards_in, treasures_in
from .turn import NOTHING, laid_out


def imagine(view: View, chance: Chance, seen: Sequence[Event] = ()) -> State:
    """Returns a state with this view. Unseen cards are dealt to hands, piles and deck; the rest are discards.

    A view does not show piles and discards, but every card that went there was public: with `seen` they are
    exact.
    """
    points, discards = recalled(view, seen) if seen else (view.points, NOTHING)
    view = replace(view, points=points)
    unseen = laid_out(map(int.__sub__, CARDS, _placed(view, discards)))
    cards = iter(chance.draw(unseen, len(unseen)))
    hands = tuple(
        _counts(view.hand) if seat == view.seat else _counts(_deal(cards, size))
        for seat, size in enumerate(view.hand_sizes)
    )
    face_down = view.face_down
    if face_down is not None and isinstance(face_down.colour, Hidden):
        face_down = replace(face_down, colour=next(cards))
    piles = _imagined_piles(view, cards, chance)
    deck = _counts(_deal(cards, view.deck_size + view.set_aside))
    return State(
        options=view.options,
        moment=view.moment,
        turn=view.turn,
        active=view.active,
        agenda=view.agenda,
        table=view.table,
        face_down=face_down,
        ships=view.ships,
        deck=deck,
        set_aside=view.set_aside,
        discards=_counts((*laid_out(discards), *cards)),
        hands=hands,
        piles=piles,
        calamities=view.calamities,
        card_turn=view.card_turn,
        ending=view.ending,
    )


def recalled(view: View, seen: Sequence[Event]) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Returns the cards in each pile and the discards, counted from the witnessed events."""
    piles = [list(Pile().counts) for _ in view.piles]
    discards = list(NOTHING)
    for event in seen:
        match event:
            case PointTaken(seat, colour) | IncomeTaken(seat, colour):
                piles[seat][colour] += 1
            case TreasureExchanged(seat):
                piles[seat][Face.TREASURE] += 1
            case ConflictWon(winner, colour=colour):
                piles[winner][colour] += event.kept + len(event.captured)
                discards[colour] += event.discarded
            case ShipBuilt(colour=colour):
                discards[colour] += RUN
            case CalamityPlayed(colour=colour):
                discards[colour] += 1
            case _:
                pass
    return tuple(map(tuple, piles)), tuple(discards)


def _placed(view: View, discards: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the number of civilization cards that the seat knows the place of, by colour."""
    placed = Counter(card.face for card in cards_in(view.table, WHOLE))
    placed.update(pile.top for pile in view.piles if pile.top is not None and not view.points)
    placed.update(map(Face, view.hand))
    if view.face_down is not None and isinstance(view.face_down.colour, Colour):
        placed[Face(view.face_down.colour)] += 1
    for phase in view.agenda:
        if isinstance(phase, Conflict):
            placed[Face(phase.suit)] += phase.attacker_cards or 0
    for counts in (*view.points, discards):
        placed.update({Face(face): count for face, count in enumerate(counts)})
    return tuple(placed[Face(colour)] for colour in COLOURS)


def _imagined_piles(view: View, cards: Iterator[Colour], chance: Chance) -> tuple[Pile, ...]:
    if view.points:
        tops = [pile.top for pile in view.piles]
        return tuple(map(Pile, view.points, tops))
    covered = [pile.height - (pile.top is not None) for pile in view.piles]
    treasures = _buried_treasures(view, covered, chance)
    return tuple(
        _pile(pile.top, buried, _deal(cards, depth - buried))
        for pile, depth, buried in zip(view.piles, covered, treasures, strict=True)
    )


def _buried_treasures(view: View, covered: list[int], chance: Chance) -> list[int]:
    """Returns how many treasures are inside each pile: those that are neither a head nor on top of a pile."""
    tops = sum(pile.top is Face.TREASURE for pile in view.piles)
    missing = TREASURES - len(treasures_in(view.table, WHOLE)) - tops
    places = [seat for seat, depth in enumerate(covered) for _ in range(depth)]
    chosen = chance.draw(places, missing)
    return [chosen.count(seat) for seat in range(len(covered))]


def _pile(top: Face | None, treasures: int, cards: tuple[Colour, ...]) -> Pile:
    counts = Counter(map(Face, cards))
    counts[Face.TREASURE] += treasures
    if top is not None:
        counts[top] += 1
    return Pile(tuple(counts[face] for face in Face if face < FIRST_SHIP), top)


def _deal(cards: Iterator[Colour], count: int) -> tuple[Colour, ...]:
    return tuple(next(cards) for _ in range(count))


def _counts(cards: tuple[Colour, ...]) -> tuple[int, ...]:
    return tuple(cards.count(colour) for colour in COLOURS)
