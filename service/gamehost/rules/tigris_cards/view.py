"""What a seat knows, what it sees happen, and what it may imagine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ..kit import Chance, Hidden, Seat
from .ending import laid_out
from .events import CardsDrawn, Event, LinkLaid
from .material import CARDS, COLOURS, FIRST_SHIP, GAPS, HEADS, TREASURES, Colour, Dynasty, Face
from .model import Conflict, FaceDownLink, Kingdom, Pile, PileSeen, State, Table, View
from .table import WHOLE, cards_in, has_room, leaders_in, regions, strength, takes_link, treasures_in


def view(state: State, seat: Seat | None) -> View:
    return View(
        seat=seat,
        options=state.options,
        dynasties=tuple(map(Dynasty, range(len(state.hands)))),
        moment=state.moment,
        turn=state.turn,
        active=state.active,
        agenda=state.agenda,
        table=state.table,
        face_down=_face_down(state, seat),
        kingdoms=tuple(_kingdoms(state.table)),
        open_columns=tuple(column for column in range(HEADS) if has_room(state.table, column)),
        open_gaps=tuple(gap for gap in range(GAPS) if _is_open(state, gap)),
        ships=state.ships,
        deck_size=sum(state.deck) - state.set_aside,
        set_aside=state.set_aside,
        hand=() if seat is None else laid_out(state.hands[seat]),
        hand_sizes=tuple(map(sum, state.hands)),
        piles=tuple(PileSeen(sum(pile.counts), pile.top) for pile in state.piles),
        calamities=state.calamities,
        card_turn=state.card_turn,
        ending=state.ending,
        points=() if state.ending is None else tuple(pile.counts for pile in state.piles),
    )


def _face_down(state: State, seat: Seat | None) -> FaceDownLink | None:
    """EC-21: its colour is known to the player who laid it, who is the active one."""
    if state.face_down is None or seat == state.active:
        return state.face_down
    return FaceDownLink(state.face_down.gap, Hidden())


def _is_open(state: State, gap: int) -> bool:
    laid = state.face_down is not None and state.face_down.gap == gap
    return takes_link(state.table, gap) and not laid


def _kingdoms(table: Table) -> Iterator[Kingdom]:
    for region in regions(table):
        if leaders := leaders_in(table, region):
            strengths = tuple(strength(table, region, colour) for colour in COLOURS)
            yield Kingdom(region.first, region.last, leaders, strengths)


def witness(event: Event, seat: Seat | None) -> Event:
    match event:
        case CardsDrawn(drawer, tuple(cards)) if drawer != seat:
            return CardsDrawn(drawer, Hidden(len(cards)))
        case LinkLaid(layer, gap, Colour()) if layer != seat:
            return LinkLaid(layer, gap, Hidden())
        case _:
            return event


def imagine(view: View, chance: Chance) -> State:
    """Deal out every card the seat cannot place; what no hand, pile or deck takes was discarded."""
    unseen = laid_out(map(int.__sub__, CARDS, _seen(view)))
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
        discards=_counts(tuple(cards)),
        hands=hands,
        piles=piles,
        calamities=view.calamities,
        card_turn=view.card_turn,
        ending=view.ending,
    )


def _seen(view: View) -> tuple[int, ...]:
    """Civilization cards whose whereabouts the seat knows, by colour."""
    seen = Counter(card.face for card in cards_in(view.table, WHOLE))
    seen.update(pile.top for pile in view.piles if pile.top is not None and not view.points)
    seen.update(map(Face, view.hand))
    if view.face_down is not None and isinstance(view.face_down.colour, Colour):
        seen[Face(view.face_down.colour)] += 1
    for phase in view.agenda:
        if isinstance(phase, Conflict):
            seen[Face(phase.suit)] += phase.attacker_cards or 0
    for points in view.points:
        seen.update({Face(face): count for face, count in enumerate(points)})
    return tuple(seen[Face(colour)] for colour in COLOURS)


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
    """How many treasures each pile hides, of those neither in the row nor on top of a pile."""
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
