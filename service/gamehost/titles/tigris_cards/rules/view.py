"""The view of a seat, and events as a seat sees them."""

from __future__ import annotations

from collections.abc import Iterator

from gamehost.rules.kit import Hidden, Seat

from .events import CardsDrawn, Event, LinkLaid
from .material import GAPS, HEADS, Colour, Dynasty
from .model import FaceDownLink, Kingdom, PileSeen, State, Table, View
from .regions import has_room, leaders_in, regions, strengths, takes_link
from .turn import laid_out


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
    """EC-21: returns the face-down link; only the active seat, which laid it, sees its colour."""
    if state.face_down is None or seat == state.active:
        return state.face_down
    return FaceDownLink(state.face_down.gap, Hidden())


def _is_open(state: State, gap: int) -> bool:
    laid = state.face_down is not None and state.face_down.gap == gap
    return takes_link(state.table, gap) and not laid


def _kingdoms(table: Table) -> Iterator[Kingdom]:
    for region in regions(table):
        if leaders := leaders_in(table, region):
            yield Kingdom(region.first, region.last, leaders, strengths(table, region))


def witness(event: Event, seat: Seat | None) -> Event:
    match event:
        case CardsDrawn(drawer, tuple(cards)) if drawer != seat:
            return CardsDrawn(drawer, Hidden(len(cards)))
        case LinkLaid(layer, gap, Colour()) if layer != seat:
            return LinkLaid(layer, gap, Hidden())
        case _:
            return event
